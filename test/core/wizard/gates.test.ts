import { beforeAll, describe, expect, test } from 'vitest'
import { known } from '../../../src/core/view/observation.ts'
import { STEP_IDS, type StepId } from '../../../src/core/view/view.ts'
import { collectFacts, isAllowed, isDone } from '../../../src/core/wizard/gates.ts'
import { type Event, initialState, isDurable, type State } from '../../../src/core/wizard/state.ts'
import { apply, stateAfter, type Trace, traceOfRegistration } from '../../support/trace.ts'

let trace: Trace
/** The state before the first event of a type in a step. */
let stateBefore: (step: Event['step'], type: string) => State
let last: State
beforeAll(async () => {
  trace = await traceOfRegistration()
  const { events, setup } = trace
  stateBefore = (step, type) => {
    const place = events.findIndex((event) => event.step === step && event.type === type)
    if (place === -1) throw new Error(`nothing was ${type} in ${step}`)
    return stateAfter(events.slice(0, place), setup)
  }
  last = stateAfter(events, setup)
})

const facts = (state: State) => collectFacts(state, trace.setup)
const allowed = (state: State, event: Event) => isAllowed(state, event, trace.setup)
const done = (state: State) => STEP_IDS.filter((step) => isDone(state, step, trace.setup))
const open = (state: State): StepId[] =>
  STEP_IDS.filter((to) => allowed(state, { step: 'session', type: 'went', to }))
const OTHER = `0x${'ab'.repeat(20)}` as const
const OTHER_CREDENTIALS = `0x01${'00'.repeat(11)}${'ab'.repeat(20)}` as const

/** A registered validator with this journal’s key, as somebody else made it. */
function foreign(state: State): { state: State; adopts: Event } {
  const { observed } = state.identity
  const beacon = {
    index: 7,
    withdrawalCredentials: OTHER_CREDENTIALS,
    exiting: false,
    provenSlot: 9n,
  }
  const at = { status: 'known', source: 'test', atMs: 0 } as const
  const identity = {
    ...state.identity,
    observed: {
      ...observed,
      beacon: { ...at, value: { ...known(observed.beacon), ...beacon } },
      operator: { ...at, value: { ...known(observed.operator), operator: OTHER } },
    },
  } as State['identity']
  const adopts = {
    step: 'identity',
    type: 'adopted',
    index: 7,
    withdrawalCredentials: OTHER_CREDENTIALS,
    operator: OTHER,
    withdrawalAddress: OTHER,
  } as Event
  return { state: { ...state, identity }, adopts }
}

function adoptedIn(state: State): State {
  const adopted = {
    index: 7,
    withdrawalCredentials: OTHER_CREDENTIALS,
    operator: OTHER,
    withdrawalAddress: OTHER,
  } as const
  return { ...state, identity: { ...state.identity, adopted } }
}

describe('along one registration', () => {
  test('each step is settled by what settles it, in their order, and opens the next one', () => {
    const turns: string[] = []
    let state = initialState
    let was = ''
    for (const event of [undefined, ...trace.events]) {
      if (event !== undefined) state = apply(state, event, trace.setup)
      const now = `${done(state).join(' ')} | ${open(state).join(' ')}`
      if (now === was) continue
      was = now
      turns.push(`${event === undefined ? '' : `${event.step} ${event.type}`}: ${now}`)
    }
    const [genesis, identity, sign, deposit, confirm] = STEP_IDS
    const upTo = (count: number) => STEP_IDS.slice(0, count).join(' ')
    const opened = (count: number) => [upTo(count), ...(count > 4 ? ['status'] : [])].join(' ')
    expect([genesis, identity, sign, deposit, confirm]).toHaveLength(5)
    expect(turns.map((turn) => turn.replace(/^[^:]*: /, ''))).toEqual([
      `${upTo(0)} | ${upTo(1)}`,
      `${upTo(1)} | ${upTo(2)}`,
      `${upTo(2)} | ${upTo(3)}`,
      `${upTo(3)} | ${upTo(4)}`,
      `${upTo(4)} | ${opened(5)}`,
      `${upTo(5)} | ${opened(6)}`,
      `${upTo(6)} | ${opened(6)}`,
      `${upTo(7)} | ${opened(6)}`,
    ])
    const told = turns.map((turn) => turn.split(':')[0])
    expect(told).toEqual([
      '',
      'genesis observed',
      'identity observed',
      'sign observed',
      'deposit ended',
      'confirm observed',
      'topup ended',
      'status observed',
    ])
  })

  test('from the status a key to a step that is not open yet leads to the one that keeps it shut', () => {
    const paid = stateBefore('confirm', 'observed')
    expect(facts(paid).registration).toBeUndefined()
    expect(facts(paid).deposit).toBeDefined()
    const went = (state: State, to: StepId) =>
      apply(state, { step: 'session', type: 'went', to }, trace.setup)
    const status = went(paid, 'status')
    expect(status.step).toBe('status')
    expect(went(status, 'topup').step).toBe('confirm')
    expect(went(status, 'deposit').step).toBe('deposit')
    expect(allowed({ ...paid, step: 'confirm' }, { step: 'session', type: 'went', to: 'topup' })).toBe(false)
    expect(went({ ...last, step: 'status' }, 'topup').step).toBe('topup')
    expect(went({ ...initialState, step: 'status' }, 'topup').step).toBe('genesis')
  })

  test('every decision was allowed at its moment, and none of them while the journal is not open', () => {
    let state = initialState
    let decisions = 0
    for (const event of trace.events) {
      expect(allowed(state, event)).toBe(true)
      if (isDurable(event)) {
        decisions += 1
        expect(allowed({ ...state, journal: { status: 'closed' } }, event)).toBe(false)
      }
      state = apply(state, event, trace.setup)
    }
    expect(decisions).toBeGreaterThan(8)
  })

  test('no payment is agreed to twice', () => {
    for (const step of ['deposit', 'topup'] as const) {
      const agreed = trace.events.find((event) => event.step === step && event.type === 'agreed') as Event
      expect(allowed(stateBefore(step, 'agreed'), agreed)).toBe(true)
      for (const type of ['prepared', 'signed', 'included', 'ended'])
        expect(allowed(stateBefore(step, type), agreed)).toBe(false)
    }
  })

  test('another key is typed only while no journal is open', () => {
    const typed = { step: 'identity', type: 'keyTyped', text: '' } as Event
    expect(allowed(initialState, typed)).toBe(true)
    expect(allowed(last, typed)).toBe(false)
    expect(allowed({ ...last, journal: { status: 'closed' } }, typed)).toBe(true)
  })
})

