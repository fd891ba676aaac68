import { beforeAll, describe, expect, test } from 'vitest'
import type { Setup } from '../../src/core/facts.ts'
import { collectFacts } from '../../src/core/gates.ts'
import type { State } from '../../src/core/state.ts'
import { confirmView } from '../../src/core/steps/confirm/view.ts'
import { depositView } from '../../src/core/steps/deposit/view.ts'
import { statusView } from '../../src/core/steps/status/view.ts'
import { topUpView } from '../../src/core/steps/topup/view.ts'
import { stateAfter, type Trace, traceOfRegistration } from '../support/trace.ts'
import { readMktx } from '../support/wallet-machine.ts'

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
    const unsent = stateBefore('deposit', 'confirmed')
    const deposit = depositView(unsent.deposit, collectFacts(unsent, trace.setup), trace.setup)
    const topUp = topUpView(state.topup, collectFacts(state, trace.setup), setup)
    const views = [deposit, confirmView(state.confirm, facts, setup), topUp]
    const commands = [...views, statusView(state.status, facts, setup)].flatMap((view) => view.commands)
    expect(commands.length).toBeGreaterThan(5)
    expect(commands.filter((text) => text.includes('hunter2'))).toEqual([])
  })

  test('top up only a validator that is proven', () => {
    const state = stateBefore('topup', 'confirmed')
    expect(topUpCommands(state)).toHaveLength(1)
    const anchor = { status: 'unasked' } as const
    const seen = { ...state.confirm.seen, anchor }
    expect(topUpCommands({ ...state, confirm: { ...state.confirm, seen } })).toEqual([])
  })

  test('pay with the number, the gas and the fees that would be used, so that twice is once', () => {
    const asked = stateBefore('deposit', 'confirmed')
    const [command = ''] = depositCommands(asked)
    const { nonce, chainId, gas, ...rest } = readMktx(command.replace(/--keystore '[^']+'/, '--ledger'))
    const made = trace.events.find((event) => event.step === 'deposit' && event.type === 'prepared')
    if (made?.type !== 'prepared') throw new Error('nothing was prepared')
    const { transaction } = made.prepared
    expect({ nonce, chainId, gas }).toEqual({
      nonce: transaction.nonce,
      chainId: transaction.chainId,
      gas: transaction.gasLimit,
    })
    expect(rest).toMatchObject({ to: transaction.to, value: transaction.valueWei, data: transaction.data })
    expect(rest.maxFeePerGas).toBeGreaterThan(rest.maxPriorityFeePerGas)
  })

  test('are none before everything was asked, or while an answer is bad', () => {
    for (const step of ['deposit', 'topup'] as const) {
      const asked = stateBefore(step, 'confirmed')
      const send = step === 'deposit' ? asked.deposit : asked.topup.send
      const commandsWith = (seen: typeof send.seen) =>
        step === 'deposit'
          ? depositCommands({ ...asked, deposit: { ...send, seen } })
          : topUpCommands({ ...asked, topup: { ...asked.topup, send: { ...send, seen } } })
      expect(commandsWith(send.seen)).toHaveLength(1)
      for (const key of ['funder', 'chain', 'balance', 'nonce', 'key', 'rule', 'dryRun'] as const)
        expect(commandsWith({ ...send.seen, [key]: { status: 'unasked' } })).toEqual([])
      const bad = { status: 'known', value: { latest: 1, pending: 2 }, source: '', atMs: 0 } as const
      expect(commandsWith({ ...send.seen, nonce: bad })).toEqual([])
    }
  })

  test('keep a path with a quotation mark in it one word of the shell', () => {
    const asked = stateBefore('deposit', 'confirmed')
    const setup = { ...trace.setup, keystore: "/tmp/ann's $(keys)" }
    const [command] = depositView(asked.deposit, collectFacts(asked, setup), setup).commands
    expect(command).toContain(` --keystore '/tmp/ann'\\''s $(keys)' 0x`)
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
    expect(command).toMatch(/ 0x0{40}$/)
  })
})
