import { describe, expect, test } from 'vitest'
import {
  asStarted,
  lookOptions,
  ownProgram,
  ownProgramOf,
  type Started,
  sessionOptions,
  startedAs,
} from '../../src/compose/own-command.ts'
import type { Setup } from '../../src/core/facts.ts'
import { BEPOLIA } from '../../src/core/network/presets.ts'

const checkout: Started = {
  script: '/home/ann/b/dist/cli.js',
  path: '/usr/bin:/bin',
  directory: '/home/ann/b',
}
const installed: Started = { script: '/usr/bin/bearings', path: '/usr/bin:/bin', directory: '/home/ann' }
const local: Started = { ...installed, script: '/home/ann/node_modules/.bin/bearings' }

describe('the program is started again', () => {
  test.each<[string, Started, readonly string[], readonly string[]]>([
    ['by its name where that is on the PATH', installed, ['bearings'], ['bearings']],
    ['by its file in a checkout', checkout, ['node', 'dist/cli.js'], ['node', '/home/ann/b/dist/cli.js']],
    [
      'by its place where it is not on the PATH',
      local,
      ['./node_modules/.bin/bearings'],
      ['/home/ann/node_modules/.bin/bearings'],
    ],
    [
      'by its place where it is one executable, whatever that is named',
      { ...local, script: '/home/ann/bearings-1', isExecutable: true },
      ['./bearings-1'],
      ['/home/ann/bearings-1'],
    ],
    [
      'by the name of the executable where that is on the PATH',
      { ...local, script: '/bin/bearings-1', isExecutable: true },
      ['bearings-1'],
      ['bearings-1'],
    ],
    [
      'by the whole path from elsewhere',
      { ...checkout, directory: '/tmp' },
      ['node', '/home/ann/b/dist/cli.js'],
      ['node', '/home/ann/b/dist/cli.js'],
    ],
  ])('%s', (_what, started, here, anywhere) => {
    expect(ownProgram(started)).toEqual(here)
    expect(ownProgram(started, { anywhere: true })).toEqual(anywhere)
  })

  test('in every text with a command of it, and in no other', () => {
    const typed = (text: string) => asStarted(text, { ...checkout, script: "/home/o'brien/cli.js" })
    expect(typed('See bearings status --help.')).toBe("See node '/home/o'\\''brien/cli.js' status --help.")
    expect(typed('See bearings --help.')).toBe("See node '/home/o'\\''brien/cli.js' --help.")
    expect(typed('Start bearings again.')).toBe('Start bearings again.')
    expect(typed('bearings statuses')).toBe('bearings statuses')
  })
})

describe('the language of an option', () => {
  const started = (options: readonly string[], env: Record<string, string>) =>
    startedAs({
      argv: ['/node', installed.script, ...options],
      env: { PATH: installed.path, ...env },
      cwd: () => '/home/ann',
      execPath: '/node',
    })
  const chinese = started(['--lang', 'zh', 'status'], { LANG: 'C' })

  test('begins every command that starts the program again', () => {
    expect(ownProgram(chinese)).toEqual(['bearings', '--lang', 'zh'])
    expect(asStarted('See bearings status --help.', chinese)).toBe('See bearings --lang zh status --help.')
    const english = started(['status', '--lang=en'], { LANG: 'zh_CN.UTF-8' })
    expect(asStarted('bearings --network bepolia', english)).toBe('bearings --lang en --network bepolia')
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
    const text = 'in another language: bearings report --lang en shows it'
    expect(asStarted(text, chinese)).toBe(text)
  })

  test('goes to another computer too, where the program has its name', () => {
    const setup = { network: BEPOLIA } as Setup
    const begun = { choice: undefined, stateDirectory: '/s', defaultDirectory: '/s' }
    const at = { ...chinese, script: '/home/ann/b/cli.js', directory: '/tmp' }
    expect(ownProgramOf(setup, begun, at)).toEqual({
      program: ['node', '/home/ann/b/cli.js', '--lang', 'zh'],
      elsewhere: ['bearings', '--lang', 'zh'],
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
    expect(lookOptions(setup, elsewhere)).toEqual(['--network', 'bepolia', '--state', '/s'])
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
    expect(lookOptions(rehearsal, begun)).toEqual(['--devnet', '/r/d.json'])
  })
})
