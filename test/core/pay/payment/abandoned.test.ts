import { describe, expect, test } from 'vitest'
import { encodeFirstDeposit } from '../../../../src/core/chain/deposit/calldata.ts'
import type { MadeDeposit } from '../../../../src/core/chain/deposit/event.ts'
import { abandonedDoubt } from '../../../../src/core/pay/gate/ask-commands.ts'
import {
  type AbandonedFate,
  abandonedAfter,
  fateOfAbandoned,
} from '../../../../src/core/pay/payment/abandoned.ts'
import { agreementOf, draftOf, initialPayment } from '../../../../src/core/pay/payment/candidates.ts'
import type {
  Draft,
  PaymentBody,
  PaymentPlan,
  PaymentState,
  SignerKind,
} from '../../../../src/core/pay/payment/payment.ts'
import { fits } from '../../../../src/core/pay/payment/sign-again.ts'
import {
  address,
  draftWith,
  exportedPayment,
  hash,
  INCLUDED,
  NONCE,
  PLAN,
  PUBKEY,
  preparing,
  SENDER,
  SIGNED,
  signedPayment,
  stateAfter,
  WORLD,
} from '../../../support/payments.ts'
import { answer, applied, decided, givenTo, made, round, silent } from '../../../support/rounds.ts'
import { madeOf, standOf } from '../../../support/stand-of.ts'

/** A call of the same value with other calldata: the operator is not in the event. */
const firstDeposit = (operator: number): PaymentPlan => ({
  ...PLAN,
  data: encodeFirstDeposit({
    pubkey: PUBKEY,
    withdrawalCredentials: `0x01${'00'.repeat(11)}${'55'.repeat(20)}`,
    signature: `0x${'ab'.repeat(96)}`,
    operator: address(operator),
  }),
})
const FIRST = firstDeposit(6)
const SECOND = firstDeposit(7)
/** What the contract tells of either of the two. */
const FIRST_EVENT = {
  withdrawalCredentials: `0x01${'00'.repeat(11)}${'55'.repeat(20)}`,
  signature: `0x${'ab'.repeat(96)}`,
} as const
const LARGER: PaymentPlan = { ...PLAN, valueWei: PLAN.valueWei * 2n }

const abandoned = (...drafts: readonly Draft[]): PaymentState => ({ ...initialPayment, abandoned: drafts })
const EXTERNAL = draftWith({ signer: 'external' })
const CONTRACT = draftWith({ signer: 'contract', from: address(3) })

type Said = {
  latest?: number
  final?: number | undefined
  pending?: number
  deposits?: readonly MadeDeposit[] | 'unknown'
}
const fate = (state: PaymentState, ...said: readonly Said[]): AbandonedFate =>
  fateOfAbandoned(
    state,
    said.map((one, at) => {
      const reply = answer(`${at}`, { deposits: [], ...one })
      if (!('final' in one)) return reply
      const [{ final: _, ...nonce } = { address: SENDER, latest: 0, pending: 0 }] = reply.nonces
      return { ...reply, nonces: [one.final === undefined ? nonce : { ...nonce, final: one.final }] }
    }),
  )

