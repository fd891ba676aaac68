import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Setup } from '../../src/core/facts.ts'
import { tokens } from '../../src/core/format/amount.ts'
import { collectFacts } from '../../src/core/gates.ts'
import type { Event, State } from '../../src/core/state.ts'
import type { DeskEvent } from '../../src/core/steps/desk/desk.ts'
import type { Offer } from '../../src/core/steps/desk/offer.ts'
import { dearest, raised, replacementOf } from '../../src/core/steps/payment/candidates.ts'
import type { PayingStep, Replacement } from '../../src/core/steps/payment/payment.ts'
import { offerNow, viewOf } from '../../src/core/view-of.ts'
import { PANEL_START, panelAfter, type StepPanel } from '../../src/hooks/step-panel.ts'
import { withAnswer, withArrival, withPayment, withStake } from '../support/other-worlds.ts'
import { stateAfter, type Trace, traceOfRegistration } from '../support/trace.ts'

/** What a change makes of what was opened: another offer, one of which nobody knows, or the same one. */
type Makes = 'other' | 'unknown' | 'same'

type Change = { name: string; makes: Partial<Record<Story, Makes>>; of: (state: State, at: Place) => State }

type Story = 'first' | 'top-up' | 'speed-up' | 'cancellation'
type Place = { step: PayingStep; nth: number }

const PAID = tokens(270_000n)

const payments: Partial<Record<Story, Makes>> = { first: 'other', 'top-up': 'other' }
const unknowns: Partial<Record<Story, Makes>> = { first: 'unknown', 'top-up': 'unknown' }
const SAME: Record<Story, Makes> = {
  first: 'same',
  'top-up': 'same',
  'speed-up': 'same',
  cancellation: 'same',
}

const hashOf = (nth: number) => `0x${nth.toString(16).padStart(64, 'a')}` as const

const CHANGES: readonly Change[] = [
  {
    name: 'a payment by another hand is told',
    makes: { 'top-up': 'other', 'speed-up': 'other', cancellation: 'same', first: 'same' },
    of: (state, { nth }) => withArrival(state, { hash: hashOf(nth), block: 1n, amountGwei: PAID }),
  },
  {
    name: 'it is in the set',
    makes: { 'top-up': 'other', 'speed-up': 'other', cancellation: 'same' },
    of: (state) => withStake(state, PAID),
  },
  {
    name: 'a part of the stake is gone',
    makes: { 'top-up': 'other', 'speed-up': 'other', cancellation: 'same' },
    of: (state) => withStake(state, -1n),
  },
  {
    name: 'the account sends something else',
    makes: payments,
    of: (state, { step }) =>
      withAnswer(state, step, {
        key: 'nonce',
        change: ({ latest }) => ({ latest: latest + 1, pending: latest + 1 }),
      }),
  },
  {
    name: 'another account pays',
    makes: payments,
    of: (state, { step }) =>
      withAnswer(state, step, { key: 'sender', change: () => ({ address: `0x${'71'.repeat(20)}` }) }),
  },
  {
    name: 'a check refuses',
    makes: payments,
    of: (state, { step }) =>
      withAnswer(state, step, { key: 'key', change: (value) => ({ ...value, good: false }) }),
  },
  {
    name: 'the look at the key finds another deposit',
    makes: payments,
    of: (state, { step, nth }) =>
      withAnswer(state, step, {
        key: 'key',
        change: (value) => ({
          ...value,
          deposits: [...(value.deposits ?? []), { hash: hashOf(nth), amountGwei: PAID }],
        }),
      }),
  },
  {
    name: 'the fee passes its limit',
    makes: payments,
    of: (state, { step }) => withFee(state, step, (wei) => wei * 3n),
  },
  { name: 'the fee falls', makes: SAME, of: (state, { step }) => withFee(state, step, (wei) => wei - 1n) },
  {
    name: 'a check is asked again',
    makes: unknowns,
    of: (state, { step }) => withAnswer(state, step, { key: 'key', change: () => undefined }),
  },
  {
    name: 'nobody answers for the set',
    makes: { 'top-up': 'unknown', 'speed-up': 'unknown', cancellation: 'same' },
    of: (state) => ({ ...state, topup: { ...state.topup, snapshot: { status: 'asking' } } }),
  },
  {
    name: 'nobody tells the payments of others any more',
    makes: { 'top-up': 'unknown', 'speed-up': 'unknown', cancellation: 'same', first: 'same' },
    of: (state) => ({ ...state, topup: { ...state.topup, arrivalsHeard: 'failed' } }),
  },
  {
    name: 'another amount is proposed',
    makes: SAME,
    of: (state) => ({ ...state, topup: { ...state.topup, chosenGwei: tokens(300_000n) } }),
  },
  {
    name: 'a block holds it',
    makes: { 'speed-up': 'other', cancellation: 'other' },
    of: (state, { step }) =>
      withPayment(state, step, (payment) =>
        'included' in payment.payment
          ? {
              ...payment,
              payment: {
                ...payment.payment,
                included: { blockNumber: 9n, blockHash: hashOf(1), feeWei: 1n, hash: hashOf(2) },
              },
            }
          : payment,
      ),
  },
]

