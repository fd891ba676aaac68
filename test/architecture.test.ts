import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { textsIn } from '../scripts/build/translate.ts'
import { cruise, cruiseFiles, linesReached } from './support/cruise.ts'
import { buildCli } from './support/run-cli.ts'

const ROOT = join(import.meta.dirname, '..')
const SOURCE = /\.tsx?$/

type Config = { forbidden: { name: string; from: { path?: string } }[] }
type Package = {
  dependencies: Pins
  optionalDependencies: Pins
  devDependencies: Pins
  allowScripts: Record<string, boolean>
}
type Pins = Record<string, string>
type Locked = { resolved?: string; integrity?: string; dev?: boolean; hasInstallScript?: boolean }

const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as Config
const sources = filesBelow('src').filter((path) => SOURCE.test(path))

describe('who may import whom', () => {
  test('holds for every file of src, and every file was read', async () => {
    const { modules, violations } = await cruise()
    expect(modules.filter((path) => SOURCE.test(path)).sort()).toEqual(sources)
    expect(violations).toEqual([])
  })

  test.each([
    ['src/commands/status.ts', 32_950],
    ['src/commands/watch.ts', 29_350],
    ['src/core/steps/genesis/', 16_800],
    ['src/core/steps/identity/', 19_350],
    ['src/core/steps/sign/', 19_200],
    ['src/core/steps/deposit/', 24_900],
    ['src/core/steps/confirm/', 16_400],
    ['src/core/steps/topup/', 30_500],
    ['src/core/steps/status/', 25_950],
    ['src/core/wizard/run-command.ts', 39_500],
  ])('whoever changes %s reads at most %i lines, with all that it imports', async (place, most) => {
    const sum = await linesReached(place)
    expect(sum).toBeGreaterThan(10_000)
    expect(sum).toBeLessThanOrEqual(most)
  })

  test('gives every file exactly one room', () => {
    const rooms = forbidden.filter(({ name }) => name.endsWith(': ours')).map(({ from }) => from.path ?? '')
    expect(rooms.length).toBeGreaterThan(25)
    const roomsOf = (path: string) => rooms.filter((room) => new RegExp(room).test(path))
    expect(sources.filter((path) => roomsOf(path).length !== 1)).toEqual([])
  })

  const PLANTED: [rule: string, from: string, to: string][] = [
    ['errors: ours', 'src/core/base/errors/http.ts', 'src/core/base/errors/client.ts'],
    ['errors-base: ours', 'src/core/base/errors/base.ts', 'src/core/base/format/text.ts'],
    ['format: ours', 'src/core/base/format/hex.ts', 'src/core/base/errors/base.ts'],
    ['format: node', 'src/core/base/format/text.ts', 'node:fs'],
    ['network: ours', 'src/core/chain/network/presets.ts', 'src/core/chain/deposit/sign.ts'],
    ['consensus: npm', 'src/core/chain/consensus/state.ts', 'viem'],
    ['proofs: ours', 'src/core/chain/proofs/merkle.ts', 'src/core/chain/identity/key-file.ts'],
    ['deposit: ours', 'src/core/chain/deposit/verify.ts', 'src/core/clients/execution/call.ts'],
    ['identity: node', 'src/core/chain/identity/home.ts', 'node:fs'],
    ['clients: ours', 'src/core/clients/http-client.ts', 'src/core/view/view.ts'],
    ['clients: types only', 'src/core/clients/json-rpc.ts', 'src/core/base/effects/effects.ts'],
    ['wallet: ours', 'src/core/pay/wallet/fees.ts', 'src/core/clients/execution/call.ts'],
    ['journal: ours', 'src/core/wizard/journal/replay.ts', 'src/core/base/effects/node-files.ts'],
    ['view: ours', 'src/core/view/rows.ts', 'src/core/steps/sign/machine.ts'],
    ['observe-asking: ours', 'src/core/observe/context.ts', 'src/core/wizard/session.ts'],
    ['step-pure: ours', 'src/core/steps/sign/machine.ts', 'src/core/steps/sign/commands.ts'],
    ['step-pure: ours', 'src/core/steps/status/view.ts', 'src/core/steps/topup/machine.ts'],
    ['step-pure: ours', 'src/core/steps/genesis/machine.ts', 'src/core/clients/execution/call.ts'],
    ['step-pure: ours', 'src/core/steps/confirm/view.ts', 'src/core/pay/payment-view/rows.ts'],
    ['step-pure-paying: ours', 'src/core/steps/topup/machine.ts', 'src/core/steps/deposit/machine.ts'],
    ['step-commands: ours', 'src/core/steps/identity/commands.ts', 'src/core/steps/genesis/commands.ts'],
    ['step-commands: types only', 'src/core/steps/genesis/commands.ts', 'src/core/base/effects/effects.ts'],
    ['step-commands-paying: ours', 'src/core/steps/deposit/commands.ts', 'src/core/steps/sign/machine.ts'],
    ['view: ours', 'src/core/view/step-view.ts', 'src/core/chain/deposit/sign.ts'],
    ['procedure: ours', 'src/core/wizard/procedure.ts', 'src/core/pay/payment/commands.ts'],
    ['run-command: types only', 'src/core/wizard/run-command.ts', 'src/core/wizard/procedure.ts'],
    ['session: ours', 'src/core/wizard/session.ts', 'src/core/clients/http-client.ts'],
    ['session: ours', 'src/core/wizard/session.ts', 'src/core/pay/wallet/fees.ts'],
    ['signer: ours', 'src/signer/main.ts', 'src/core/base/effects/node-files.ts'],
    ['signer: node', 'src/signer/handle-request.ts', 'node:net'],
    ['the signer opens no connection', 'src/signer/handle-request.ts', 'net'],
    ['hooks: ours', 'src/hooks/use-launch.ts', 'src/core/clients/execution/call.ts'],
    ['hooks: npm', 'src/hooks/shell.tsx', 'viem'],
    ['hooks: node', 'src/hooks/shell.tsx', 'node:fs'],
    ['hooks: types only', 'src/hooks/launch-loop.ts', 'src/core/wizard/session.ts'],
    ['screens: types only', 'src/screens/Steps.tsx', 'src/core/base/format/hex.ts'],
    ['screens: ours', 'src/screens/App.tsx', 'src/compose/settings.ts'],
    ['screens: npm', 'src/screens/theme.tsx', 'conf'],
    ['terminal: ours', 'src/terminal/render.tsx', 'src/core/base/format/text.ts'],
    ['plain: npm', 'src/plain/desk.ts', 'viem'],
    ['plain: types only', 'src/plain/desk.ts', 'src/core/wizard/session.ts'],
    ['plain: ours', 'src/plain/rows.ts', 'src/screens/theme.tsx'],
    ['devnet: ours', 'src/devnet/plan.ts', 'src/core/clients/http-client.ts'],
    ['devnet: ours', 'src/devnet/home.ts', 'src/core/wizard/session.ts'],
    ['the devnet judges signatures by itself', 'src/devnet/keys.ts', 'src/core/chain/deposit/sign.ts'],
    ['compose: ours', 'src/compose/settings.ts', 'src/devnet/plan.ts'],
    ['compose: node', 'src/compose/summary.ts', 'node:http'],
    ['commands: ours', 'src/commands/rehearse.ts', 'src/signer/main.ts'],
    ['launch: ours', 'src/launch.ts', 'src/compose/summary.ts'],
    ['launch: npm', 'src/launch.ts', 'viem'],
    ['executable: ours', 'src/executable.ts', 'src/launch.ts'],
  ]

  test('is reported wherever it is broken', async () => {
    const { violations } = await cruiseFiles(planted(PLANTED.map(([, from, to]) => [from, to])))
    const found = new Set(violations.map((text) => text.replace('node_modules/viem/index.js', 'viem')))
    const expected = PLANTED.map(([rule, from, to]) => {
      const target = to.replace('node:', '').replace(/^conf$/, 'node_modules/conf/index.js')
      return `${rule} | ${from} → ${target}`
    })
    expect(expected.filter((text) => !found.has(text))).toEqual([])
  })

  test('forbids cycles and what cannot be found', async () => {
    const cycle = {
      'src/core/base/format/a.ts': "import './b.ts'",
      'src/core/base/format/b.ts': "import './a.ts'",
    }
    const { violations } = await cruiseFiles({ ...cycle, 'src/core/base/format/c.ts': "import './gone.ts'" })
    expect(violations.map((text) => text.split(' | ')[0])).toEqual(['no cycles', 'nothing unresolved'])
  })

  test('lets data be named across rooms by type', async () => {
    const from = 'src/screens/Steps.tsx'
    const files = planted([[from, 'src/core/base/format/hex.ts']])
    const typed = {
      ...files,
      [from]: "import type { Hex } from '../core/base/format/hex.ts'\nexport type A = Hex",
    }
    expect((await cruiseFiles(typed)).violations).toEqual([])
  })
})

