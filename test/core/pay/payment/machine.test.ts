import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UnsignedTransaction } from '../../../../src/core/base/effects/effects.ts'
import { BaseError } from '../../../../src/core/base/errors/base.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import {
  bytesToBroadcast,
  candidatesOf,
  dearest,
  draftOf,
  hashesOf,
  initialPayment,
  liveOf,
  paymentBytes,
  raised,
  replacementOf,
  signedOf,
} from '../../../../src/core/pay/payment/candidates.ts'
import { paymentTransition } from '../../../../src/core/pay/payment/machine.ts'
import type {
  PayingStep,
  PaymentBody,
  PaymentCommand,
  PaymentEvent,
  PaymentState,
  Replacement,
  RoundMemory,
} from '../../../../src/core/pay/payment/payment.ts'
import { asRemembered, resumePayment } from '../../../../src/core/pay/payment/remembered.ts'
import { exportedOf, fits, PAYMENT_DURABLE } from '../../../../src/core/pay/payment/sign-again.ts'
import { paymentActions } from '../../../../src/core/pay/payment-view/actions.ts'
import { NOTES_TEXT, walletNotes } from '../../../../src/core/pay/payment-view/notes.ts'
import { PAYMENT_TEXT } from '../../../../src/core/pay/payment-view/text.ts'
import { paymentVerdict } from '../../../../src/core/pay/payment-view/view.ts'
import { errorFacts } from '../../../../src/core/view/observation.ts'
import { runsOf } from '../../../support/hard.ts'
import {
  address,
  draftWith,
  exportedPayment,
  hash,
  INCLUDED,
  NONCE,
  PLAN,
  preparing,
  replacementFor,
  SENDER,
  SIGNED,
  signedPayment,
  stateAfter,
  WORLD,
} from '../../../support/payments.ts'
import { madeOf, standOf } from '../../../support/stand-of.ts'

const ERROR = {
  code: 'x',
  shortMessage: 'x',
  details: [],
  nextSteps: [],
  retryable: true,
  money: 'unknown',
} as const

/** One thing that may happen; what depends on the state is made when its turn comes. */
type Turn = (state: PaymentState, count: number, step: PayingStep) => PaymentEvent | 'crash' | undefined

/** A replacement by the rules, and such as break one of them. */
function replacing(kind: Replacement['kind'], spoil: number): Turn {
  return (state, _, step) => {
    const before = dearest(state)
    const fees = {
      maxFeePerGasWei: raised(before.maxFeePerGasWei) - (spoil === 1 ? 1n : 0n),
      maxPriorityFeePerGasWei: raised(before.maxPriorityFeePerGasWei) - (spoil === 2 ? 1n : 0n),
    }
    const right = replacementOf(state, kind, fees)
    if (right === undefined) return undefined
    const spoiled: Partial<UnsignedTransaction>[] = [
      {},
      {},
      {},
      { nonce: right.nonce + 1 },
      { valueWei: right.valueWei + 1n },
      { to: address(9) },
      { data: '0x01' },
      { chainId: 1 },
      { gasLimit: right.gasLimit + 1n },
    ]
    const transaction = { ...right, ...spoiled[spoil] }
    return { step, type: 'replacing', replacement: { kind, transaction } }
  }
}

const of =
  (make: (step: PayingStep, count: number) => PaymentEvent): Turn =>
  (_, count, step) =>
    make(step, count)

const watched =
  (seen: Partial<RoundMemory>): Turn =>
  (state, _, step) => {
    const draft = draftOf(state)
    if (draft === undefined) return undefined
    return {
      step,
      type: 'watched',
      draft,
      memory: { ...state.memory, ...seen },
      tracking: { status: 'asking' },
    }
  }

/** What is told of a transaction that this state knows, or of any other. */
const included: Turn = (state, count, step) => {
  const known = hashesOf(state)
  const one = known[count % Math.max(1, known.length)] ?? hash(9)
  return { step, type: 'included', blockNumber: 9n, blockHash: hash(count % 3), feeWei: 1n, hash: one }
}

/** Nobody can sign a transaction of a contract account. */
const signed: Turn = (state, count, step) =>
  draftOf(state)?.signer === 'contract'
    ? undefined
    : { step, type: 'signed', raw: `0x02${count}`, hash: hash(count) }

const found: Turn = (state, count, step) => {
  const { transaction, from } = draftOf(state) ?? state.abandoned[0] ?? draftWith({ signer: 'external' })
  const nonce = count % 4 === 0 ? transaction.nonce + 1 : transaction.nonce
  return { step, type: 'found', from, nonce, hash: hash(1000 + count), valueWei: 1n, data: undefined }
}