describe('the facts', () => {
  test('name the nonces of both payments, those of the paid top-ups by their hashes', () => {
    const { deposit, topup, nonces } = facts(last)
    expect(deposit).toBeDefined()
    expect(nonces).toMatchObject([
      { step: 'deposit', use: 'used', nonce: deposit?.nonce, from: deposit?.from },
      { step: 'topup', use: 'used', nonce: topup?.nonce, from: topup?.from },
      { step: 'topup', use: 'used', nonce: topup?.nonce, from: topup?.from, hash: topup?.hash },
    ])
  })

  test('have the last of several top-ups', () => {
    const [one] = last.topup.finished
    if (one === undefined) throw new Error('no top-up')
    const two = { ...one, nonce: one.nonce + 1 }
    const state = { ...last, topup: { ...last.topup, finished: [one, two] } }
    expect(facts(state).topup).toEqual(two)
    const first = stateBefore('topup', 'agreed')
    expect(facts(first)).not.toHaveProperty('topup')
  })

  test('have nothing of what is not proven yet', () => {
    expect(facts(initialState)).toStrictEqual({ nonces: [] })
    expect(Object.keys(facts(stateBefore('deposit', 'agreed'))).toSorted()).toEqual([
      'genesis',
      'identity',
      'nonces',
      'signature',
    ])
    expect(Object.keys(facts(last)).toSorted()).toEqual([
      'deposit',
      'genesis',
      'identity',
      'nonces',
      'registration',
      'signature',
      'topup',
      'validator',
    ])
  })

  test('have the signature where the verifiers agree, or a payment was begun with it', () => {
    const unverified = (state: State): State => ({
      ...state,
      sign: { ...state.sign, observed: initialState.sign.observed },
    })
    const state = stateBefore('deposit', 'agreed')
    expect(facts(state).signature).toEqual(state.sign.signature)
    expect(facts(unverified(state))).not.toHaveProperty('signature')
    expect(facts(unverified(last)).signature).toEqual(last.sign.signature)
    const unsigned: State = { ...last, sign: { ...last.sign, signature: undefined } }
    expect(facts(unsigned).signature).toBeUndefined()
  })

  test('have the key by its file alone once a payment is begun, or a validator was adopted', () => {
    const { observed } = initialState.identity
    const blind = (state: State): State => ({
      ...state,
      identity: {
        ...state.identity,
        observed: { ...observed, home: state.identity.observed.home, key: state.identity.observed.key },
      },
    })
    const unbegun = stateBefore('deposit', 'agreed')
    expect(facts(unbegun).identity).toBeDefined()
    expect(facts(blind(unbegun))).not.toHaveProperty('identity')
    expect(facts(blind(adoptedIn(unbegun))).identity).toEqual(facts(unbegun).identity)
    expect(facts(blind(last)).identity).toEqual(facts(unbegun).identity)
  })

  test('have no key but that of the open journal', () => {
    const { journal } = last
    if (journal.status !== 'open') throw new Error('no journal')
    const header = { ...journal.header, pubkey: `0x${'99'.repeat(48)}` as const }
    expect(facts({ ...last, journal: { ...journal, header } })).not.toHaveProperty('identity')
    expect(facts({ ...last, journal: { status: 'closed' } }).identity).toEqual(facts(last).identity)
    const unnamed = { ...initialState, journal }
    expect(facts(unnamed)).not.toHaveProperty('identity')
  })

  test('have the terms of the validator as it was paid, and as it was adopted before that', () => {
    const { signature } = last.sign
    expect(facts(last).validator).toEqual({
      withdrawalCredentials: signature?.withdrawalCredentials,
      operator: signature?.operator,
      leastBalanceGwei: signature?.amountGwei,
      origin: 'registered-here',
    })
    expect(facts(stateBefore('deposit', 'ended'))).not.toHaveProperty('validator')
    const unsigned: State = { ...last, sign: { ...last.sign, signature: undefined } }
    expect(facts(unsigned)).not.toHaveProperty('validator')
    expect(facts(adoptedIn(last)).validator).toEqual({
      withdrawalCredentials: OTHER_CREDENTIALS,
      operator: OTHER,
      leastBalanceGwei: 0n,
      origin: 'adopted',
    })
  })
})

