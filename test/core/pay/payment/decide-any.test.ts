import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MadeDeposit } from '../../../../src/core/chain/deposit/event.ts'
import type { CheckResult } from '../../../../src/core/pay/gate/facts.ts'
import {
  broadcastTo,
  candidatesOf,
  draftOf,
  hashesOf,
  initialPayment,
  liveOf,
  newestBytes,
} from '../../../../src/core/pay/payment/candidates.ts'
import { decide } from '../../../../src/core/pay/payment/decide.ts'
import { paymentTransition } from '../../../../src/core/pay/payment/machine.ts'
import type {
  EndedBy,
  PaymentBody,
  PaymentEvent,
  PaymentState,
} from '../../../../src/core/pay/payment/payment.ts'
import { THRESHOLDS } from '../../../../src/core/pay/payment/payment-picture.ts'
import { asRemembered } from '../../../../src/core/pay/payment/remembered.ts'
import {
  type Broadcast,
  isReply,
  nonceAt,
  type PaymentReply,
  type ReplyOrError,
  type Round,
  type RoundPart,
} from '../../../../src/core/pay/payment/round.ts'
import { fits } from '../../../../src/core/pay/payment/sign-again.ts'
import { runsOf } from '../../../support/hard.ts'
import {
  address,
  exportedPayment,
  hash,
  INCLUDED,
  NONCE,
  preparing,
  replacementFor,
  SENDER,
  SIGNED,
  signedPayment,
  stateAfter,
} from '../../../support/payments.ts'
import {
  answer,
  applied,
  givenTo,
  made,
  receipt,
  SLOT_MS,
  START_MS,
  silent,
  withPart,
} from '../../../support/rounds.ts'

const HASHES = { 'speed-up': hash(2), cancellation: hash(3) } as const
const replaced = (state: PaymentState, kind: 'speed-up' | 'cancellation'): PaymentState =>
  applied(state, [
    { type: 'replacing', replacement: replacementFor(state, kind) },
    { type: 'replaced', raw: '0x0202', hash: HASHES[kind] },
  ])
const replacing = (state: PaymentState, kind: 'speed-up' | 'cancellation'): PaymentState =>
  applied(state, [{ type: 'replacing', replacement: replacementFor(state, kind) }])

const ABANDONED = stateAfter([{ type: 'abandoned' }], { from: exportedPayment() })
const GIVEN = givenTo(signedPayment(), 'one', 'two')
const IMPORTED = applied(exportedPayment(), [SIGNED])
const IN_A_BLOCK = applied(GIVEN, [INCLUDED])
const HELD_BACK: PaymentBody = { type: 'held-back', reason: 'more arrived' }
const ends: readonly EndedBy[] = [
  { is: 'paid' },
  { is: 'cancelled' },
  { is: 'reverted', reason: 'no', feeWei: 1n },
  { is: 'nonce-taken', otherDeposit: undefined },
]

/** Where a payment may stand when the first round comes. */
const STATES: readonly PaymentState[] = [
  stateAfter(preparing()),
  signedPayment(),
  signedPayment({ world: undefined }),
  GIVEN,
  IN_A_BLOCK,
  applied(GIVEN, [HELD_BACK]),
  replaced(GIVEN, 'speed-up'),
  replaced(GIVEN, 'cancellation'),
  replaced(applied(GIVEN, [HELD_BACK]), 'cancellation'),
  replaced(replaced(GIVEN, 'speed-up'), 'cancellation'),
  exportedPayment(),
  exportedPayment({ world: undefined }),
  exportedPayment({ signer: 'contract' }),
  IMPORTED,
  replacing(IMPORTED, 'speed-up'),
  replacing(IMPORTED, 'cancellation'),
  stateAfter([...preparing(), SIGNED], { from: ABANDONED }),
  stateAfter([...preparing({ nonce: NONCE + 1 }), SIGNED], { from: ABANDONED }),
  stateAfter(preparing({ signer: 'external', from: address(2) }), { from: ABANDONED }),
  stateAfter(preparing({ signer: 'contract', from: address(3) }), { from: ABANDONED }),
  ...ends.map((outcome) => asRemembered(applied(IN_A_BLOCK, [{ type: 'ended', outcome }]))),
]