const TURNS: readonly Turn[] = [
  of((step) => ({ step, type: 'agreed', plan: PLAN, world: WORLD })),
  of((step) => ({ step, type: 'agreed', plan: PLAN, world: WORLD })),
  ...[NONCE, NONCE + 1].flatMap((nonce) =>
    [address(1), address(2)].flatMap((from) =>
      (['external', 'keystore'] as const).map((signer) =>
        of((step) => ({ step, type: 'prepared', draft: draftWith({ nonce, from, signer }) })),
      ),
    ),
  ),
  of((step) => ({ step, type: 'prepared', draft: draftWith({ from: address(3), signer: 'contract' }) })),
  signed,
  signed,
  of((step, count) => ({ step, type: 'handed-over', attempt: count, endpoint: 'x' })),
  watched({ inMempool: true }),
  watched({ isStuck: true }),
  watched({ shown: { digest: hash(3) } }),
  of((step) => ({ step, type: 'abandoned' })),
  of((step) => ({ step, type: 'reopened' })),
  ...Array.from({ length: 4 }, () =>
    of((step, count) => ({ step, type: 'replaced', raw: `0x02${count}`, hash: hash(count) })),
  ),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((spoil) => [
    replacing('speed-up', spoil),
    replacing('cancellation', spoil),
  ]),
  replacing('speed-up', 0),
  replacing('cancellation', 0),
  found,
  included,
  included,
  of((step) => ({ step, type: 'orphaned' })),
  (state, _, step) => {
    const block = madeOf(state).included?.hash
    const isEmpty = candidatesOf(state).some((one) => one.kind === 'cancellation' && one.hash === block)
    return { step, type: 'ended', outcome: { is: isEmpty ? 'cancelled' : 'paid' } }
  },
  of((step) => ({ step, type: 'ended', outcome: { is: 'reverted', reason: 'no', feeWei: 1n } })),
  of((step) => ({ step, type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } })),
  of((step) => ({ step, type: 'upheld' })),
  of((step) => ({ step, type: 'contradicted' })),
  of((step) => ({ step, type: 'held-back', reason: 'no' })),
  of((step) => ({ step, type: 'failed', error: ERROR })),
  of((step) => ({ step, type: 'sending-again' })),
  of((step) => ({ step, type: 'signerChosen', external: true })),
  ...Array.from({ length: 4 }, (): Turn => () => 'crash'),
]

type Moment = {
  before: PaymentState
  event: PaymentEvent
  after: PaymentState
  commands: readonly PaymentCommand[]
}

/** What can happen now and changes something, so that a walk gets far. */
function possible(state: PaymentState, count: number, step: PayingStep): (PaymentEvent | 'crash')[] {
  return TURNS.flatMap((turn): (PaymentEvent | 'crash')[] => {
    const event = turn(state, count, step)
    if (event === undefined) return []
    if (event === 'crash') return [event]
    return fits(state, event) && paymentTransition(state, event)[0] !== state ? [event] : []
  })
}

/** Lets things happen in an order, through the gate of the phases; each crash is a resume. */
function live(step: PayingStep, order: readonly number[], look: (moment: Moment) => void = () => undefined) {
  let state = initialPayment
  const journal: PaymentEvent[] = []
  order.forEach((choice, count) => {
    const events = possible(state, count + 1, step)
    const event =
      choice % 5 === 0
        ? TURNS[choice % TURNS.length]?.(state, count + 1, step)
        : events[choice % events.length]
    if (event === 'crash') [state] = resumePayment(asRemembered(state), step)
    if (event === undefined || event === 'crash' || !fits(state, event)) return
    const [after, commands] = paymentTransition(state, event)
    if (PAYMENT_DURABLE.includes(event.type)) journal.push(event)
    look({ before: state, event, after, commands })
    state = after
  })
  return { state, journal }
}

const payer = fc.constantFrom<PayingStep>('deposit', 'topup')
const orders = fc.array(fc.nat({ max: 10 ** 6 }), { minLength: 10, maxLength: 50, size: 'max' })
const each = (check: (step: PayingStep, order: readonly number[]) => void) =>
  fc.assert(fc.property(payer, orders, check), { numRuns: runsOf({ suite: 200, hard: 1500 }) })

type Alive = { from: Hex; transaction: UnsignedTransaction }