function withFee(state: State, step: PayingStep, change: (wei: bigint) => bigint): State {
  return withAnswer(state, step, {
    key: 'balance',
    change: (value) => {
      const { price } = value
      return { ...value, price: { ...price, maxFeePerGasWei: change(price.maxFeePerGasWei) } }
    },
  })
}

let trace: Trace
let starts: Record<Story, State>
let session: { facts(): ReturnType<typeof collectFacts>; setup: Setup }
let state: State

beforeAll(async () => {
  trace = await traceOfRegistration()
  const { events, setup } = trace
  session = { facts: () => collectFacts(state, setup), setup }
  const before = (step: PayingStep, type: string) =>
    stateAfter(
      events.slice(
        0,
        events.findIndex((event) => event.step === step && event.type === type),
      ),
      setup,
    )
  const chosen = before('topup', 'agreed')
  const stuck = withPayment(before('topup', 'included'), 'topup', (payment) => ({
    ...payment,
    watch: { ...payment.watch, isStuck: true },
  }))
  starts = {
    first: before('deposit', 'agreed'),
    'top-up': { ...chosen, topup: { ...chosen.topup, chosenGwei: PAID } },
    'speed-up': withQuote(stuck, 'speed-up'),
    cancellation: withQuote(stuck, 'cancellation'),
  }
})

function withQuote(stuck: State, kind: Replacement['kind']): State {
  return withPayment(stuck, 'topup', (payment) => {
    const fees = dearest(payment)
    const transaction = replacementOf(payment, kind, {
      maxFeePerGasWei: raised(fees.maxFeePerGasWei),
      maxPriorityFeePerGasWei: raised(fees.maxPriorityFeePerGasWei),
    })
    if (transaction === undefined) throw new Error('there is nothing to replace')
    const price = { status: 'known', source: '', atMs: 0, value: { transaction, limitWei: 1n } } as const
    return { ...payment, quote: { kind, price } }
  })
}

const view = () => viewOf(state.step, state, session)

type Act = { waitMs: number; change: number | undefined; back: boolean }
type Schedule = { story: Story; readMs: number; acts: readonly Act[]; enters: number; byLine: boolean }

const schedule: fc.Arbitrary<Schedule> = fc.record({
  story: fc.constantFrom<Story>('first', 'top-up', 'top-up', 'speed-up', 'cancellation'),
  readMs: fc.integer({ min: 900, max: 20_000 }),
  acts: fc.array(
    fc.record({
      waitMs: fc.oneof(fc.integer({ min: 31, max: 400 }), fc.integer({ min: 2_000, max: 60_000 })),
      change: fc.oneof(
        { weight: 1, arbitrary: fc.nat({ max: CHANGES.length - 1 }) },
        { weight: 11, arbitrary: fc.constant(undefined) },
      ),
      back: fc.oneof(
        { weight: 1, arbitrary: fc.constant(true) },
        { weight: 9, arbitrary: fc.constant(false) },
      ),
    }),
    { minLength: 24, maxLength: 24 },
  ),
  enters: fc.integer({ min: 1, max: 3 }),
  byLine: fc.boolean(),
})

type Seen = { sent: readonly Event[]; opened: readonly Event[]; is: Makes; wasRead: boolean; letters: string }