const DEPOSITS: readonly MadeDeposit[] = [
  made(),
  made({ hash: undefined }),
  made({ sender: undefined }),
  made({ hash: hash(9), sender: { from: SENDER, nonce: NONCE + 1 } }),
  made({ hash: hash(10), sender: { from: address(2), nonce: NONCE } }),
  made({ hash: hash(6), sender: { from: address(9), nonce: 1 }, event: { amountGwei: 1n } }),
  made({ hash: hash(11), block: 200n }),
]

/** What one endpoint will say; a receipt is of one of the hashes that are known by then. */
const sayings = fc.record({
  isSilent: fc.oneof(
    { weight: 5, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  which: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(3) }),
  isRefused: fc.boolean(),
  blockHash: fc.constantFrom(INCLUDED.blockHash, hash(225)),
  knows: fc.boolean(),
  latest: fc.integer({ min: NONCE - 1, max: NONCE + 2 }),
  waiting: fc.constantFrom(0, 0, 1, 2),
  headIsRecent: fc.constantFrom(true, true, false),
  finalizedNumber: fc.constantFrom(224n, 224n, 223n, -1n),
  notedIsGone: fc.boolean(),
  deposits: fc.oneof(fc.constant('unknown' as const), fc.constant([]), fc.subarray([...DEPOSITS])),
})
type Saying = typeof sayings extends fc.Arbitrary<infer T> ? T : never

const judgements = fc.constantFrom<CheckResult>(
  { good: true, words: '' },
  { good: true, words: '' },
  { good: false, words: 'no' },
  { good: false, unknown: true, words: '?' },
)

/** A round to come. `repeats`: how often in a row every endpoint says the same. */
const turns = fc.record({
  slots: fc.integer({ min: 0, max: 12 }),
  repeats: fc.integer({ min: 1, max: 3 }),
  said: fc.tuple(sayings, sayings),
  isAlike: fc.boolean(),
  gateAgeMs: fc.option(fc.constantFrom(0, 120_000, 120_001), { nil: undefined }),
  keyChecks: fc.array(judgements, { minLength: 1, maxLength: 2 }),
  accountHeld: fc.boolean(),
})
type Turn = typeof turns extends fc.Arbitrary<infer T> ? T : never

const scenes = fc.record({
  start: fc.nat(STATES.length - 1),
  endpoints: fc.constantFrom(1, 2, 2),
  turns: fc.array(turns, { minLength: 1, maxLength: 8 }),
})
type Scene = typeof scenes extends fc.Arbitrary<infer T> ? T : never

function saidBy(endpoint: string, saying: Saying, state: PaymentState): ReplyOrError {
  if (saying.isSilent) return silent(endpoint)
  const { which, isRefused, blockHash, knows, latest, waiting, headIsRecent, finalizedNumber, notedIsGone } =
    saying
  const hashes = hashesOf(state)
  const transactionHash = which === undefined ? undefined : hashes[which % Math.max(1, hashes.length)]
  const nonces = [SENDER, address(2)].map((one) => ({ address: one, latest, pending: latest + waiting }))
  return answer(endpoint, {
    nonces,
    headIsRecent,
    finalizedNumber,
    notedIsGone,
    knows: knows && newestBytes(state) !== undefined,
    receipt:
      transactionHash === undefined
        ? undefined
        : receipt({ hash: transactionHash, blockHash, status: isRefused ? 'reverted' : 'success' }),
  })
}

/** One round with all that was decided on it. */
type Moment = {
  before: PaymentState
  round: Round
  wanted: readonly RoundPart[]
  events: readonly PaymentBody[]
  broadcasts: readonly Broadcast[]
  after: PaymentState
}

