import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { agreedPlan, liveOf, paymentBytes } from '../../../src/core/pay/payment/candidates.ts'
import type { PaymentPlan, PaymentState } from '../../../src/core/pay/payment/payment.ts'
import { collectFacts, isAllowed } from '../../../src/core/wizard/gates.ts'
import { type Event, initialState, type State } from '../../../src/core/wizard/state.ts'
import { standOf } from '../../support/stand-of.ts'
import { apply, durableOf, stateAfter, type Trace, traceOfRegistration } from '../../support/trace.ts'

let trace: Trace

beforeAll(async () => {
  trace = await traceOfRegistration()
})

type PayingStep = 'deposit' | 'topup'
const paymentOf = (state: State, step: PayingStep): PaymentState =>
  step === 'deposit' ? state.deposit : state.topup.send

/** The moment in which a payment was agreed to: the state before it and the plan. */
function consent(step: PayingStep): { before: State; plan: PaymentPlan } {
  const place = trace.events.findIndex((event) => event.step === step && event.type === 'agreed')
  const event = trace.events[place]
  if (event === undefined || !('plan' in event) || !('valueWei' in event.plan)) throw new Error('no consent')
  return { before: stateAfter(trace.events.slice(0, place), trace.setup), plan: event.plan }
}

const world = { about: 'unused-key' } as const
const confirmed = (step: PayingStep, plan: PaymentPlan): Event => ({ step, type: 'agreed', plan, world })
const allowed = (state: State, event: Event) => isAllowed(state, event, trace.setup)

describe.each(['deposit', 'topup'] as const)('consent to the %s', (step) => {
  test('counts for exactly the plan that the facts make', () => {
    const { before, plan } = consent(step)
    expect(allowed(before, confirmed(step, plan))).toBe(true)
  })

  test('counts for no other value, one wei or one gwei more or less', () => {
    const { before, plan } = consent(step)
    const others = [1n, -1n, 10n ** 9n, -(10n ** 9n), 10n ** 18n, -plan.valueWei].map(
      (by) => plan.valueWei + by,
    )
    // Of a top-up the amount is the user's own choice, so whole gwei within the limits are a plan of their own.
    const odd =
      step === 'deposit' ? others : others.filter((value) => value % 10n ** 9n !== 0n || value === 0n)
    for (const valueWei of odd) expect(allowed(before, confirmed(step, { ...plan, valueWei }))).toBe(false)
  })

  test('counts for no other receiver and no other calldata', () => {
    const { before, plan } = consent(step)
    const to = '0x4242424242424242424242424242424242424243' as const
    expect(allowed(before, confirmed(step, { ...plan, to }))).toBe(false)
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: plan.data.length - 1 }),
        fc.integer({ min: 1, max: 15 }),
        (at, by) => {
          const digit = (Number.parseInt(plan.data[at] ?? '0', 16) ^ by).toString(16)
          const data = `${plan.data.slice(0, at)}${digit}${plan.data.slice(at + 1)}` as PaymentPlan['data']
          expect(allowed(before, confirmed(step, { ...plan, data }))).toBe(false)
        },
      ),
    )
  })

  test('counts for nothing while the journal is not open', () => {
    const { before, plan } = consent(step)
    expect(allowed({ ...before, journal: { status: 'closed' } }, confirmed(step, plan))).toBe(false)
  })

  test('given again while the payment is open makes no second one', () => {
    const { before, plan } = consent(step)
    const after = apply(before, confirmed(step, plan), trace.setup)
    expect(apply(after, confirmed(step, plan), trace.setup)).toEqual(after)
  })
})

/** A way to take one proven fact out of a state. */
type Without = readonly [name: string, remove: (state: State) => State]

function unseen<K extends 'genesis' | 'identity' | 'sign' | 'confirm'>(part: K, key: string): Without {
  return [
    `${part}.${key}`,
    (state) => ({
      ...state,
      [part]: { ...state[part], observed: { ...state[part].observed, [key]: { status: 'unasked' } } },
    }),
  ]
}

const GENESIS = ['file', 'node', 'execution', 'engine', 'contract'].map((key) => unseen('genesis', key))
const [, withoutSignature] = unseen('confirm', 'signed')
const [, withoutAnchor] = unseen('confirm', 'anchor')
/** The last fact is had from the set's signature or from the execution chain: missing is what neither of them says. */
const CONFIRM: readonly Without[] = [
  ...['event', 'beacon', 'proofs'].map((key) => unseen('confirm', key)),
  ['the signed or anchored root', (state) => withoutAnchor(withoutSignature(state))],
]
const DEPOSIT_FINAL: Without = [
  'the final first deposit',
  (state) => {
    const { payment } = state.deposit
    if (payment.phase !== 'ended' || payment.outcome.is !== 'paid') throw new Error('nothing was paid')
    const { included } = payment.outcome
    const { draft, candidates, attempts, broadcasts } = payment
    const live = {
      draft,
      candidates,
      attempts,
      broadcasts,
      included,
      replacement: undefined,
      heldBack: undefined,
    }
    return { ...state, deposit: { ...state.deposit, payment: { phase: 'under-way', ...live } } }
  },
]

