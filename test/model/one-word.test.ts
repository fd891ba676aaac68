import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import type { DeskEvent } from '../../src/core/pay/desk/desk.ts'
import type { Offer } from '../../src/core/pay/desk/offer.ts'
import {
  dearest,
  draftOf,
  initialPayment,
  liveOf,
  newlyLive,
  raised,
  replacementOf,
} from '../../src/core/pay/payment/candidates.ts'
import type { PayingStep, Replacement } from '../../src/core/pay/payment/payment.ts'
import { collectFacts } from '../../src/core/wizard/gates.ts'
import type { Event, State } from '../../src/core/wizard/state.ts'
import { offerNow, viewOf } from '../../src/core/wizard/view-of.ts'
import { PANEL_START, panelAfter, type StepPanel } from '../../src/hooks/step-panel.ts'
import { withAnswer, withArrival, withPayment, withStake } from '../support/other-worlds.ts'
import { stateAfter, type Trace, traceOfRegistration } from '../support/trace.ts'

/** What a change makes of what was opened: another offer, one of which nobody knows, or the same one. */
type Makes = 'other' | 'unknown' | 'same'

type Change = { name: string; makes: Partial<Record<Story, Makes>>; of: (state: State, at: Place) => State }

const STORIES = ['first', 'rescue', 'top-up', 'speed-up', 'cancellation', 'set-aside'] as const
type Story = (typeof STORIES)[number]
type Place = { step: PayingStep; nth: number }

const PAID = tokens(270_000n)

const payments: Partial<Record<Story, Makes>> = { first: 'other', rescue: 'other', 'top-up': 'other' }
const unknowns: Partial<Record<Story, Makes>> = { first: 'unknown', rescue: 'unknown', 'top-up': 'unknown' }
const SAME: Partial<Record<Story, Makes>> = Object.fromEntries(STORIES.map((story) => [story, 'same']))
/** Nobody's payment for the key says whether a wallet has signed, and nothing may keep a cancellation. */
const TOLD: Partial<Record<Story, Makes>> = { ...SAME, 'top-up': 'other', 'speed-up': 'other' }

const hashOf = (nth: number) => `0x${nth.toString(16).padStart(64, 'a')}` as const

const CHANGES: readonly Change[] = [
  {
    name: 'a payment by another hand is told',
    makes: TOLD,
    of: (state, { nth }) => withArrival(state, { hash: hashOf(nth), block: 1n, amountGwei: PAID }),
  },
  {
    name: 'it is in the set',
    makes: TOLD,
    of: (state) => withStake(state, PAID),
  },
  {
    name: 'a part of the stake is gone',
    makes: TOLD,
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
    makes: { ...SAME, 'top-up': 'unknown', 'speed-up': 'unknown' },
    of: (state) => ({ ...state, topup: { ...state.topup, snapshot: { status: 'asking' } } }),
  },
  {
    name: 'nobody tells the payments of others any more',
    makes: { ...SAME, 'top-up': 'unknown', 'speed-up': 'unknown' },
    of: (state) => ({ ...state, topup: { ...state.topup, arrivalsRead: 'failed' } }),
  },
  {
    name: 'another amount is proposed',
    makes: SAME,
    of: (state) => ({ ...state, topup: { ...state.topup, chosenGwei: tokens(300_000n) } }),
  },
  {
    name: 'a block holds it',
    makes: { 'speed-up': 'other', cancellation: 'other', 'set-aside': 'other' },
    of: (state, { step }) =>
      withPayment(state, step, (payment) => {
        const live = liveOf(payment)
        const included = { blockNumber: 9n, blockHash: hashOf(1), feeWei: 1n, hash: hashOf(2) }
        return live === undefined ? payment : { ...payment, payment: { ...live, included } }
      }),
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
    memory: { ...payment.memory, isStuck: true },
  }))
  const first = before('deposit', 'agreed')
  const { signature, plan } = first.sign
  if (signature === undefined || plan === undefined) throw new Error('nothing was signed')
  const rescue = { ...first.sign, signature: { ...signature, rescue: true }, plan: { ...plan, rescue: true } }
  const exported = withPayment(stuck, 'topup', (payment) => {
    const draft = draftOf(payment)
    if (draft === undefined) throw new Error('nothing is under way')
    return { ...payment, payment: newlyLive({ ...draft, signer: 'external' }) }
  })
  starts = {
    first,
    rescue: { ...first, sign: rescue },
    'set-aside': exported,
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
type Schedule = {
  story: Story
  readMs: number
  acts: readonly Act[]
  enters: number
  byLine: boolean
  /** Before which letter of any word the program ends and begins again. */
  restartsAt?: number | undefined
}

const schedule: fc.Arbitrary<Schedule> = fc.record({
  story: fc.constantFrom<Story>(...STORIES, 'top-up'),
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
        { weight: 19, arbitrary: fc.constant(false) },
      ),
    }),
    { minLength: 24, maxLength: 24 },
  ),
  enters: fc.integer({ min: 1, max: 3 }),
  byLine: fc.boolean(),
  restartsAt: fc.oneof(
    { weight: 1, arbitrary: fc.nat({ max: 4 }) },
    { weight: 7, arbitrary: fc.constant(undefined) },
  ),
})