/** Plays a scene; looks at each round once all was asked that was wanted for it. */
function play({ start, endpoints, turns: all }: Scene, look: (moment: Moment) => void): void {
  let state = STATES[start] ?? initialPayment
  let atMs = START_MS
  for (const turn of all) {
    for (let at = 0; at < turn.repeats; at += 1) {
      atMs += turn.slots * SLOT_MS
      const moment = roundOf(state, turn, { endpoints, atMs })
      look(moment)
      state = moment.after
    }
  }
}

function roundOf(
  before: PaymentState,
  turn: Turn,
  { endpoints, atMs }: { endpoints: number; atMs: number },
): Moment {
  const [first, other] = turn.said
  const sayingsOf = endpoints === 1 ? [first] : [first, turn.isAlike ? first : other]
  const names = ['one', 'two']
  let round: Round = {
    atMs,
    slotMs: SLOT_MS,
    byEndpoint: sayingsOf.map((saying, at) => saidBy(names[at] ?? '', saying, before)),
    gateOpenAtMs: turn.gateAgeMs === undefined ? undefined : atMs - turn.gateAgeMs,
    keyChecks: undefined,
    toExport: undefined,
    reason: undefined,
  }
  const parts = {
    deposits: Object.fromEntries(sayingsOf.map(({ deposits }, at) => [names[at] ?? '', deposits])),
    keyChecks: turn.keyChecks,
    toExport: { accountHeld: turn.accountHeld, digest: hash(77) },
  }
  const wanted: RoundPart[] = []
  for (;;) {
    const decision = decide(before, round)
    expect(decide(before, structuredClone(round))).toEqual(decision)
    if (!('wants' in decision)) {
      const { events, broadcasts } = decision
      return { before, round, wanted, events, broadcasts, after: applied(before, events) }
    }
    expect(wanted).not.toContain(decision.wants)
    wanted.push(decision.wants)
    round = withPart(round, decision.wants, parts)
  }
}

const each = (look: (moment: Moment) => void) =>
  fc.assert(
    fc.property(scenes, (scene) => play(scene, look)),
    { numRuns: runsOf({ suite: 200, hard: 20_000 }) },
  )

const endOf = ({ events }: Moment): EndedBy | undefined =>
  events.flatMap((event) => (event.type === 'ended' ? [event.outcome] : []))[0]

/** What every endpoint has in a block; undefined where one is silent or has nothing. */
const receiptsOf = ({ byEndpoint }: Round) =>
  byEndpoint.map((one) =>
    isReply(one) && one.receipt !== undefined ? { ...one, receipt: one.receipt } : undefined,
  )