describe('a validator that somebody else registered', () => {
  test('is adopted as the endpoints show it', () => {
    const { state, adopts } = foreign(stateBefore('sign', 'planned'))
    expect(allowed(state, adopts)).toBe(true)
    expect(allowed(state, { ...adopts, operator: `0x${'cd'.repeat(20)}` } as Event)).toBe(false)
    expect(allowed(stateBefore('sign', 'planned'), adopts)).toBe(false)
    expect(allowed({ ...state, genesis: initialState.genesis }, adopts)).toBe(false)
  })

  test('is not adopted while a payment of this journal is under way', () => {
    const remembered = (state: State['deposit']): State['deposit'] => {
      const { payment } = state
      return payment.phase === 'ended' ? { ...state, payment: { ...payment, remembered: true } } : state
    }
    const { state, adopts } = foreign(last)
    expect(allowed(state, adopts)).toBe(true)
    expect(allowed({ ...state, deposit: remembered(state.deposit) }, adopts)).toBe(false)
    const { topup } = state
    expect(allowed({ ...state, topup: { ...topup, send: remembered(topup.send) } }, adopts)).toBe(false)
    for (const type of ['prepared', 'signed', 'included'] as const) {
      const moment = foreign(stateBefore('topup', type))
      expect(allowed(moment.state, moment.adopts)).toBe(false)
    }
    const unbegun = foreign(stateBefore('topup', 'agreed'))
    expect(allowed(unbegun.state, unbegun.adopts)).toBe(true)
  })

  test('is neither signed for nor first paid here', () => {
    const planned = trace.events.find((event) => event.step === 'sign' && event.type === 'planned') as Event
    const signed = trace.events.find((event) => event.step === 'sign' && event.type === 'signed') as Event
    const agreed = trace.events.find((event) => event.step === 'deposit' && event.type === 'agreed') as Event
    expect(allowed(adoptedIn(stateBefore('sign', 'planned')), planned)).toBe(false)
    expect(allowed(adoptedIn(stateBefore('sign', 'signed')), signed)).toBe(false)
    expect(allowed(adoptedIn(stateBefore('deposit', 'agreed')), agreed)).toBe(false)
    const { deposit } = last
    const { payment } = deposit
    if (payment.phase !== 'ended') throw new Error('it has not ended')
    const lost = { ...payment, outcome: { is: 'nonce-taken', otherDeposit: undefined } } as const
    const reopened = { step: 'deposit', type: 'reopened' } as Event
    const state: State = { ...last, deposit: { ...deposit, payment: lost } }
    expect(allowed(state, reopened)).toBe(true)
    expect(allowed(adoptedIn(state), reopened)).toBe(false)
    // What is of the payment before the adoption goes on, and so does the top-up.
    const ended = trace.events.find((event) => event.step === 'deposit' && event.type === 'ended') as Event
    expect(allowed(adoptedIn(stateBefore('deposit', 'ended')), ended)).toBe(true)
    expect(allowed(adoptedIn(last), { step: 'topup', type: 'reopened' })).toBe(true)
  })

  test('needs no step that was done elsewhere', () => {
    const state = adoptedIn(stateBefore('sign', 'planned'))
    expect(done(state)).toEqual(['genesis', 'identity', 'sign', 'deposit'])
  })
})

