import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { paymentTransition } from '../../../../src/core/pay/payment/machine.ts'
import type { PaymentBody, PaymentOutcome, PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import {
  asRemembered,
  paymentFact,
  reopenedByChain,
  resumePayment,
} from '../../../../src/core/pay/payment/remembered.ts'
import type { PaymentReply } from '../../../../src/core/pay/payment/round.ts'
import { fits, isAsked, mayReopen } from '../../../../src/core/pay/payment/sign-again.ts'
import {
  address,
  exportedPayment,
  hash,
  INCLUDED,
  NONCE,
  PLAN,
  SENDER,
  SIGNED,
  signedPayment,
  stateAfter,
} from '../../../support/payments.ts'
import {
  answer,
  type Decided,
  decided,
  lastOf,
  made,
  receipt,
  round,
  silent,
} from '../../../support/rounds.ts'
import { madeOf, standOf } from '../../../support/stand-of.ts'

const OUTCOMES = ['paid', 'reverted', 'nonce-taken', 'cancelled'] as const
type End = PaymentOutcome['is']

/** How the payment ended, by the journal. */
const ENDS: Readonly<Record<End, readonly PaymentBody[]>> = {
  paid: [INCLUDED, { type: 'ended', outcome: { is: 'paid' } }],
  cancelled: [INCLUDED, { type: 'ended', outcome: { is: 'cancelled' } }],
  reverted: [{ type: 'ended', outcome: { is: 'reverted', reason: 'no', feeWei: 1n } }],
  'nonce-taken': [{ type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } }],
}

const ended = (end: End): PaymentState => stateAfter(ENDS[end], { from: signedPayment() })
const remembered = (end: End): PaymentState => asRemembered(ended(end))

/** What an endpoint says now; `deposits` are told where they are asked. */
type SaidNow = Parameters<typeof answer>[1]
const NOWHERE: SaidNow = { latest: 6 }
const REPLACED: SaidNow = { latest: 6, notedIsGone: true }
const IN_BLOCK: SaidNow = { latest: 6, receipt: receipt(), finalizedNumber: 300n }
const REFUSED: SaidNow = { ...IN_BLOCK, receipt: receipt({ status: 'reverted' }) }
const ELSEWHERE: SaidNow = { ...IN_BLOCK, receipt: receipt({ hash: hash(9) }) }

type Verdict = 'upheld' | 'contradicted' | 'disputed' | 'silent' | 'none'

/** What a round says of the end; that it is contradicted is only known after five slots. */
function verdictOf({ told, events }: Decided): Verdict {
  if (told === undefined) return 'none'
  if (events.some(({ type }) => type === 'upheld')) return 'upheld'
  if (told.is === 'remembered-contradicted') return 'contradicted'
  return told.is === 'remembered-disputed' ? 'disputed' : 'silent'
}

