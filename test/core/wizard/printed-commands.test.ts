import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { calledWord, readArguments } from '../../../src/commands/read-arguments.ts'
import { COMMAND_NAMES, commandNamed, WIZARD } from '../../../src/commands/table.ts'
import { networkChoice } from '../../../src/compose/network-choice.ts'
import { wizardCommand } from '../../../src/compose/own-command.ts'
import { nextText } from '../../../src/core/base/format/next.ts'
import type { Setup } from '../../../src/core/chain/facts.ts'
import { confirmView } from '../../../src/core/steps/confirm/view.ts'
import { depositView } from '../../../src/core/steps/deposit/view.ts'
import { genesisView } from '../../../src/core/steps/genesis/view.ts'
import { identityView } from '../../../src/core/steps/identity/view.ts'
import { signView } from '../../../src/core/steps/sign/view.ts'
import { statusView } from '../../../src/core/steps/status/view.ts'
import { topUpView } from '../../../src/core/steps/topup/view.ts'
import { collectFacts } from '../../../src/core/wizard/gates.ts'
import { BEGIN, NETWORKS, SCENARIOS, underWayOffer } from '../../../src/core/wizard/launch/start-view.ts'
import type { State } from '../../../src/core/wizard/state.ts'
import { textsOf } from '../../support/texts.ts'
import { stateAfter, type Trace, traceOfRegistration } from '../../support/trace.ts'
import { readMktx } from '../../support/wallet-machine.ts'

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
  const programs = ['beacond', 'bearings', 'cast', 'curl', 'node']
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
    const unasked = { status: 'unasked' } as const
    const observation = { ...state.confirm.observed, signed: unasked, anchor: unasked }
    expect(topUpCommands({ ...state, confirm: { ...state.confirm, observed: observation } })).toEqual([])
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
      const commandsWith = (observed: typeof send.observed) =>
        step === 'deposit'
          ? depositCommands({ ...asked, deposit: { ...send, observed } })
          : topUpCommands({ ...asked, topup: { ...asked.topup, send: { ...send, observed } } })
      expect(commandsWith(send.observed)).toHaveLength(1)
      for (const key of ['sender', 'chain', 'balance', 'nonce', 'key', 'calldata', 'dryRun'] as const)
        expect(commandsWith({ ...send.observed, [key]: { status: 'unasked' } })).toEqual([])
      const bad = { status: 'known', value: { latest: 1, pending: 2 }, source: '', atMs: 0 } as const
      expect(commandsWith({ ...send.observed, nonce: bad })).toEqual([])
    }
  })

  test.each(["/home/o'brien", '/home/ann/a b $(id)', '/home/jürgen', '/home/two\nlines', '~', '-n'])(
    'keep a path one word of the shell, and themselves one line: %j',
    (path) => {
      const setup: Setup = { ...trace.setup, homePath: path, keystore: path }
      const state = stateBefore('deposit', 'agreed')
      const facts = collectFacts(state, setup)
      const views = [
        genesisView({ ...state.genesis, observed: { ...state.genesis.observed, place: UNASKED } }, setup),
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

const ROOT = join(import.meta.dirname, '../../..')
const COMMAND = new RegExp(`\\bbearings (?:--[a-z]|(?:${COMMAND_NAMES.join('|')})\\b)`)
const BUILT = /(?:shellCommand|ownCommand)\(\s*(?:'bearings'|undefined)/

/**
 * The files with texts that name a command and are printed as they are: help, completion and manual page, the head of a
 * file that is kept, and the word that a story of the rehearsal is about.
 */
const AS_IT_IS =
  /^src\/(?:commands\/(?:table|completion|help-text)[\w-]*\.ts|watch\/notify\/test-alarm\.ts|core\/wizard\/launch\/start-view\.ts)$/
const BUILT_BY_NAME: Readonly<Record<string, string>> = {
  'src/watch/view.ts': 'run through the names of the desk',
  'src/watch/words.ts': 'run through the names of the desk; a message may be read on any computer',
}

/** Where commands of this program stand in a source, and nothing makes them what a shell here takes. */
function straysIn(path: string, { source, texts }: { source: string; texts: readonly string[] }): string[] {
  const named = texts.filter((text) => COMMAND.test(text) && !AS_IT_IS.test(path))
  const built = BUILT.test(source) && BUILT_BY_NAME[path] === undefined ? ['built by name'] : []
  return [...named, ...built].map((what) => `${path}: ${what}`)
}

describe('every command of this program that is printed', () => {
  const place = { stateDirectory: "/home/o'brien/state", defaultDirectory: '/default' }

  test('is made to run where it is printed: no source names one by the way', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => join('src', path).replaceAll('\\', '/'))
    const found = sources.flatMap((path) => {
      const source = readFileSync(join(ROOT, path), 'utf8')
      const mayName = source.includes('bearings ') || BUILT.test(source)
      return mayName ? straysIn(path, { source, texts: textsOf(join(ROOT, path)) }) : []
    })
    expect(sources.length).toBeGreaterThan(400)
    expect(found).toEqual([])
  })

  test('would be found where one is not', () => {
    const texts = ['then look with `bearings status`', 'bearings is the name of it']
    expect(straysIn('src/core/steps/deposit/view.ts', { source: '', texts })).toEqual([
      'src/core/steps/deposit/view.ts: then look with `bearings status`',
    ])
    expect(straysIn('src/commands/table-reading.ts', { source: '', texts })).toEqual([])
    const source = "shellCommand(\n  'bearings', 'verify')"
    expect(straysIn('src/plain/turn.ts', { source, texts: [] })).toEqual(['src/plain/turn.ts: built by name'])
  })

  const choice = { kind: 'files', spec: '/a b/spec.toml', genesis: '/g.json' } as const
  const underWay = underWayOffer({
    id: 'x',
    badge: { kind: 'real', label: 'Berachain' },
    words: 'deposit sent',
    trouble: false,
    choice,
    command: ['--spec', '/a b/spec.toml', '--genesis', '/g.json'],
  })
  test.each([...BEGIN, ...NETWORKS, ...SCENARIOS, underWay].map(({ command }) => [command] as const))(
    'on the first screen leads to a network, with the state: %s',
    (command) => {
      const argv = wordsInShell(wizardCommand(command, {}, place))
      const filled = argv.map((word) => (word === '<public key or index>' ? '11' : word))
      const { options } = readArguments(filled, WIZARD)
      expect(options.state).toBe("/home/o'brien/state")
      expect(networkChoice(options) !== undefined || options.validator !== undefined).toBe(true)
    },
  )

  test('in a step names network and state, and its command takes them', () => {
    const own = {
      program: ['bearings', '--lang', 'zh'],
      options: ['--network', 'bepolia', '--state', "/home/o'brien/state"],
    }
    const setup: Setup = { ...trace.setup, own }
    const state = stateBefore('deposit', 'agreed')
    const { plan } = state.sign
    const elsewhere: State['sign'] = {
      ...state.sign,
      signature: undefined,
      ...(plan === undefined ? {} : { plan: { ...plan, elsewhere: true } }),
    }
    const { commands: printed, notes } = signView(elsewhere, setup)
    const commands = [...printed, ...notes].filter((text) => text.startsWith('bearings '))
    expect(commands.map((text) => text.split(' ', 4).slice(1))).toEqual([
      ['--lang', 'zh', 'verify'],
      ['--lang', 'zh', 'sign'],
      ['--lang', 'zh', 'verify'],
    ])
    const here = commands.find((text) => text.includes('--state')) ?? ''
    const { rest: argv } = calledWord(wordsInShell(here))
    const fields = ['pubkey', 'credentials', 'amount', 'signature', 'root', 'fork-version']
    const { options } = readArguments(argv, commandNamed('verify'))
    expect(options).toMatchObject({ lang: 'zh', network: 'bepolia', state: "/home/o'brien/state" })
    expect(fields.filter((name) => options[name] === undefined)).toEqual([])
    const unknownFork = {
      version: '0x77000000',
      slot: 1n,
      timestampSeconds: 1n,
    } as const
    const fork = { status: 'known', value: unknownFork, source: '', atMs: 0 } as const
    const { problem } = genesisView(
      { ...state.genesis, observed: { ...state.genesis.observed, fork } },
      setup,
    )
    const looks = problem?.next.map((step) => nextText(step)).find((text) => text.includes('status')) ?? ''
    expect(wordsInShell(looks.slice(looks.indexOf('bearings ')))).toEqual([
      ...own.program.slice(1),
      'status',
      ...own.options,
    ])
  })
})