/** Transactions that may be signed somewhere, as far as the state knows. */
function alive(state: PaymentState): Alive[] {
  const draft = draftOf(state)
  if (draft === undefined) return []
  const { from, signer } = draft
  const replacement = liveOf(state)?.replacement
  const exported = signer === 'keystore' ? [] : [draft.transaction]
  const pending = signer === 'external' && replacement !== undefined ? [replacement.transaction] : []
  const signed = signedOf(state).map(({ transaction }) => transaction)
  return [...exported, ...signed, ...pending].map((transaction) => ({ from, transaction }))
}

const samePayment = (a: UnsignedTransaction, b: UnsignedTransaction) =>
  a.to === b.to && a.valueWei === b.valueWei && a.data === b.data
const isEmptyTransfer = ({ from, transaction }: Alive) =>
  transaction.to === from && transaction.valueWei === 0n && transaction.data === '0x'

describe('in any order of events a payment', () => {
  test('has one nonce of one account for everything that may be signed', () => {
    each((step, order) => {
      const nonces = new Map<number, string>()
      live(step, order, ({ after }) => {
        if (liveOf(after) === undefined) return
        for (const { from, transaction } of alive(after)) {
          const nonce = `${from} ${transaction.nonce}`
          expect(nonces.get(after.ordinal) ?? nonce).toBe(nonce)
          nonces.set(after.ordinal, nonce)
        }
      })
    })
  })

  test('has no two payloads alive but dearer copies and empty transfers', () => {
    each((step, order) => {
      live(step, order, ({ after }) => {
        const [first, ...others] = alive(after)
        if (first === undefined) return
        for (const other of others)
          expect(samePayment(first.transaction, other.transaction) || isEmptyTransfer(other)).toBe(true)
      })
    })
  })

  test('never loses bytes that may be on their way, and never changes them', () => {
    each((step, order) => {
      live(step, order, ({ before, event, after }) => {
        const payment = liveOf(before)
        const bytes = paymentBytes(before)
        if (payment === undefined || bytes === undefined) return
        const isSetAside = ['reopened', 'abandoned'].includes(event.type)
        const neverLeft = payment.attempts === 0 && !before.memory.inMempool
        const isHeldBack = payment.heldBack !== undefined
        if (isSetAside) {
          expect(payment.included).toBeUndefined()
          expect(neverLeft || isHeldBack).toBe(true)
        }
        if (isSetAside && isHeldBack) expect(after.abandoned.at(-1)).toEqual(payment.draft)
        if (event.type === 'reopened') expect(payment.draft.signer).toBe('keystore')
        if (isSetAside) return
        expect(paymentBytes(after)).toEqual(bytes)
        expect(candidatesOf(after).slice(0, payment.candidates.length)).toEqual(payment.candidates)
      })
    })
  })

  test('keeps what was exported and abandoned in sight', () => {
    each((step, order) => {
      live(step, order, ({ before, event, after }) => {
        if (event.type === 'found') return
        expect(after.abandoned.slice(0, before.abandoned.length)).toEqual(before.abandoned)
        if (event.type === 'abandoned' && before.ordinal !== after.ordinal)
          expect(after.abandoned.at(-1)).toEqual(draftOf(before))
      })
    })
  })

  test('is signed by the keystore only once it is prepared, or agreed to be replaced', () => {
    each((step, order) => {
      live(step, order, ({ before, event, after, commands }) => {
        if (!commands.some(({ type }) => type === 'signTransaction')) return
        expect(['prepared', 'replacing']).toContain(event.type)
        expect(draftOf(after)?.signer).toBe('keystore')
        if (event.type === 'prepared') expect(paymentBytes(before)).toBeUndefined()
      })
    })
  })

  test('ends as cancelled or paid only with the block that was written down, as it was', () => {
    each((step, order) => {
      live(step, order, ({ before, after }) => {
        const stand = standOf(after)
        if (standOf(before) === stand || (stand !== 'cancelled' && stand !== 'paid')) return
        expect(liveOf(before)?.included).toBeDefined()
        expect(madeOf(after).included).toEqual(liveOf(before)?.included)
      })
    })
  })

  test('is found again by a replay of its journal as it was', () => {
    each((step, order) => {
      const { state, journal } = live(step, order)
      const replayed = journal.reduce((now, event) => paymentTransition(now, event)[0], initialPayment)
      expect(durablePart(resumePayment(replayed, step)[0])).toEqual(
        durablePart(resumePayment(state, step)[0]),
      )
    })
  })
})