describe('of an end that is remembered', () => {
  test.each<[string, End, SaidNow, PaymentReply['deposits'], Verdict]>([
    ['paid and in the block', 'paid', IN_BLOCK, [], 'upheld'],
    ['paid and forgotten', 'paid', NOWHERE, [], 'silent'],
    ['paid, and another block is at its height', 'paid', REPLACED, [], 'contradicted'],
    ['cancelled and forgotten', 'cancelled', NOWHERE, [], 'silent'],
    ['paid and refused', 'paid', REFUSED, [], 'contradicted'],
    [
      'paid and in another block',
      'paid',
      { ...IN_BLOCK, receipt: receipt({ blockHash: hash(3) }) },
      [],
      'contradicted',
    ],
    ['paid and its block is not final', 'paid', { ...IN_BLOCK, finalizedNumber: 223n }, [], 'contradicted'],
    ['paid and its block is just final', 'paid', { ...IN_BLOCK, finalizedNumber: 224n }, [], 'upheld'],
    ['refused and refused', 'reverted', REFUSED, [], 'upheld'],
    [
      'refused, in a block that is not final',
      'reverted',
      { ...REFUSED, finalizedNumber: 223n },
      [],
      'contradicted',
    ],
    ['refused and in a block', 'reverted', IN_BLOCK, [], 'contradicted'],
    ['refused and forgotten', 'reverted', NOWHERE, [], 'silent'],
    ['lost and its nonce is used', 'nonce-taken', NOWHERE, [], 'upheld'],
    ['lost and its nonce is unused', 'nonce-taken', { latest: 5 }, [], 'contradicted'],
    ['lost and in a block', 'nonce-taken', IN_BLOCK, [], 'contradicted'],
    ['lost and a deposit is it', 'nonce-taken', NOWHERE, [made()], 'contradicted'],
    ['lost and a deposit may be it', 'nonce-taken', NOWHERE, [made({ sender: undefined })], 'contradicted'],
    [
      'lost and a deposit is of somebody else',
      'nonce-taken',
      NOWHERE,
      [made({ sender: { from: address(9), nonce: 5 }, event: { amountGwei: 1n } })],
      'upheld',
    ],
    ['lost and a deposit was there before', 'nonce-taken', NOWHERE, [made({ block: 200n })], 'upheld'],
    ['cancelled and the cancellation is in the block', 'cancelled', IN_BLOCK, [], 'upheld'],
    ['cancelled and the payment is in a block', 'cancelled', ELSEWHERE, [], 'contradicted'],
  ])('%s', (_, end, said, deposits, verdict) => {
    const state = remembered(end)
    const parts = { deposits }
    const of = (...all: Parameters<typeof round>[0]) => verdictOf(decided(state, round(all), parts))
    expect(of(answer('one', said))).toBe(verdict)
    expect(of(answer('one', said), answer('two', said))).toBe(verdict)
    expect(of(answer('one', said), silent('two'))).toBe('silent')
    expect(of(answer('one', said), answer('two', { ...said, headIsRecent: false }))).toBe('silent')
    expect(of()).toBe('silent')
    const other = answer('two', { latest: 5, finalizedNumber: 300n, notedIsGone: true })
    if (verdict === 'upheld') expect(of(answer('one', said), other)).toBe('disputed')
    expect(of(other, silent('one'))).toBe('silent')
    expect(verdictOf(decided(ended(end), round([answer('one', said)]), parts))).toBe('none')
  })

  test('lost is not known without the deposits for the key, which no other end needs', () => {
    const one = round([answer('one', NOWHERE), answer('two', NOWHERE)])
    expect(decided(remembered('nonce-taken'), one).wanted).toEqual(['deposits'])
    const parts = { deposits: { one: [], two: 'unknown' } } as const
    expect(decided(remembered('nonce-taken'), one, parts).told).toEqual({
      is: 'remembered-silent',
      endpoints: ['two'],
    })
    for (const end of ['paid', 'reverted', 'cancelled'] as const)
      expect(decided(remembered(end), one).wanted).toEqual([])
  })

  test.each<[End, SaidNow, Decided['told']]>([
    ['paid', IN_BLOCK, { is: 'upheld', block: 224n, outcome: 'paid' }],
    ['cancelled', IN_BLOCK, { is: 'upheld', block: 224n, outcome: 'cancelled' }],
    ['reverted', REFUSED, { is: 'upheld', block: undefined, outcome: 'reverted' }],
    ['nonce-taken', NOWHERE, { is: 'upheld', block: undefined, outcome: 'nonce-taken' }],
  ])('as %s every endpoint says so: it is told, and proven', (end, said, told) => {
    const last = decided(remembered(end), round([answer('one', said), answer('two', said)]))
    expect(last).toMatchObject({ told, events: [{ type: 'upheld' }], broadcasts: [] })
    expect(last.after.payment).toEqual(ended(end).payment)
  })
})