describe('a plan and its signature', () => {
  type Planned = Extract<Event, { step: 'sign'; type: 'planned' }>
  type Signed = Extract<Event, { step: 'sign'; type: 'signed' }>
  const planned = () =>
    trace.events.find((event): event is Planned => event.step === 'sign' && event.type === 'planned')
  const signed = () =>
    trace.events.find((event): event is Signed => event.step === 'sign' && event.type === 'signed')

  test('need every fact before them, and no payment that was begun with another one', () => {
    const event = planned()
    if (event === undefined) throw new Error('nothing was planned')
    const state = stateBefore('sign', 'planned')
    expect(allowed(state, event)).toBe(true)
    expect(allowed({ ...state, genesis: initialState.genesis }, event)).toBe(false)
    expect(allowed({ ...state, identity: initialState.identity }, event)).toBe(false)
    expect(allowed(stateBefore('deposit', 'prepared'), event)).toBe(false)
    expect(allowed(stateBefore('deposit', 'agreed'), event)).toBe(true)
  })

  test('are of a rescue exactly where the key is to be rescued', () => {
    const event = planned()
    if (event === undefined) throw new Error('nothing was planned')
    const state = stateBefore('sign', 'planned')
    const { observed } = state.identity
    const operator = {
      status: 'known',
      source: 'test',
      atMs: 0,
      value: { operator: OTHER, blockNumber: 1n },
    } as const
    const rescuing = {
      ...state,
      identity: { ...state.identity, rescue: OTHER, observed: { ...observed, operator } },
    } as State
    expect(facts(rescuing).identity?.rescueOperator).toBe(OTHER)
    const rescue = { ...event, plan: { ...event.plan, rescue: true } }
    expect([allowed(state, rescue), allowed(rescuing, rescue)]).toEqual([false, true])
    expect([allowed(state, event), allowed(rescuing, event)]).toEqual([true, false])
  })

  test('are signed elsewhere where the key lies elsewhere', () => {
    const event = planned()
    if (event === undefined) throw new Error('nothing was planned')
    const state = stateBefore('sign', 'planned')
    const elsewhere = { ...event, plan: { ...event.plan, elsewhere: true as const } }
    const { identity } = facts(state)
    const home = known(state.identity.observed.home)
    if (identity === undefined || home === undefined) throw new Error('there is no key')
    const { pubkey, uncompressedPubkey, address } = identity
    const at = { status: 'known', source: 'test', atMs: 0 } as const
    const away = {
      ...state,
      identity: {
        ...state.identity,
        typedKey: { pubkey, uncompressedPubkey, address },
        observed: {
          ...state.identity.observed,
          home: { ...at, value: { ...home, remoteSigner: 'tcp://127.0.0.1:26659' } },
          key: { status: 'unasked' },
        },
      },
    } as State
    expect(facts(away).identity?.key).toEqual({ kind: 'elsewhere' })
    expect([allowed(away, event), allowed(away, elsewhere)]).toEqual([false, true])
    expect(allowed(state, elsewhere)).toBe(true)
  })

  test('fit each other', () => {
    const event = signed()
    if (event === undefined) throw new Error('nothing was signed')
    const state = stateBefore('sign', 'signed')
    expect(allowed(state, event)).toBe(true)
    const { plan } = state.sign
    if (plan === undefined) throw new Error('nothing was planned')
    expect(allowed({ ...state, sign: { ...state.sign, plan: undefined } }, event)).toBe(false)
    const other = { ...plan, amountGwei: plan.amountGwei + 1n }
    expect(allowed({ ...state, sign: { ...state.sign, plan: other } }, event)).toBe(false)
    expect(allowed(state, { step: 'sign', type: 'dropped' })).toBe(true)
  })
})

describe('a top-up', () => {
  test('is not agreed to while the first deposit is asked about', () => {
    const agreed = trace.events.find((event) => event.step === 'topup' && event.type === 'agreed') as Event
    const state = stateBefore('topup', 'agreed')
    const { payment } = state.deposit
    if (payment.phase !== 'ended') throw new Error('the first deposit has not ended')
    const asked: State = {
      ...state,
      deposit: { ...state.deposit, payment: { ...payment, remembered: true } },
    }
    expect([allowed(state, agreed), allowed(asked, agreed)]).toEqual([true, false])
  })

  test('is not needed where the set as it is proven has the place already', () => {
    const isSettled = (state: State) => isDone(state, 'topup', trace.setup)
    const unpaid = stateBefore('topup', 'agreed')
    expect(isSettled(unpaid)).toBe(false)
    const { snapshot } = last.topup
    const active: State = { ...unpaid, topup: { ...unpaid.topup, snapshot } }
    expect(isSettled(active)).toBe(true)
    const none: State = { ...active, topup: { ...active.topup, snapshot: { status: 'unasked' } } }
    expect(isSettled(none)).toBe(false)
  })
})