/** Plays a schedule on the panel as both desks do; what is known of the oracle is by the names of the changes alone. */
function play({ story, readMs, acts, enters, byLine }: Schedule): Seen {
  state = starts[story]
  const step: PayingStep = story === 'first' ? 'deposit' : 'topup'
  const sent: Event[] = []
  let nowMs = 50_000
  let panel: StepPanel = panelAfter(PANEL_START, { type: 'confirm', key: 'return', atMs: nowMs }, view())
  const { desk } = panel
  if (desk === undefined) throw new Error(`nothing can be opened for ${story}`)
  const openedAtMs = nowMs
  const does = desk.opened.does as readonly Event[]
  const isOther: boolean[] = []
  let gap: State | undefined
  const now = (offer: Offer) => offerNow(offer, step, state, session)
  const tell = (event: DeskEvent) => {
    panel = panelAfter(panel, { type: 'desk', event }, view())
    if (panel.desk?.stand.is !== 'sent') return
    sent.push(...does)
    panel = panelAfter(panel, { type: 'close' }, view())
  }
  const offer = desk.opened.offer
  nowMs += readMs
  const begunAtMs = nowMs
  const change = ({ change: nth, back }: Act, at: number) => {
    if (gap !== undefined && back) {
      state = gap
      gap = undefined
    }
    const found = nth === undefined ? undefined : CHANGES[nth]
    const makes = found?.makes[story]
    if (found === undefined || makes === undefined || gap !== undefined) return
    const before = state
    state = found.of(state, { step, nth: at + 1 })
    if (makes === 'unknown') gap = before
    isOther.push(makes === 'other')
    // The screens look with every frame; some changes come between two.
    if (at % 2 === 0) tell({ type: 'looked', now: now(offer) })
  }
  const word = desk.opened.typed
  for (const [at, letter] of [...word].entries()) {
    const act = acts[at % acts.length] as Act
    nowMs += act.waitMs
    change(act, at)
    if (!byLine)
      tell({ type: 'pressed', key: { kind: 'character', text: letter }, how: { nowMs }, now: now(offer) })
  }
  for (let press = 0; press < enters; press += 1) {
    nowMs += 200
    const act = acts[acts.length - 1 - press] as Act
    change(act, press)
    if (byLine) {
      const line = { text: word, begunAtMs, atOnce: false }
      tell({ type: 'line', line, how: { askedAtMs: openedAtMs }, now: now(offer) })
    } else tell({ type: 'pressed', key: { kind: 'enter' }, how: { nowMs }, now: now(offer) })
    if (sent.length > 0) break
  }
  const unlessOther = gap === undefined ? 'same' : 'unknown'
  const is = isOther.includes(true) ? 'other' : unlessOther
  return { sent, opened: does, is, wasRead: readMs >= 1000, letters: panel.desk?.word.text ?? '' }
}

describe('500 users who read, type, hesitate and press Enter while the world changes at any letter', () => {
  test('pay in the world that they read, or not at all', () => {
    const ends = { other: 0, unknown: 0, same: 0 }
    fc.assert(
      fc.property(schedule, (one) => {
        const { sent, opened, is, wasRead, letters } = play(one)
        ends[is] += 1
        if (is === 'other') expect([sent, letters]).toEqual([[], ''])
        else if (is === 'unknown') expect(sent).toEqual([])
        else if (wasRead) expect(sent).toEqual(opened)
      }),
      { numRuns: 500, seed: 25 },
    )
    // The schedules meet all three, each often.
    expect(Math.min(...Object.values(ends))).toBeGreaterThan(20)
  })

  test('and each change alone makes of every payment what it is known to make', () => {
    for (const story of ['first', 'top-up', 'speed-up', 'cancellation'] as const) {
      for (const [nth, { name, makes }] of CHANGES.entries()) {
        const wanted = makes[story]
        if (wanted === undefined) continue
        const quiet = { waitMs: 100, change: undefined, back: false }
        const acts = Array.from({ length: 24 }, (_, at) => (at === 1 ? { ...quiet, change: nth } : quiet))
        const { sent } = play({ story, readMs: 2_000, acts, enters: 1, byLine: false })
        expect([story, name, sent.length > 0 ? 'same' : 'not sent']).toEqual([
          story,
          name,
          wanted === 'same' ? 'same' : 'not sent',
        ])
      }
    }
  })
})