describe('an end that every endpoint contradicts', () => {
  const said = [answer('one', REPLACED), answer('two', REPLACED)]
  const last = (...slots: number[]) => lastOf(remembered('paid'), said, { slots })

  test('is looked for again after five slots, and not before', () => {
    expect(last(0, 4)).toMatchObject({ events: [], after: { payment: { phase: 'ended' } } })
    expect(last(0, 5)).toMatchObject({
      told: { is: 'remembered-contradicted' },
      events: [{ type: 'contradicted' }],
      after: { payment: { phase: 'under-way' } },
    })
  })

  test.each<[string, Parameters<typeof round>[0]]>([
    ['is silent', [said[0] ?? silent('one'), silent('two')]],
    ['says otherwise', [said[0] ?? silent('one'), answer('two', IN_BLOCK)]],
  ])('is waited for anew where one endpoint %s meanwhile', (_, between) => {
    const before = decided(last(0, 3).after, round(between, { atSlot: 4 })).after
    expect(lastOf(before, said, { slots: [5, 9] }).events).toEqual([])
    expect(lastOf(before, said, { slots: [5, 10] }).events).toEqual([{ type: 'contradicted' }])
  })
})

describe.each(OUTCOMES)('a payment that is remembered as %s', (end) => {
  const state = remembered(end)

  test('is asked about, and nothing is begun anew on it', () => {
    expect(resumePayment(state, 'topup')[1]).toMatchObject([{ type: 'follow' }])
    expect(isAsked(state)).toBe(true)
    expect(mayReopen(state, 'topup')).toBe(false)
    expect(fits(state, { step: 'topup', type: 'reopened' })).toBe(false)
  })

  test('may be followed by another one once the chain has confirmed it', () => {
    const [upheld] = paymentTransition(state, { step: 'topup', type: 'upheld' })
    expect(upheld).toEqual(ended(end))
    expect(resumePayment(upheld, 'topup')[1]).toEqual([])
    expect(mayReopen(upheld, 'topup')).toBe(true)
    expect(mayReopen(upheld, 'deposit')).toBe(end !== 'paid')
  })

  test('is looked for again where the chain does not say so, and never begun anew', () => {
    const given = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: 'one' }, ...ENDS[end]], {
      from: signedPayment(),
    })
    const event = { step: 'topup', type: 'contradicted' } as const
    expect(fits(asRemembered(given), event)).toBe(true)
    expect(fits(given, event)).toBe(false)
    const [open] = paymentTransition(asRemembered(given), event)
    expect(standOf(open)).toBe('under-way')
    expect(madeOf(open)).toMatchObject({ hash: SIGNED.hash, included: undefined, attempts: 1 })
    expect(mayReopen(open, 'topup')).toBe(false)
    expect(paymentTransition(given, event)[0]).toEqual(open)
  })

  test('waits for no reply that was lost when the program was left', () => {
    const given = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: 'one' }, ...ENDS[end]], {
      from: signedPayment(),
    })
    const [resumed] = resumePayment(asRemembered(given), 'topup')
    const [open] = paymentTransition(resumed, { step: 'topup', type: 'contradicted' })
    expect(madeOf(open).handed).toMatchObject([{ endpoint: 'one', result: 'no-reply' }])
  })

  test('is a fact only where it is paid, and as a memory until the chain has said so', () => {
    expect(paymentFact(state)?.remembered).toBe(end === 'paid' ? true : undefined)
    expect(paymentFact(ended(end))).toEqual(
      end === 'paid' ? expect.not.objectContaining({ remembered: true }) : undefined,
    )
  })
})

describe('what is told of it', () => {
  test('names the first endpoint', () => {
    const { after } = decided(remembered('paid'), round([answer('one', IN_BLOCK), answer('two', NOWHERE)]))
    expect(after.tracking).toMatchObject({ status: 'known', source: 'one' })
  })

  test('names nobody where no endpoint was asked', () => {
    expect(decided(remembered('paid'), round([])).after.tracking).toMatchObject({ source: '' })
  })
})