describe('with any fact missing nothing can be agreed to', () => {
  test.each([
    ...GENESIS,
    ...['home', 'key', 'engine', 'operator', 'beacon', 'node'].map((key) => unseen('identity', key)),
    ...['library', 'precompile'].map((key) => unseen('sign', key)),
  ])('the first deposit without %s', (_, remove) => {
    const { before, plan } = consent('deposit')
    expect(allowed(remove(before), confirmed('deposit', plan))).toBe(false)
  })

  test.each(GENESIS)('the top-up without %s', (_, remove) => {
    const { before, plan } = consent('topup')
    expect(allowed(remove(before), confirmed('topup', plan))).toBe(false)
  })

  test('the top-up in each of the 127 cases in which some of seven facts are missing', () => {
    const { before, plan } = consent('topup')
    const facts = [unseen('identity', 'key'), unseen('identity', 'home'), DEPOSIT_FINAL, ...CONFIRM]
    const masks = Array.from({ length: 2 ** facts.length - 1 }, (_, index) => index + 1)
    const open = masks.filter((mask) => {
      const missing = facts.filter((_, place) => (mask >> place) % 2 === 1)
      const state = missing.reduce((current, [, remove]) => remove(current), before)
      return allowed(state, confirmed('topup', plan))
    })
    expect(masks).toHaveLength(127)
    expect(open).toEqual([])
  })

  test('the top-up of a validator that is not proven: at any moment before the last proof', () => {
    const { plan } = consent('topup')
    let state = initialState
    for (const event of trace.events) {
      const ready = collectFacts(state, trace.setup).registration !== undefined
      expect(allowed(state, confirmed('topup', plan)) && !ready).toBe(false)
      state = apply(state, event, trace.setup)
    }
  })
})

describe('any order of events', () => {
  /** The real events, altered ones, and such as nobody should ever send. */
  function pool(): Event[] {
    const payers: readonly PayingStep[] = ['deposit', 'topup']
    const error = {
      code: 'x',
      shortMessage: 'x',
      details: [],
      nextSteps: [],
      retryable: true,
      money: 'unknown',
    } as const
    const money = payers.flatMap((step): Event[] => [
      { step, type: 'signed', raw: '0x02ff', hash: `0x${'ff'.repeat(32)}` },
      { step, type: 'handed-over', attempt: 7, endpoint: 'elsewhere' },
      {
        step,
        type: 'included',
        blockNumber: 1n,
        blockHash: `0x${'ee'.repeat(32)}`,
        feeWei: 1n,
        hash: `0x${'ff'.repeat(32)}`,
      },
      { step, type: 'orphaned' },
      { step, type: 'ended', outcome: { is: 'paid' } },
      { step, type: 'ended', outcome: { is: 'reverted', reason: 'no', feeWei: 1n } },
      { step, type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } },
      { step, type: 'abandoned' },
      { step, type: 'contradicted' },
      { step, type: 'held-back', reason: 'no' },
      { step, type: 'reopened' },
      { step, type: 'failed', error },
      { step, type: 'entered' },
    ])
    const unasked = trace.events.flatMap((event): Event[] =>
      event.type === 'observed' ? [{ ...event, observation: { status: 'unasked' } }] : [],
    )
    const words = trace.events.flatMap((event): Event[] => {
      if (event.step !== 'sign' || event.type !== 'signed') return []
      const signature = { ...event.signature, signature: `0x${'aa'.repeat(96)}` as const }
      return [
        { step: 'sign', type: 'dropped' },
        { ...event, signature },
      ]
    })
    return [
      ...words,
      ...words,
      ...trace.events,
      ...durableOf(trace.events),
      ...durableOf(trace.events),
      ...money,
      ...money,
      ...unasked,
    ]
  }

  function eachOrder(check: (before: State, event: Event, after: State) => void): void {
    const events = pool()
    const places = fc.array(fc.nat({ max: events.length - 1 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(fc.nat({ max: trace.events.length - 1 }), places, (length, order) => {
        let state = prefixes()[length] ?? initialState
        for (const place of order) {
          const event = events[place]
          if (event === undefined) continue
          const after = apply(state, event, trace.setup)
          check(state, event, after)
          state = after
        }
      }),
      { numRuns: 400 },
    )
  }

  let remembered: State[] | undefined
  function prefixes(): State[] {
    let state = initialState
    remembered ??= trace.events.map((event) => {
      state = apply(state, event, trace.setup)
      return state
    })
    return remembered
  }

  test('never puts other bytes in the place of bytes that may be on their way', () => {
    eachOrder((before, event, after) => {
      for (const step of ['deposit', 'topup'] as const) {
        const [was, is] = [paymentOf(before, step), paymentOf(after, step)]
        const [old, now] = [paymentBytes(was)?.raw, paymentBytes(is)?.raw]
        const live = liveOf(was)
        if (old === undefined || old === now || live === undefined) continue
        expect([event.step, event.type]).toEqual([step, 'reopened'])
        expect(live.heldBack !== undefined || live.attempts === 0).toBe(true)
      }
    })
  })

  test('never has a payment signed that was not agreed to, nor one that was prepared for another plan', () => {
    eachOrder((before, event, after) => {
      for (const step of ['deposit', 'topup'] as const) {
        const [was, is] = [paymentOf(before, step), paymentOf(after, step)]
        if (standOf(was) === standOf(is) || standOf(is) !== 'agreed') continue
        expect([event.step, event.type, standOf(was)]).toEqual([step, 'agreed', 'open'])
        const facts = collectFacts(before, trace.setup)
        expect(facts.genesis && facts.identity && facts.signature).toBeDefined()
        if (step === 'topup') expect(facts.registration).toBeDefined()
        if (step === 'deposit')
          expect(agreedPlan(is)?.valueWei).toBe((facts.signature?.amountGwei ?? 0n) * 10n ** 9n)
      }
    })
  })

  test('never changes the signed message of a deposit that was agreed to', () => {
    eachOrder((before, _, after) => {
      if (standOf(before.deposit) === 'open') return
      expect(after.sign.signature).toEqual(before.sign.signature)
    })
  })
})
