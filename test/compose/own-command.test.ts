import { describe, expect, test } from 'vitest'
import {
  ownProgram,
  ownProgramOf,
  readOnlyOptions,
  type StartedAs,
  sessionOptions,
  startedAs,
  startedCommand,
  wizardCommand,
} from '../../src/compose/own-command.ts'
import { command, type Next, nextText, parts } from '../../src/core/base/format/next.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../src/core/chain/network/presets.ts'

const started: StartedAs = {}

describe('the program is started again', () => {
  test('in every command of what to do next, and in no other words', () => {
    const said = (next: Next) => nextText(next, { run: (own) => startedCommand(own, started) })
    expect(said(parts`See ${command('status', '--help')}.`)).toBe('See bearings status --help.')
    expect(said({ command: 'bearings --validator 11 --topup 10' })).toBe('bearings --validator 11 --topup 10')
    expect(said('A text that says bearings status is no command.')).toBe(
      'A text that says bearings status is no command.',
    )
  })

  test('with its state, where it begins the wizard', () => {
    const place = { stateDirectory: '/a b', defaultDirectory: '/s' }
    expect(wizardCommand(['--network', 'bepolia'], started, place)).toBe(
      "bearings --network bepolia --state '/a b'",
    )
    expect(wizardCommand([], started, { ...place, stateDirectory: '/s' })).toBe('bearings')
  })
})

describe('the language of an option', () => {
  const started = (options: readonly string[], env: Record<string, string>) =>
    startedAs({
      argv: ['/node', '/home/ann/b/dist/cli.js', ...options],
      env,
    })
  const chinese = started(['--lang', 'zh', 'status'], { LANG: 'C' })

  test('begins every command that starts the program again', () => {
    expect(ownProgram(chinese)).toEqual(['bearings', '--lang', 'zh'])
    expect(startedCommand(['status', '--help'], chinese)).toBe('bearings --lang zh status --help')
    const english = started(['status', '--lang=en'], { LANG: 'zh_CN.UTF-8' })
    expect(startedCommand(['--network', 'bepolia'], english)).toBe('bearings --lang en --network bepolia')
  })

  test('is left out where the locale says the same, or nothing was chosen', () => {
    for (const [options, env] of [
      [['--lang', 'zh'], { LANG: 'zh_CN.UTF-8' }],
      [['--lang', 'en'], {}],
      [['--lang', 'xx'], { LANG: 'zh_CN.UTF-8' }],
      [[], { LANG: 'zh_CN.UTF-8' }],
      [['--', '--lang', 'zh'], {}],
    ] as const)
      expect(ownProgram(started(options, env))).toEqual(['bearings'])
  })

  test('gives way to the one that a command names itself', () => {
    expect(startedCommand(['report', '--lang', 'en'], chinese)).toBe('bearings report --lang en')
    const line = 'bearings --validator 0xab --lang zh --topup 10000'
    expect(startedCommand(line, chinese)).toBe(line)
    expect(startedCommand('bearings --validator 0xab', chinese)).toBe('bearings --lang zh --validator 0xab')
  })

  test('is kept in the commands that a session prints', () => {
    const setup = { network: BEPOLIA } as Setup
    const begun = { choice: undefined, stateDirectory: '/s', defaultDirectory: '/s' }
    expect(ownProgramOf(setup, begun, chinese)).toEqual({
      program: ['bearings', '--lang', 'zh'],
      options: ['--network', 'bepolia'],
    })
  })
})

describe('the options that lead back', () => {
  const setup = { network: BEPOLIA, journalDirectory: '/s/bepolia' } as Setup
  const begun = { choice: undefined, stateDirectory: '/s', defaultDirectory: '/s' }

  test('name the network, and the state where it is not at its default place', () => {
    expect(sessionOptions(setup, begun)).toEqual(['--network', 'bepolia'])
    const elsewhere = { ...begun, defaultDirectory: '/d' }
    expect(readOnlyOptions(setup, elsewhere)).toEqual(['--network', 'bepolia', '--state', '/s'])
  })

  test.each([
    [{ kind: 'file', path: '/n.json' } as const, ['--network', '/n.json']],
    [
      { kind: 'files', spec: '/s.toml', genesis: '/g.json' } as const,
      ['--spec', '/s.toml', '--genesis', '/g.json'],
    ],
    [{ kind: 'rehearsal', which: { descriptor: '/d.json' } } as const, ['--devnet', '/d.json']],
    [
      { kind: 'rehearsal', which: { folder: '/r/network-2' } } as const,
      ['--devnet', '/r/network-2/descriptor.json'],
    ],
  ])('repeat what was chosen: %j', (choice, options) => {
    expect(sessionOptions(setup, { ...begun, choice })).toEqual(options)
  })

  test('of a rehearsal begin it again, or look at its very network', () => {
    const rehearsal = {
      ...setup,
      network: { ...BEPOLIA, kind: 'rehearsal' },
      passwordDescriptor: '/r/d.json',
    } as Setup
    expect(sessionOptions(rehearsal, begun)).toEqual(['--network', 'rehearsal'])
    expect(readOnlyOptions(rehearsal, begun)).toEqual(['--devnet', '/r/d.json'])
  })
})