describe('a payment that is found in a journal', () => {
  test.each([
    ['is watched, once it may have been signed', signedPayment()],
    ['is watched, once a wallet may sign it', exportedPayment()],
    ['is watched, where its end is remembered', remembered('paid')],
  ])('%s, wherever the user is', (_, state) => {
    expect(resumePayment(state, 'topup')[1]).toEqual([{ step: 'topup', type: 'follow', scope: 'always' }])
  })

  test('is asked for again where nobody can have signed it', () => {
    const [state, commands] = resumePayment(stateAfter([]), 'topup')
    expect([state.payment, commands]).toEqual([{ phase: 'open' }, []])
  })

  test('is exported again where a wallet was to sign it, and the chain contradicts its end', () => {
    const lost: PaymentBody = { type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } }
    const reopened = reopenedByChain(asRemembered(stateAfter([lost], { from: exportedPayment() })))
    expect(reopened.payment.phase).toBe('exported')
  })

  test('is left as it is where it has no end', () => {
    const state = signedPayment()
    expect(reopenedByChain(state)).toBe(state)
  })
})

describe('the fact of a payment', () => {
  const found = {
    type: 'found',
    from: SENDER,
    hash: hash(8),
    valueWei: 1n,
    nonce: 5,
    data: undefined,
  } as const
  const paidBy = (...bodies: readonly PaymentBody[]): PaymentBody[] => [
    ...bodies,
    { type: 'ended', outcome: { is: 'paid' } },
  ]

  test('is none before there is one', () => {
    expect(paymentFact(stateAfter([]))).toBeUndefined()
  })

  test('says who signed it', () => {
    const by = (state: PaymentState, ...bodies: readonly PaymentBody[]) =>
      paymentFact(stateAfter(paidBy(...bodies), { from: state }))
    const keystore = by(signedPayment(), INCLUDED)
    expect(keystore).not.toHaveProperty('external')
    expect(keystore).not.toHaveProperty('contract')
    const external = by(exportedPayment(), SIGNED, INCLUDED)
    expect(external).toMatchObject({ external: true })
    expect(external).not.toHaveProperty('contract')
    const contract = by(exportedPayment({ signer: 'contract' }), found, { ...INCLUDED, hash: found.hash })
    expect(contract).toMatchObject({ external: true, contract: true })
  })

  test('says what the block holds, of all that was signed for its nonce', () => {
    const state = signedPayment()
    const { payment } = state
    if (payment.phase !== 'under-way') throw new Error('it is signed')
    const transaction = { ...payment.draft.transaction, valueWei: 2n * PLAN.valueWei }
    const larger = { kind: 'rung', raw: '0x0203', hash: hash(2), transaction } as const
    const guarded = { ...state, payment: { ...payment, candidates: [...payment.candidates, larger] } }
    const paidIn = (included: Hex) =>
      paymentFact(stateAfter(paidBy({ ...INCLUDED, hash: included }), { from: guarded }))
    expect(paidIn(SIGNED.hash)).toMatchObject({ valueWei: PLAN.valueWei, nonce: NONCE })
    expect(paidIn(larger.hash)).toMatchObject({ valueWei: 2n * PLAN.valueWei, nonce: NONCE })
  })

  test('says what another signer paid, and what was asked for where the block names neither', () => {
    const elsewhere = { ...found, nonce: 6 }
    const paid = paidBy(elsewhere, { ...INCLUDED, hash: found.hash })
    expect(paymentFact(stateAfter(paid, { from: exportedPayment() }))).toMatchObject({
      valueWei: 1n,
      nonce: 6,
    })
    const unnamed = paidBy({ ...INCLUDED, hash: hash(9) })
    expect(paymentFact(stateAfter(unnamed, { from: signedPayment() }))).toMatchObject({
      valueWei: PLAN.valueWei,
      nonce: NONCE,
    })
  })
})