describe('a payment that must not leave any more', () => {
  const HELD_BACK: PaymentBody = { type: 'held-back', reason: '270,000 BERA more arrived' }

  test('is no command on the screen any more, which says that a copy may be sent', () => {
    const state = stateAfter([HELD_BACK], { from: shown(exportedPayment()) })
    expect(exportedOf(state)).toBeUndefined()
    expect(walletNotes(state)).toEqual(NOTES_TEXT.heldBack('270,000 BERA more arrived'))
    expect(
      paymentActions(state, 'topup', { world: WORLD, deposits: [], isFollowed: true }).map(({ key }) => key),
    ).toEqual(['g', 'r'])
  })

  test('is cancelled, not sped up, and what is begun instead keeps it in sight', () => {
    const handedOver: PaymentBody = { type: 'handed-over', attempt: 1, endpoint: 'x' }
    const state = stateAfter([handedOver, HELD_BACK], { from: signedPayment() })
    const mayBe = (kind: Replacement['kind']) =>
      fits(state, { step: 'topup', type: 'replacing', replacement: replacementFor(state, kind) })
    expect([mayBe('speed-up'), mayBe('cancellation')]).toEqual([false, true])
    expect(fits(state, { step: 'topup', type: 'reopened' })).toBe(true)
    expect(stateAfter([{ type: 'reopened' }], { from: state })).toMatchObject({
      payment: { phase: 'open' },
      abandoned: [{ transaction: { nonce: NONCE } }],
    })
  })
})

test('while the keystore signs what speeds it up, a payment that is stuck is not offered that again', () => {
  const sent = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: 'x' }], { from: signedPayment() })
  const stuck = { ...sent, memory: { ...sent.memory, isStuck: true } }
  expect(
    paymentActions(stuck, 'topup', { world: WORLD, deposits: [], isFollowed: true }).map(({ key }) => key),
  ).toEqual(['b', 'x'])
  expect(paymentVerdict(stuck, { network: MAINNET }).text).toMatch(/^Stuck/)
  const replacement = replacementFor(stuck, 'speed-up')
  const signing = stateAfter([{ type: 'replacing', replacement }], { from: stuck })
  expect(paymentActions(signing, 'topup', { world: WORLD, deposits: [], isFollowed: true })).toEqual([])
  expect(paymentVerdict(signing, { network: MAINNET }).text).toBe(PAYMENT_TEXT.verdict.replacing)
  const after = stateAfter([{ type: 'replaced', raw: '0x0203', hash: hash(7) }], { from: signing })
  expect(paymentVerdict(after, { network: MAINNET }).text).toBe(PAYMENT_TEXT.verdict.signed)
})

test('an exported transaction that was said to be sent, and was not, can still be imported', () => {
  const found: PaymentBody = {
    type: 'found',
    from: SENDER,
    nonce: NONCE,
    hash: hash(8),
    valueWei: 1n,
    data: undefined,
  }
  const told = stateAfter([found], { from: shown(exportedPayment()) })
  expect(exportedOf(told)).toBeUndefined()
  const again = shown(told)
  expect(exportedOf(again)).toEqual(draftWith().transaction)
  expect(fits(again, { step: 'topup', ...SIGNED })).toBe(true)
  expect(hashesOf(stateAfter([SIGNED], { from: again }))).toEqual([hash(8), SIGNED.hash])
})

test('an empty line is no signed transaction, and no file of an empty name', () => {
  const state = shown(exportedPayment())
  const import_ = (text: string) => paymentTransition(state, { step: 'topup', type: 'imported', text })[1]
  expect(import_(' ')).toEqual([])
  expect(import_('0x02')).toMatchObject([{ type: 'import', text: '0x02' }])
})

test('bytes that no endpoint was given are not called sent, however long they wait', () => {
  const signed = stateAfter([...preparing(), SIGNED])
  const why = 'one must answer'
  const tracking = { status: 'known', value: { is: 'world-unknown', why }, atMs: 0, source: 'x' } as const
  const waits: PaymentState = { ...signed, tracking }
  const unsent = 'Signed, and not sent by this program yet: see what it waits for below.'
  expect(paymentVerdict(waits, { network: MAINNET })).toEqual({ mark: 'unknown', text: unsent })
  const long: PaymentState = { ...signed, memory: { ...signed.memory, isStuck: true } }
  expect(paymentVerdict(long, { network: MAINNET }).text).toBe(unsent)
  const given = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: 'e' }], { from: long })
  const stuck: PaymentState = { ...given, memory: { ...given.memory, isStuck: true } }
  expect(paymentVerdict(stuck, { network: MAINNET }).text).toBe(PAYMENT_TEXT.verdict.stuck)
})

test('while nobody answers, it is not said that there is nothing to do', () => {
  const sent = stateAfter([...preparing(), SIGNED, { type: 'handed-over', attempt: 0, endpoint: 'e' }])
  const error = errorFacts(
    new BaseError('client.unreachable', { short: 'The execution RPC does not answer.' }),
  )
  const tracking = { status: 'failed', error, atMs: 0, source: 'x' } as const
  expect(paymentVerdict({ ...sent, tracking }, { network: MAINNET })).toEqual({
    mark: 'unknown',
    text: PAYMENT_TEXT.verdict.unheard,
  })
})