/** What a program that has just begun knows: its journal, and nothing of the chain. */
function restarted(before: State, step: PayingStep): State {
  const anew = withPayment(before, step, (payment) => ({
    ...payment,
    observed: initialPayment.observed,
    memory: initialPayment.memory,
    quote: undefined,
  }))
  return { ...anew, topup: { ...anew.topup, snapshot: { status: 'unasked' }, arrivalsRead: undefined } }
}

type Seen = { sent: readonly Event[]; opened: readonly Event[]; is: Makes; wasRead: boolean; letters: string }

/** The key that opens the action of a story. */
const keyOf = (story: Story) => (story === 'set-aside' ? 'g' : 'return')
const stepOf = (story: Story): PayingStep => (story === 'first' || story === 'rescue' ? 'deposit' : 'topup')

/** Plays a schedule on the panel as both desks do; what is known of the oracle is by the names of the changes alone. */
function play({ story, readMs, acts, enters, byLine, restartsAt }: Schedule): Seen {
  state = starts[story]
  const step = stepOf(story)
  const sent: Event[] = []
  let nowMs = 50_000
  let panel: StepPanel = panelAfter(PANEL_START, { type: 'confirm', key: keyOf(story), atMs: nowMs }, view())
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
    if (at === restartsAt) {
      panel = PANEL_START
      state = restarted(state, step)
      gap = undefined
    }
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
        if (one.restartsAt === undefined) ends[is] += 1
        // What was typed before a restart, and behind it without opening anything, is nobody's word.
        if (one.restartsAt !== undefined) expect([sent, letters]).toEqual([[], ''])
        else if (is === 'other') expect([sent, letters]).toEqual([[], ''])
        else if (is === 'unknown') expect(sent).toEqual([])
        else if (wasRead) expect(sent).toEqual(opened)
      }),
      { numRuns: 500, seed: 25 },
    )
    // The schedules meet all three, each often.
    expect(Math.min(...Object.values(ends))).toBeGreaterThan(20)
  })

  test('and each change alone makes of every payment what it is known to make', () => {
    for (const story of STORIES) {
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

  test('and after a restart nothing can be opened before the chain was asked, and then only what it says now', () => {
    for (const story of ['first', 'rescue', 'top-up'] as const) {
      const step = stepOf(story)
      const open = () => {
        const confirm = { type: 'confirm', key: keyOf(story), atMs: 0 } as const
        return panelAfter(PANEL_START, confirm, view()).desk
      }
      state = starts[story]
      const before = open()
      state = restarted(state, step)
      expect([story, open()]).toEqual([story, undefined])
      // The account has sent something else meanwhile: what is offered now is another payment, with a word of its own.
      const isNonce = ({ name }: Change) => name === 'the account sends something else'
      state = CHANGES.find(isNonce)?.of(starts[story], { step, nth: 1 }) ?? state
      const [was, is] = [before, open()].map((desk) => {
        const [agreed] = (desk?.opened.does ?? []) as readonly Event[]
        return agreed?.type === 'agreed' ? agreed.terms?.nonce : undefined
      })
      expect([story, is]).toEqual([story, (was ?? Number.NaN) + 1])
    }
  })
})
