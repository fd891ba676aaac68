import { beforeAll, describe, expect, test } from 'vitest'
import type { Setup } from '../../src/core/facts.ts'
import { collectFacts } from '../../src/core/gates.ts'
import type { State } from '../../src/core/state.ts'
import { confirmView } from '../../src/core/steps/confirm/view.ts'
import { depositView } from '../../src/core/steps/deposit/view.ts'
import { statusView } from '../../src/core/steps/status/view.ts'
import { topUpView } from '../../src/core/steps/topup/view.ts'
import { stateAfter, type Trace, traceOfRegistration } from '../support/trace.ts'

let trace: Trace

beforeAll(async () => {
  trace = await traceOfRegistration()
})

/** The state before the first event of this kind. */
function stateBefore(step: 'deposit' | 'topup', type: string): State {
  const place = trace.events.findIndex((event) => event.step === step && event.type === type)
  return stateAfter(trace.events.slice(0, place), trace.setup)
}

const topUpCommands = (state: State) =>
  topUpView(state.topup, collectFacts(state, trace.setup), trace.setup).commands

const depositCommands = (state: State) =>
  depositView(state.deposit, collectFacts(state, trace.setup), trace.setup).commands

describe('the commands that are shown', () => {
  test('hold no key or password of an endpoint', () => {
    const secret = 'https://ann:hunter2@node.example/v2/hunter2?key=hunter2'
    const endpoints = { execution: secret, node: secret, engine: secret, secondExecution: secret }
    const setup: Setup = { ...trace.setup, endpoints }
    const state = stateBefore('topup', 'confirmed')
    const facts = collectFacts(state, setup)
    const deposit = depositView(stateBefore('deposit', 'confirmed').deposit, facts, setup)
    const topUp = topUpView(state.topup, collectFacts(state, trace.setup), setup)
    const views = [deposit, confirmView(state.confirm, facts, setup), topUp]
    const commands = [...views, statusView(state.status, facts, setup)].flatMap((view) => view.commands)
    expect(commands.length).toBeGreaterThan(6)
    expect(commands.filter((text) => text.includes('hunter2'))).toEqual([])
  })

  test('top up only a validator that is proven', () => {
    const state = stateBefore('topup', 'confirmed')
    expect(topUpCommands(state)).toHaveLength(1)
    const anchor = { status: 'unasked' } as const
    const seen = { ...state.confirm.seen, anchor }
    expect(topUpCommands({ ...state, confirm: { ...state.confirm, seen } })).toEqual([])
  })

  test('pay nothing beside a payment that is under way', () => {
    expect(depositCommands(stateBefore('deposit', 'confirmed'))).toHaveLength(1)
    expect(depositCommands(stateBefore('deposit', 'sending'))).toEqual([])
    expect(topUpCommands(stateBefore('topup', 'sending'))).toEqual([])
  })

  test('name no operator where a burnt key is rescued', () => {
    const state = stateBefore('deposit', 'confirmed')
    const facts = collectFacts(state, trace.setup)
    if (facts.signature === undefined) throw new Error('nothing was signed')
    const rescue = { ...facts, signature: { ...facts.signature, rescue: true } }
    const [command] = depositView(state.deposit, rescue, trace.setup).commands
    expect(command).toContain(` 0x${'00'.repeat(20)} --value `)
  })
})