/** A payment whose transaction may be shown. */
function shown(state: PaymentState): PaymentState {
  return { ...state, memory: { ...state.memory, shown: { digest: hash(3) } } }
}

/** What must outlive the process: replies and what a pool held are forgotten, and how it ended is only remembered. */
function durablePart(state: PaymentState) {
  const { payment, ordinal, abandoned, settled } = asRemembered(state)
  const broadcasts = madeOf(state).handed.map(({ endpoint, hash: bytes, times }) => ({
    endpoint,
    bytes,
    times,
  }))
  return { payment: { ...payment, broadcasts }, ordinal, abandoned, settled }
}

describe('an event that comes at the wrong time', () => {
  const given = { type: 'handed-over', attempt: 1, endpoint: 'x' } as const

  test('changes nothing and commands nothing', () => {
    const unsigned = exportedPayment()
    const cases: readonly (readonly [PaymentState, PaymentBody])[] = [
      [initialPayment, given],
      [initialPayment, { ...given, type: 'handed-again' }],
      [unsigned, { type: 'saveAsked' }],
      [unsigned, { type: 'quoteAsked', kind: 'speed-up' }],
      [signedPayment(), { type: 'quoteAsked', kind: 'cancellation' }],
    ]
    for (const [state, body] of cases)
      expect(paymentTransition(state, { step: 'topup', ...body })).toEqual([state, []])
  })

  test('gives to nobody what nobody signed', () => {
    const unsigned = exportedPayment()
    expect(paymentTransition(unsigned, { step: 'topup', ...given })[0].payment).toEqual(unsigned.payment)
  })
})

test('what is shown is saved, and its price asked for, once each may be', () => {
  const shown = exportedPayment()
  const withShown = { ...shown, memory: { ...shown.memory, shown: { digest: hash(3) } } }
  expect(paymentTransition(withShown, { step: 'topup', type: 'saveAsked' })[1]).toMatchObject([
    { step: 'topup', type: 'saveCommand' },
  ])
  const sent = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: 'x' }], { from: signedPayment() })
  expect(paymentTransition(sent, { step: 'topup', type: 'quoteAsked', kind: 'speed-up' })).toMatchObject([
    { quote: { kind: 'speed-up', price: { status: 'asking' } } },
    [{ step: 'topup', type: 'quote', kind: 'speed-up' }],
  ])
})

test('a wait goes on from when it began, however often it is noted', () => {
  const noted = (state: PaymentState, what: 'checks' | 'chain', sinceMs: number) =>
    paymentTransition(state, { step: 'topup', type: 'waiting', what, sinceMs })[0]
  const first = noted(initialPayment, 'checks', 5)
  expect(first.wait).toEqual({ what: 'checks', sinceMs: 5 })
  expect(noted(first, 'checks', 9)).toBe(first)
  expect(noted(first, 'chain', 9).wait).toEqual({ what: 'chain', sinceMs: 9 })
})

describe('the consent to cancel', () => {
  const given = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: 'one' }], { from: signedPayment() })
  const replacing = (kind: 'speed-up' | 'cancellation') =>
    ({ type: 'replacing', replacement: replacementFor(given, kind) }) as const
  const consented = stateAfter([replacing('cancellation')], { from: given })

  test('holds after a failure, a restart and a block that is orphaned', () => {
    const failed = { type: 'failed', error: ERROR } as const
    for (const bodies of [[], [failed], [INCLUDED, { type: 'orphaned' } as const]] as const) {
      const state = resumePayment(stateAfter(bodies, { from: consented }), 'topup')[0]
      expect(bytesToBroadcast(state)).toBeUndefined()
    }
  })

  test('ends with the signed cancellation, with the word that sends it again, and with a later word to speed it up', () => {
    const signed = stateAfter([{ type: 'replaced', raw: '0x02', hash: hash(2) }], { from: consented })
    expect(bytesToBroadcast(signed)?.kind).toBe('cancellation')
    for (const body of [{ type: 'sending-again' } as const, replacing('speed-up')])
      expect(bytesToBroadcast(stateAfter([body], { from: consented }))?.kind).toBe('payment')
  })

  test('takes no attempt as made that was not written down before it', () => {
    const again = { type: 'handed-again', attempt: 3, endpoint: 'one' } as const
    expect(stateAfter([again], { from: consented })).toEqual(consented)
  })
})