describe('what was abandoned', () => {
  const sent = made()
  const mine = { is: 'sent', draft: EXTERNAL, hash: hash(8), valueWei: sent.valueWei } as const

  test.each<[string, readonly Said[], AbandonedFate]>([
    ['is unused where no endpoint has its nonce', [{}, {}], { is: 'unused' }],
    ['is unused where the nonce is not even reached', [{ latest: 3, pending: 4 }], { is: 'unused' }],
    ['may be sent where a pool has its nonce', [{}, { pending: 6 }], { is: 'may-be-sent' }],
    ['was lost where its nonce is used and nobody paid', [{ latest: 6 }, { latest: 6 }], { is: 'unused' }],
    [
      'may be sent where its nonce is used in a block that is not final',
      [{ latest: 6, final: 5 }, { latest: 6 }],
      { is: 'may-be-sent' },
    ],
    [
      'may be sent where nobody tells which nonce is final',
      [{ latest: 6, final: undefined }, { latest: 6 }],
      { is: 'may-be-sent' },
    ],
    ['was lost where the block is just final', [{ latest: 7, final: 6 }], { is: 'unused' }],
    [
      'was sent where every endpoint has the deposit',
      [
        { latest: 6, deposits: [sent] },
        { latest: 6, deposits: [sent] },
      ],
      mine,
    ],
    [
      'was sent in another way, by the same nonce',
      [{ latest: 6, deposits: [made({ event: { amountGwei: 1n }, valueWei: 10n ** 9n })] }],
      { ...mine, valueWei: 10n ** 9n },
    ],
    ['may be sent where one alone has it', [{ latest: 6, deposits: [sent] }, {}], { is: 'may-be-sent' }],
    [
      'may be sent where one has it, and one sees only another transaction',
      [{ latest: 6, deposits: [sent] }, { latest: 6 }],
      { is: 'may-be-sent' },
    ],
    [
      'may be sent where two name two transactions',
      [
        { latest: 6, deposits: [sent] },
        { latest: 6, deposits: [{ ...sent, hash: hash(9) }] },
      ],
      { is: 'may-be-sent' },
    ],
    [
      'is unknown where an endpoint does not tell its deposits',
      [
        { latest: 6, deposits: [sent] },
        { latest: 6, deposits: 'unknown' },
      ],
      { is: 'unknown' },
    ],
    [
      'is unknown where nobody can say who made a deposit',
      [{ latest: 6, deposits: [made({ sender: undefined })] }],
      { is: 'unknown' },
    ],
    ['is unused where the deposits need not be known', [{ deposits: 'unknown' }], { is: 'unused' }],
    [
      'was not sent by the deposit of somebody else, nor by one of before',
      [
        {
          latest: 6,
          deposits: [made({ sender: { from: address(9), nonce: NONCE } }), made({ block: 200n })],
        },
      ],
      { is: 'unused' },
    ],
    [
      'was not sent by another nonce of the account',
      [{ latest: 7, deposits: [made({ sender: { from: SENDER, nonce: NONCE + 1 } })] }],
      { is: 'unused' },
    ],
  ])('%s', (_, said, expected) => {
    expect(fate(abandoned(EXTERNAL), ...said)).toEqual(expected)
  })

  test('was not sent by a payment that is settled', () => {
    const state = { ...abandoned(EXTERNAL), settled: [hash(8)] }
    expect(fate(state, { latest: 6, deposits: [made()] })).toEqual({ is: 'unused' })
  })

  test('is no other payment where it has the nonce of one whose bytes exist', () => {
    const said = [{ latest: 6, deposits: [made()] }]
    const state = abandoned(EXTERNAL)
    expect(fate(stateAfter([...preparing(), SIGNED], { from: state }), ...said)).toEqual({ is: 'unused' })
    expect(fate(stateAfter(preparing({ signer: 'external' }), { from: state }), ...said)).toEqual(mine)
    const next = stateAfter([...preparing({ nonce: NONCE + 1 }), SIGNED], { from: state })
    expect(fate(next, ...said)).toEqual(mine)
    const lost: PaymentBody = { type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } }
    expect(fate(stateAfter([...preparing(), SIGNED, lost], { from: state }), ...said)).toEqual(mine)
    const other = stateAfter([...preparing({ from: address(2) }), SIGNED], { from: state })
    const nonces = [
      { address: SENDER, latest: 6, pending: 6 },
      { address: address(2), latest: 5, pending: 5 },
    ]
    expect(fateOfAbandoned(other, [answer('one', { nonces, deposits: [made()] })])).toEqual(mine)
  })

  test('says of nonce 0 that it may be sent, where nobody tells which nonce is final', () => {
    const state = abandoned(draftWith({ signer: 'external', nonce: 0 }))
    const nonces = [{ address: SENDER, latest: 1, pending: 1 }]
    expect(fateOfAbandoned(state, [answer('one', { nonces, deposits: [] })])).toEqual({ is: 'may-be-sent' })
  })

  test('is the first of two deposits with its nonce, and the draft is one of those with that nonce', () => {
    const other = draftWith({ signer: 'external', nonce: NONCE + 1, plan: LARGER })
    const larger = made({
      hash: hash(9),
      valueWei: LARGER.valueWei,
      event: { amountGwei: 20_000n * 10n ** 9n },
    })
    const said = [{ latest: 6, deposits: [larger, made()] }]
    expect(fate(abandoned(EXTERNAL, other), ...said)).toMatchObject({ hash: hash(9), draft: EXTERNAL })
  })

  test('is told apart by its calldata where an owner of a contract account paid from a plain one', () => {
    const drafts = [FIRST, SECOND].map((plan) => draftWith({ signer: 'contract', from: address(3), plan }))
    const [first, second] = drafts
    const deposits = (input: PaymentPlan['data'] | undefined) => ({
      deposits: [made({ event: FIRST_EVENT, input, sender: { from: address(9), nonce: 0 } })],
    })
    const fateBy = (input: PaymentPlan['data'] | undefined) => fate(abandoned(...drafts), deposits(input))
    expect(fateBy(FIRST.data)).toMatchObject({ is: 'sent', draft: first })
    expect(fateBy(SECOND.data)).toMatchObject({ is: 'sent', draft: second })
    expect(fateBy(undefined)).toMatchObject({ is: 'sent', draft: first })
  })

  test('is told apart by its calldata where one nonce was exported twice', () => {
    const drafts = [FIRST, SECOND].map((plan) => draftWith({ signer: 'external', plan }))
    const [first, second] = drafts
    const deposit = (input: PaymentPlan['data'] | undefined) => made({ event: FIRST_EVENT, input })
    const of = (input: PaymentPlan['data'] | undefined) =>
      fate(abandoned(...drafts), { latest: 6, deposits: [deposit(input)] })
    expect(of(SECOND.data)).toMatchObject({ is: 'sent', draft: second })
    expect(of(FIRST.data)).toMatchObject({ is: 'sent', draft: first })
    expect(of(undefined)).toMatchObject({ is: 'sent', draft: first })
  })

  test.each<[string, readonly Said[], AbandonedFate['is']]>([
    ['the call itself', [{ deposits: [made({ sender: { from: address(9), nonce: 1 } })] }], 'sent'],
    ['the call, by nobody knows whom', [{ deposits: [made({ sender: undefined })] }], 'sent'],
    ['another amount', [{ deposits: [made({ event: { amountGwei: 1n } })] }], 'unused'],
    [
      'another amount, by nobody knows whom',
      [{ deposits: [made({ sender: undefined, event: { amountGwei: 1n } })] }],
      'unused',
    ],
    ['nothing', [{}], 'unused'],
    ['nothing that an endpoint tells', [{ deposits: 'unknown' }], 'unknown'],
  ])('of a contract account is looked for among the deposits: %s', (_, said, expected) => {
    expect(fate(abandoned(CONTRACT), ...said).is).toBe(expected)
  })
})