describe('the house rules', () => {
  const PURE = sources.filter(
    (path) => /^src\/(?:core|hooks|screens|watch)\//.test(path) && !isRealEffect(path),
  )
  const WORLD = [
    /\bfetch\(/,
    /\bset(?:Timeout|Interval|Immediate)\b/,
    /\bDate\.now\b|\bnew Date\(\)/,
    /\bperformance\./,
    /\bMath\.random\b/,
    /\bprocess\.[a-z]/,
    /\bglobalThis\b/,
  ]

  test('the world is reached through Effects', () => {
    expect(PURE.length).toBeGreaterThan(200)
    expect(PURE.filter((path) => WORLD.some((pattern) => pattern.test(code(path))))).toEqual([])
  })

  test('would find a word of the world where there is one', () => {
    const files = sources.filter(isRealEffect)
    const text = files.map(code).join('\n')
    expect(WORLD.filter((pattern) => pattern.test(text)).map(String)).toEqual(
      expect.arrayContaining([String(WORLD[1]), String(WORLD[2]), String(WORLD[5])]),
    )
  })

  test('nobody waits in a world that no signal ends', () => {
    const makers = /\bcreateNode(?:Http|Exec|Clock|Signer|Effects)\(/
    const made = sources.filter((path) => !isRealEffect(path) && makers.test(code(path)))
    expect(made).toEqual([
      // The clock that the lines look at, the effects, and the clock of the screens.
      'src/compose/plain-terminal.ts',
      'src/compose/real-effects.ts',
      'src/compose/run-wizard.tsx',
    ])
    const bound = ['src/compose/create-launcher.ts', 'src/core/wizard/session.ts', 'src/commands/command.ts']
    expect(bound.filter((path) => !code(path).includes('effectsUntil('))).toEqual([])
  })

  test('no pause of the rehearsal network is without a signal', () => {
    const pauses = sources.flatMap((path) =>
      /^src\/(?:devnet|commands\/devnet)/.test(path) ? (code(path).match(/\bsleep\([^)\n]*\)/g) ?? []) : [],
    )
    expect(pauses.length).toBeGreaterThan(3)
    expect(pauses.filter((text) => !text.includes('signal'))).toEqual([])
  })

  /** Where no more is known of a failure than that there is no answer, and nothing is decided by which one it is. */
  const SWALLOWS: Readonly<Record<string, number>> = {
    'src/compose/create-launcher.ts': 4,
    'src/core/base/effects/node-claim.ts': 1,
    'src/core/base/effects/node-files.ts': 1,
    'src/core/base/effects/node-store.ts': 1,
    'src/core/base/errors/base.ts': 1,
    'src/core/chain/deposit/hash-pairs.ts': 1,
    'src/core/chain/deposit/precompile.ts': 1,
  }

  test('no failure is thrown away, but where nothing is decided by it', () => {
    const bare = /\.catch\(\(\)(?::[^=]+)? => (?:undefined|null|\[\]|'')\)/g
    const found = sources.flatMap((path) => {
      const { length } = code(path).match(bare) ?? []
      return length === 0 ? [] : [[path, length]]
    })
    expect(Object.fromEntries(found)).toEqual(SWALLOWS)
  })

  const IN_OR_OUT =
    /\b(?:left|leav(?:es|ing)|out of|keeps its place in|not in) the (?:active |validator )?set\b|\bhas left\b(?! the wallet)/

  /** Whose sentences are of their own: what may be moved leaves this list, and nothing joins it. */
  const OWN_WORDS: readonly string[] = [
    // The help of a command, and a configuration that it writes.
    'src/commands/table.ts',
    'src/watch/notify/test-alarm.ts',
    // A guard that ended with its validator.
    'src/core/observe/guard-text.ts',
    'src/watch/guard-findings.ts',
    // Stories, of which the first list is drawn before anything of the chain is loaded.
    'src/core/wizard/launch/start-view.ts',
    'src/core/wizard/story/stories-text.ts',
  ]

  test('one module says that a validator leaves, has left or keeps its place in the active set', () => {
    const said = sources.filter((path) => textsIn(read(path), path).some(({ text }) => IN_OR_OUT.test(text)))
    expect(said).toEqual([...OWN_WORDS, 'src/core/chain/key-state/standing-text.ts'].sort())
  })

  test('nothing is written to the console', () => {
    expect(sources.filter((path) => /\bconsole\./.test(code(path)))).toEqual([])
  })

  test('no check is switched off in the source', () => {
    const all = [...sources, ...filesBelow('test'), ...filesBelow('scripts'), ...filesBelow('bench')]
    const off = new RegExp(
      ['biome-ign', 'ore|ts-ign', 'ore|ts-expect-', 'error|(?:ox|es)lint-dis', 'able'].join(''),
    )
    expect(all.filter((path) => SOURCE.test(path) && off.test(read(path)))).toEqual([])
  })

  test('no path is taken from an address, where a blank is %20', () => {
    const all = [...sources, ...filesBelow('test'), ...filesBelow('scripts'), ...filesBelow('bench')]
    const taken = new RegExp([String.raw`import\.meta\.url\)\.path`, 'name'].join(''))
    expect(all.filter((path) => SOURCE.test(path) && taken.test(read(path)))).toEqual([])
  })
})

describe('what it is made from', () => {
  const manifest = JSON.parse(read('package.json')) as Package
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
  // The list of programs that tests run where their platform has them, a package of this directory.
  const [programs, folder] = ['bearings-test-programs', 'test/programs']
  const ours = ['', folder, `node_modules/${programs}`]
  const locked = Object.entries(packages).filter(([path]) => !ours.includes(path))

  test('names every package by one exact version', () => {
    const { dependencies, optionalDependencies, devDependencies } = manifest
    const { [programs]: own, ...others } = devDependencies
    expect(own).toBe(`file:${folder}`)
    const { optionalDependencies: run } = JSON.parse(read(`${folder}/package.json`)) as Package
    const pins = Object.entries({ ...dependencies, ...optionalDependencies, ...others, ...run })
    expect(pins.length).toBeGreaterThan(25)
    expect(pins.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(version))).toEqual([])
  })

  test('locks every package by its hash and by no host', () => {
    expect(locked.length).toBeGreaterThan(300)
    expect(locked.filter(([, { integrity }]) => integrity === undefined)).toEqual([])
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  })

  test('runs no install script: two tools have one, do without it, and it is denied', () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''))
    expect(names).toEqual(['@swc/core', 'esbuild'])
    expect(scripted.filter(([, { dev }]) => dev !== true)).toEqual([])
    expect(manifest.allowScripts).toEqual({ '@swc/core': false, esbuild: false })
  })

  test('ships a signer that can open no connection and start no program', async () => {
    await buildCli()
    const built = join(ROOT, 'dist/signer.js')
    const options = { bundle: true, write: false, metafile: true, platform: 'node', format: 'esm' } as const
    const { metafile } = await build({ ...options, entryPoints: [built], logLevel: 'silent' })
    const imports = Object.values(metafile.outputs).flatMap((output) =>
      output.imports.map(({ path }) => path),
    )
    const modules = new Set(imports.map((path) => path.replace(/^node:/, '')))
    expect([...modules].filter((path) => !['crypto', 'fs', 'module', 'tty'].includes(path))).toEqual([])
  })
})

function isRealEffect(path: string): boolean {
  return path.startsWith('src/core/base/effects/') && path !== 'src/core/base/effects/effects.ts'
}

/** Files in which each first path imports the second; what is imported exists. */
function planted(edges: readonly (readonly [from: string, to: string])[]): Record<string, string> {
  const files: Record<string, string> = {}
  for (const name of ['viem', 'conf']) {
    files[`node_modules/${name}/package.json`] = `{"name":"${name}","main":"index.js"}`
    files[`node_modules/${name}/index.js`] = ''
  }
  for (const [from, to] of edges) {
    const up = '../'.repeat(from.split('/').length - 1)
    const target = to.startsWith('src/') ? `${up}${to}` : to
    files[from] = `${files[from] ?? ''}import '${target}'\n`
    if (to.startsWith('src/')) files[to] ??= ''
  }
  return files
}

function filesBelow(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort()
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The text of a file without its comments. */
function code(path: string): string {
  return read(path)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(?<=^|\s)\/\/.*$/gm, '')
}
