import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Setup } from '../../src/core/facts.ts'
import { collectFacts } from '../../src/core/gates.ts'
import type { State } from '../../src/core/state.ts'
import { confirmView } from '../../src/core/steps/confirm/view.ts'
import { depositView } from '../../src/core/steps/deposit/view.ts'
import { genesisView } from '../../src/core/steps/genesis/view.ts'
import { identityView } from '../../src/core/steps/identity/view.ts'
import { signView } from '../../src/core/steps/sign/view.ts'
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

const UNASKED = { status: 'unasked' } as const

/** What a real shell makes of a command. */
function wordsInShell(command: string): string[] {
  const programs = ['beacond', 'bearings', 'cast', 'curl']
  const script = programs.map((name) => `${name}() { printf '%s\\0' "$@"; }\n`).join('')
  const input = `mktemp() { echo /tmp/none; }\n${script}${command}\n`
  return execFileSync('/bin/sh', ['-s'], { input, encoding: 'utf8' }).split('\0').slice(0, -1)
}

describe('the commands that are shown', () => {
  test('hold no key or password of an endpoint', () => {
    const secret = 'https://ann:hunter2@node.example/v2/hunter2?key=hunter2'
    const endpoints = { execution: secret, node: secret, engine: secret, secondExecution: secret }
    const setup: Setup = { ...trace.setup, endpoints }
    const state = stateBefore('topup', 'agreed')
    const facts = collectFacts(state, setup)
    const unsent = stateBefore('deposit', 'agreed')
    const deposit = depositView(unsent.deposit, collectFacts(unsent, trace.setup), trace.setup)
    const topUp = topUpView(state.topup, collectFacts(state, trace.setup), setup)
    const views = [deposit, confirmView(state.confirm, facts, setup), topUp]
    const commands = [...views, statusView(state.status, facts, setup, { isPaidUp: false })].flatMap(
      (view) => view.commands,
    )
    expect(commands.length).toBeGreaterThan(5)
    expect(commands.filter((text) => text.includes('hunter2'))).toEqual([])
  })

  test('top up only a validator that is proven', () => {
    const state = stateBefore('topup', 'agreed')
    expect(topUpCommands(state)).toHaveLength(1)
    const anchor = { status: 'unasked' } as const
    const seen = { ...state.confirm.seen, anchor }
    expect(topUpCommands({ ...state, confirm: { ...state.confirm, seen } })).toEqual([])
  })

  test('pay with the number, the gas and the fees that would be used, so that twice is once', () => {
    const asked = stateBefore('deposit', 'agreed')
    const [command = ''] = depositCommands(asked)
    const { nonce, chainId, gas, ...rest } = readMktx(command)
    const made = trace.events.find((event) => event.step === 'deposit' && event.type === 'prepared')
    if (made?.type !== 'prepared') throw new Error('nothing was prepared')
    const { transaction } = made.draft
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
      const asked = stateBefore(step, 'agreed')
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

  test.each(["/home/o'brien", '/home/ann/a b $(id)', '/home/jürgen', '/home/two\nlines', '~', '-n'])(
    'keep a path one word of the shell, and themselves one line: %j',
    (path) => {
      const setup: Setup = { ...trace.setup, homePath: path, keystore: path }
      const state = stateBefore('deposit', 'agreed')
      const facts = collectFacts(state, setup)
      const views = [
        genesisView({ ...state.genesis, seen: { ...state.genesis.seen, place: UNASKED } }, setup),
        identityView(state.identity, { status: 'open' }, setup),
        signView(state.sign, setup),
        depositView(state.deposit, facts, setup),
        statusView(state.status, facts, setup, { isPaidUp: false }),
      ]
      const commands = views.flatMap((view) => view.commands)
      expect(commands.filter((command) => !/^[\x20-\x7e]+$/.test(command))).toEqual([])
      const found = commands.flatMap(wordsInShell)
      const homes = found.filter((_, at) => found[at - 1] === '--home' && !found[at]?.startsWith('/tmp/'))
      expect(homes).toEqual([path, path, path, path])
      expect(found).toContain(`${path}/config/genesis.json`)
      expect(found[found.indexOf('--keystore') + 1]).toBe(path)
    },
  )

  test('pay nothing beside a payment that is under way', () => {
    expect(depositCommands(stateBefore('deposit', 'agreed'))).toHaveLength(1)
    expect(depositCommands(stateBefore('deposit', 'handed-over'))).toEqual([])
    expect(topUpCommands(stateBefore('topup', 'handed-over'))).toEqual([])
  })

  test('name no operator where a burnt key is rescued', () => {
    const state = stateBefore('deposit', 'agreed')
    const facts = collectFacts(state, trace.setup)
    if (facts.signature === undefined) throw new Error('nothing was signed')
    const rescue = { ...facts, signature: { ...facts.signature, rescue: true } }
    const [command] = depositView(state.deposit, rescue, trace.setup).commands
    expect(command).toMatch(/ 0x0{40}$/)
  })
})