describe('why it is not settled what became of it', () => {
  test.each([
    [
      'names the endpoint that does not answer, whatever the other one says',
      'may-be-sent',
      [answer('near'), silent('far')],
      'It is not known whether the transaction you abandoned was sent: no answer from far.',
    ],
    [
      'names each that does not answer',
      'unused',
      [silent('near'), silent('far')],
      'It is not known whether the transaction you abandoned was sent: no answer from near and far.',
    ],
    [
      'is that an endpoint tells no deposits',
      'unknown',
      [answer('near')],
      'It is not known whether the transaction you abandoned was sent: an endpoint does not tell the deposits since then.',
    ],
    [
      'is its nonce in a pool only where all have answered',
      'may-be-sent',
      [answer('near')],
      'The transaction you abandoned may have been sent.',
    ],
  ] as const)('%s', (_, is, said, expected) => {
    expect(abandonedDoubt({ is }, said).short).toBe(expected)
  })
})

describe('a new beginning', () => {
  const HELD_BACK: PaymentBody = { type: 'held-back', reason: 'more arrived' }
  const ends = {
    paid: [INCLUDED, { type: 'ended', outcome: { is: 'paid' } }],
    cancelled: [INCLUDED, { type: 'ended', outcome: { is: 'cancelled' } }],
    reverted: [{ type: 'ended', outcome: { is: 'reverted', reason: 'no', feeWei: 1n } }],
    'nonce-taken': [{ type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } }],
  } as const satisfies Record<string, readonly PaymentBody[]>
  const of = (signer: SignerKind, ...bodies: readonly PaymentBody[]): PaymentState => {
    const isContract = signer === 'contract'
    return stateAfter(isContract ? bodies : [SIGNED, ...bodies], { from: stateAfter(preparing({ signer })) })
  }

  test.each<[string, PaymentState, boolean]>([
    ['that never left the keystore', of('keystore'), false],
    ['that was held back', of('keystore', HELD_BACK), true],
    ['that an external signer signed', of('external'), true],
    ['that nobody signed', exportedPayment(), true],
    ['that nobody carried out', of('contract'), true],
    ['that was paid', of('keystore', ...ends.paid), false],
    ['that was paid from an external signer', of('external', ...ends.paid), false],
    [
      'that a contract account paid, and may once more',
      of('contract', foundBy(CONTRACT), ...paidAs(8)),
      true,
    ],
    ['that was cancelled', of('keystore', ...ends.cancelled), true],
    ['that was refused', of('keystore', ...ends.reverted), true],
    ['that lost its nonce', of('keystore', ...ends['nonce-taken']), true],
  ])('after a payment %s: it is kept in sight, or not', (_, state, isKept) => {
    const draft = draftOf(state)
    const bodies = (['reopened', 'abandoned'] as const).filter((type) => fits(state, { step: 'topup', type }))
    expect(bodies).toHaveLength(1)
    const after = applied(
      state,
      bodies.map((type) => ({ type })),
    )
    expect(standOf(after)).toBe('open')
    expect(after.ordinal).toBe(state.ordinal + 1)
    expect(after.abandoned).toEqual(isKept ? [draft] : [])
  })

  test('is nothing new where no draft was made', () => {
    const before = abandoned(EXTERNAL)
    expect(abandonedAfter(before)).toBe(before.abandoned)
    expect(abandonedAfter(stateAfter([{ type: 'agreed', plan: PLAN, world: WORLD }], { from: before }))).toBe(
      before.abandoned,
    )
  })

  test('keeps what was abandoned before, and settles what was paid', () => {
    const first = applied(exportedPayment(), [{ type: 'abandoned' }])
    const paid = stateAfter([...preparing(), SIGNED, ...ends.paid, { type: 'reopened' }], { from: first })
    expect(paid.abandoned).toEqual(first.abandoned)
    expect(paid.settled).toEqual([INCLUDED.hash])
  })

  test.each<[string, PaymentState]>([
    ['may be on its way', givenTo(signedPayment(), 'one')],
    ['is in a block', of('external', INCLUDED)],
    ['waits in a pool', inMempool(signedPayment())],
    ['waits in a pool, signed by another', inMempool(of('external'))],
  ])('is refused while the payment %s', (_, state) => {
    for (const type of ['reopened', 'abandoned'] as const) {
      expect(fits(state, { step: 'topup', type })).toBe(false)
      expect(applied(state, [{ type }])).toBe(state)
    }
  })
})