describe('whatever the endpoints say', () => {
  test('a round is decided without a throw, the same each time, and asks for nothing twice', () => {
    each(({ wanted, round }) => {
      expect(wanted.length).toBeLessThanOrEqual(4)
      expect(new Set(wanted).size).toBe(wanted.length)
      expect(round.byEndpoint.length).toBeGreaterThan(0)
    })
  })

  test('every event fits the payment at the moment when it is told', () => {
    each(({ before, events }) => {
      let state = before
      for (const body of events) {
        const event = { step: 'topup', ...body } as PaymentEvent
        expect({ event, fits: fits(state, event) }).toEqual({ event, fits: true })
        ;[state] = paymentTransition(state, event)
      }
    })
  })

  test('a payment does not leave for the first time while an endpoint is silent and no gate excuses it', () => {
    each(({ before, round, broadcasts }) => {
      const isSilent = round.byEndpoint.some((one) => !isReply(one))
      const isExcused =
        round.gateOpenAtMs !== undefined && round.atMs - round.gateOpenAtMs <= THRESHOLDS.gateHoldsMs
      if (!isSilent || isExcused) return
      for (const { bytes } of broadcasts.filter((one) => one.bytes.kind !== 'cancellation')) {
        const { recheckedAtMs } = before.memory
        const isGiven = round.byEndpoint.some(
          ({ endpoint }) => (broadcastTo(before, endpoint, bytes.hash)?.times ?? 0) > 0,
        )
        expect(isGiven).toBe(true)
        expect(round.atMs - (recheckedAtMs ?? 0)).toBeLessThan(THRESHOLDS.look * SLOT_MS)
      }
    })
  })

  test('nothing leaves that is held back, or was agreed to without a world, but a cancellation', () => {
    each((moment) => {
      const { before, broadcasts, after } = moment
      const live = liveOf(before)
      for (const { bytes } of broadcasts) {
        expect(bytes).toEqual(newestBytes(before))
        if (bytes.kind === 'cancellation') continue
        expect(live?.heldBack).toBeUndefined()
        expect(live?.draft.agreement.world).toBeDefined()
        expect(liveOf(after)?.heldBack).toBeUndefined()
      }
    })
  })

  test('what leaves is written down before, once for each endpoint', () => {
    each(({ before, events, broadcasts }) => {
      const told = events.flatMap((event) =>
        event.type === 'handed-over' || event.type === 'handed-again'
          ? [[event.endpoint, event.attempt]]
          : [],
      )
      expect(broadcasts.map(({ endpoint, attempt }) => [endpoint, attempt])).toEqual(told)
      expect(new Set(broadcasts.map(({ endpoint }) => endpoint)).size).toBe(broadcasts.length)
      const attempts = liveOf(before)?.attempts ?? 0
      expect(broadcasts.map(({ attempt }) => attempt)).toEqual(broadcasts.map((_, at) => attempts + 1 + at))
    })
  })

  test('nothing ends while an endpoint is silent', () => {
    each((moment) => {
      if (endOf(moment) === undefined) return
      expect(moment.round.byEndpoint.every(isReply)).toBe(true)
      expect(moment.events.at(-1)?.type).toBe('ended')
      expect(moment.broadcasts).toEqual([])
    })
  })

  test('paid, cancelled and refused is what every endpoint has, in the same final block', () => {
    each((moment) => {
      const end = endOf(moment)
      if (end === undefined || end.is === 'nonce-taken') return
      const receipts = receiptsOf(moment.round)
      const [first] = receipts
      const status = end.is === 'reverted' ? 'reverted' : 'success'
      for (const one of receipts) {
        expect(one?.receipt).toEqual({ ...first?.receipt, status })
        expect(one?.finalizedNumber).toBeGreaterThanOrEqual(one?.receipt.blockNumber ?? 0n)
      }
      if (end.is === 'reverted') return
      const ended = candidatesOf(moment.before).find((one) => one.hash === first?.receipt.hash)
      expect(ended?.kind === 'cancellation').toBe(end.is === 'cancelled')
      const { payment } = moment.after
      expect(payment).toMatchObject({
        phase: 'ended',
        outcome: {
          is: end.is,
          included: { hash: first?.receipt.hash, blockHash: first?.receipt.blockHash },
        },
      })
    })
  })

  test('a nonce is taken only where every endpoint says so, has no receipt, and tells all deposits', () => {
    each((moment) => {
      const draft = draftOf(moment.before)
      if (endOf(moment)?.is !== 'nonce-taken' || draft === undefined) return
      for (const one of moment.round.byEndpoint as readonly PaymentReply[]) {
        expect(nonceAt(one, draft.from).latest).toBeGreaterThan(draft.transaction.nonce)
        expect(one).toMatchObject({ receipt: undefined, knows: false, deposits: expect.any(Array) })
      }
    })
  })

  test('what is exported is shown only where every endpoint answered and no deposit for the key is there', () => {
    each(({ before, round, after }) => {
      if (before.memory.shown !== undefined || after.memory.shown === undefined) return
      // A cancellation is always shown.
      if (liveOf(after)?.replacement?.kind === 'cancellation') return
      for (const one of round.byEndpoint) expect(one).toMatchObject({ deposits: expect.any(Array) })
      const deposits = round.byEndpoint.flatMap((one) =>
        isReply(one) && Array.isArray(one.deposits) ? one.deposits : [],
      )
      expect(deposits.filter(({ block }) => block > 200n)).toEqual([])
    })
  })
})