function inMempool(state: PaymentState): PaymentState {
  return { ...state, memory: { ...state.memory, inMempool: true } }
}

function foundBy({ from, transaction: { nonce } }: Draft): PaymentBody {
  return { type: 'found', from, nonce, hash: hash(8), valueWei: PLAN.valueWei, data: undefined }
}

function paidAs(number: number): readonly PaymentBody[] {
  return [
    { ...INCLUDED, hash: hash(number) },
    { type: 'ended', outcome: { is: 'paid' } },
  ]
}

describe('an abandoned draft that is found', () => {
  const found = (over: Partial<Extract<PaymentBody, { type: 'found' }>> = {}) =>
    ({
      type: 'found',
      from: SENDER,
      nonce: NONCE,
      hash: hash(8),
      valueWei: PLAN.valueWei,
      data: undefined,
      ...over,
    }) as const

  test('is the payment, and followed', () => {
    const after = applied(abandoned(EXTERNAL), [found()])
    expect(after).toMatchObject({ abandoned: [], ordinal: 2 })
    expect(draftOf(after)).toEqual(EXTERNAL)
    expect(madeOf(after).found).toMatchObject([{ hash: hash(8) }])
    expect(standOf(after)).toBe('under-way')
  })

  test.each<[string, ReturnType<typeof found>, PaymentPlan]>([
    ['its value', found({ valueWei: LARGER.valueWei }), LARGER],
    ['its calldata', found({ data: SECOND.data }), SECOND],
    ['its calldata and value', found({ data: FIRST.data }), FIRST],
    ['nothing, where it fits none: the first of its nonce', found({ valueWei: 1n }), PLAN],
  ])('is told apart from others with the same nonce by %s', (_, event, plan) => {
    const drafts = [PLAN, LARGER, FIRST, SECOND].map((one) => draftWith({ signer: 'external', plan: one }))
    const after = applied(abandoned(...drafts), [event])
    expect(agreementOf(after)?.plan).toEqual(plan)
    expect(after.abandoned).toHaveLength(3)
  })

  test('is the first of those with its nonce that it fits', () => {
    const drafts = [{ about: 'unused-key' }, { about: 'burnt-key' }].map((world) =>
      draftWith({ signer: 'external', world: world as typeof WORLD }),
    )
    expect(agreementOf(applied(abandoned(...drafts), [found()]))?.world).toEqual(WORLD)
  })

  test.each<[string, PaymentState, ReturnType<typeof found>]>([
    ['another account', abandoned(EXTERNAL), found({ from: address(2) })],
    ['another nonce', abandoned(EXTERNAL), found({ nonce: NONCE + 1 })],
    [
      'a payment of another account that is live by now',
      stateAfter([...preparing({ from: address(2) }), SIGNED], { from: abandoned(EXTERNAL) }),
      found(),
    ],
    [
      'a payment that has ended',
      stateAfter([...preparing({ from: address(2) }), SIGNED, ...paidAs(1)], { from: abandoned(EXTERNAL) }),
      found(),
    ],
  ])('is none of %s', (_, state, event) => {
    expect(fits(state, { step: 'topup', ...event })).toBe(false)
    expect(applied(state, [event])).toBe(state)
  })

  test('under a live payment of the same nonce is the first of those that it may be', () => {
    const drafts = [FIRST, SECOND].map((plan) => draftWith({ signer: 'external', plan }))
    const live = stateAfter(preparing({ signer: 'external', plan: PLAN }), { from: abandoned(...drafts) })
    const deposit = made({ event: FIRST_EVENT, input: undefined })
    const said = [answer('one', { latest: 6 }), answer('two', { latest: 6 })]
    const { events } = decided(live, round(said), { deposits: [deposit] })
    expect(events).toEqual([found({ valueWei: deposit.valueWei, data: FIRST.data })])
  })

  test('under a live payment of the same nonce is what is paid for: its agreement takes the place', () => {
    const old = draftWith({ signer: 'external', plan: FIRST, world: { about: 'burnt-key' } })
    const live = stateAfter(preparing({ signer: 'external', plan: SECOND }), { from: abandoned(old) })
    const deposit = made({ event: FIRST_EVENT, input: FIRST.data })
    const said = [answer('one', { latest: 6 }), answer('two', { latest: 6 })]
    const at = decided(live, round(said), { deposits: [deposit] })
    expect(at.events).toEqual([found({ valueWei: deposit.valueWei, data: FIRST.data })])
    expect(agreementOf(at.after)).toEqual(old.agreement)
    expect(madeOf(at.after).found).toMatchObject([{ hash: hash(8) }])
    const own = decided(live, round(said), { deposits: [{ ...deposit, input: SECOND.data }] })
    expect(own.events).toEqual([found({ valueWei: deposit.valueWei })])
    expect(agreementOf(own.after)?.plan).toEqual(SECOND)
    const twice = stateAfter(preparing({ signer: 'external', plan: FIRST }), { from: abandoned(old) })
    const newer = decided(twice, round(said), { deposits: [deposit] })
    expect(newer.events).toEqual([found({ valueWei: deposit.valueWei })])
    expect(agreementOf(newer.after)?.world).toEqual(WORLD)
  })
})
