import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { networksHash } from '../scripts/build/facts.ts'
import { PRESETS } from '../src/core/chain/network/presets.ts'
import { EARLIER, type Packed, packAndInstall } from './support/packed.ts'
import { type PtyProgram, startProgram } from './support/pty.ts'
import { keyedDeposit } from './support/signed-deposit.ts'

const ROOT = join(import.meta.dirname, '..')
const NATIVE = readdirSync(join(ROOT, 'node_modules/@chainsafe')).filter((name) =>
  /^(?:blst|hashtree)/.test(name),
)
const CLIENT = readdirSync(join(ROOT, 'node_modules')).includes('@nomicfoundation')
  ? ['@nomicfoundation']
  : []

let packed: Packed
const opened: PtyProgram[] = []

beforeAll(async () => {
  packed = await packAndInstall([...NATIVE.map((name) => `@chainsafe/${name}`), ...CLIENT])
  // The Node of this test is the only one on the PATH of the installed program.
  await mkdir(join(packed.directory, 'path'))
  symlinkSync(process.execPath, join(packed.directory, 'path/node'))
})
afterEach(async () => {
  for (const program of opened) program.kill('SIGKILL')
  await Promise.all(opened.splice(0).map((program) => program.exit))
})
afterAll(() => rmSync(packed.directory, { recursive: true, maxRetries: 5 }))

const environment = () => ({
  PATH: `${join(packed.directory, 'path')}:/usr/bin:/bin`,
  HOME: packed.directory,
})
const program = () => join(packed.directory, 'node_modules/.bin/bearings')

/** What `--version` says of a copy of the sources, which is no checkout. */
const version = () =>
  [
    `bearings ${packed.manifest.version}`,
    'commit unknown',
    `network constants SHA-256 ${networksHash(PRESETS)}`,
    '',
  ].join('\n')

/** Runs the installed program to its end, as a shell would. */
const call = (...args: string[]) => run([program(), ...args])

function run([file, ...args]: [string, ...string[]]): Promise<{
  code: unknown
  stdout: string
  stderr: string
}> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd: packed.directory, env: environment() }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
}

function texts(folder: string, name: RegExp): string[] {
  const paths = readdirSync(join(packed.installed, folder)).filter((each) => name.test(each))
  return paths.map((path) => readFileSync(join(packed.installed, folder, path), 'utf8'))
}

function sizeOf(path: string): number {
  const facts = statSync(path)
  if (!facts.isDirectory()) return facts.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

describe.skipIf(process.platform === 'win32')('the package, installed elsewhere', () => {
  test('is a program that starts by its own name', async () => {
    expect(await call('--version')).toEqual({ code: 0, stdout: version(), stderr: '' })
    expect(statSync(program()).mode & 0o111).toBe(0o111)
  })

  test('opens the wizard', async () => {
    const screen = { cwd: packed.directory, env: environment() }
    const wizard = startProgram({ program: program(), args: ['--state', 'state'], ...screen })
    opened.push(wizard)
    await wizard.waitFor('q quit')
    wizard.press('q')
    expect(await wizard.exit).toEqual({ exitCode: 4, signal: undefined })
  })

  test('signs with the signer that came with it, and checks with its own libraries', async () => {
    const keyFile = join(packed.directory, 'key.json')
    writeFileSync(keyFile, keyedDeposit().keyFile, { mode: 0o600 })
    const address = `0x${'11'.repeat(20)}`
    const message = ['--amount', '10000', '--withdrawal', address, '--operator', address]
    const { code, stdout, stderr } = await call(
      'sign',
      '--network',
      'bepolia',
      '--key-file',
      keyFile,
      ...message,
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('signature')
  })

  test('brings a rehearsal network', async () => {
    const network = startProgram({
      program: program(),
      args: ['devnet', '--directory', 'net', '--slot-ms', '100'],
      cwd: packed.directory,
      env: environment(),
      columns: 4000,
    })
    opened.push(network)
    await network.waitFor('"chainId"')
    network.kill('SIGTERM')
    expect((await network.exit).exitCode).toBe(0)
  })

  test('says nothing where compiled code cannot be kept beside it', async () => {
    const place = join(packed.installed, 'dist/.compiled')
    rmSync(place, { recursive: true, force: true })
    writeFileSync(place, '')
    expect(await call('--version')).toMatchObject({ code: 0, stderr: '' })
    rmSync(place)
  })
})

describe.skipIf(process.platform === 'win32')('the package under a Node that is too old', () => {
  const SENTENCE = 'bearings needs Node 22.18 or newer; this is 20.15.1.\n'
  const folder = () => join(packed.directory, `node_modules/node-${process.platform}-${process.arch}`)

  afterEach(() => rmSync(folder(), { recursive: true, force: true }))

  /** The words that start the program with a Node that takes itself for an old one, and lacks what that one lacks. */
  function old(...args: string[]): [string, ...string[]] {
    const before = join(packed.directory, 'old.cjs')
    const text = "{ value: { ...process.versions, node: '20.15.1' } }"
    const lacks = 'delete process.getBuiltinModule'
    writeFileSync(before, `Object.defineProperty(process, 'versions', ${text})\n${lacks}\n`)
    return [process.execPath, '-r', before, program(), ...args]
  }

  /** Lays a Node beside the program, as the package for this platform does. */
  async function bringNode(version: string): Promise<void> {
    await mkdir(join(folder(), 'bin'), { recursive: true })
    writeFileSync(join(folder(), 'package.json'), JSON.stringify({ version }))
    symlinkSync(process.execPath, join(folder(), 'bin/node'))
  }

  test('says so in one sentence', async () => {
    expect(await run(old('--version'))).toEqual({ code: 2, stdout: '', stderr: SENTENCE })
  })

  test('runs with the Node that came with it, and ends as that one ends', async () => {
    await bringNode('24.0.0')
    expect(await run(old('--version'))).toEqual({ code: 0, stdout: version(), stderr: '' })
    expect(await run(old('nonsense'))).toMatchObject({ code: 2, stdout: '' })
  })

  test('does not take one that is too old itself', async () => {
    await bringNode('22.17.9')
    expect(await run(old('--version'))).toEqual({ code: 2, stdout: '', stderr: SENTENCE })
  })

  test('opens the wizard on the same terminal, which Ctrl-C gives back', async () => {
    await bringNode('24.0.0')
    const [node, ...args] = old('--state', 'state')
    const wizard = startProgram({ program: node, args, cwd: packed.directory, env: environment() })
    opened.push(wizard)
    await wizard.waitFor('q quit')
    wizard.press('\u0003')
    expect(await wizard.exit).toEqual({ exitCode: 4, signal: undefined })
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'hands %s on, and leaves nothing running',
    async (signal) => {
      await bringNode('24.0.0')
      const [node, ...args] = old('devnet', '--slot-ms', '100')
      const child = spawn(node, args, { env: environment(), stdio: ['ignore', 'pipe', 'ignore'] })
      const closed = once(child, 'close')
      await once(child.stdout, 'data')
      child.kill(signal)
      expect(await closed).toEqual([0, null])
    },
  )
})

describe('what is in the package', () => {
  test('is what the last build made, and the papers', () => {
    const { files } = packed
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'docs/safety.md']))
    expect(files).toEqual(expect.arrayContaining(['dist/cli.js', 'dist/signer.js']))
    expect(files).toContain('contracts/artifacts/DepositContract.json')
    expect(files).not.toContain('dist/chunk-LEFTOVER.js')
    const odd = files.filter((path) => !/^(?:dist|docs|contracts)\/|^[A-Za-z.]+$/.test(path))
    expect(odd).toEqual([])
    expect(files.filter((path) => /stamp|compiled|(?<!^dist\/chain\.d\.)tsx?$/.test(path))).toEqual([])
  })

  test('is less than 15 MiB where it is installed, beside Node and the execution client', () => {
    const { dependencies = {} } = packed.manifest
    const native = NATIVE.map((name) => join(ROOT, 'node_modules/@chainsafe', name))
    const sizes = [packed.installed, ...native].map(sizeOf)
    expect(native.length).toBeGreaterThan(Object.keys(dependencies).length)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(15 * 1024 * 1024)
  })

  test('is less than 1.5 MB to fetch, whatever the languages', () => {
    expect(packed.bytes).toBeLessThan(1_500_000)
    expect(packed.files.filter((path) => /^dist\/zh-[0-9A-F]{8}\.json$/.test(path))).toHaveLength(1)
  })

  test('was built beside whoever still reads the build before', () => {
    expect(packed.readByOlder).toBe(EARLIER)
    expect(texts('dist', /^cli\.js$/)).not.toContain(EARLIER)
  })

  test('asks for every package that it does not hold, and for no other', async () => {
    const { metafile } = await build({
      entryPoints: ['cli.js', 'signer.js'].map((name) => join(packed.installed, 'dist', name)),
      outdir: join(packed.directory, 'seen'),
      ...({ bundle: true, splitting: true, write: false, metafile: true } as const),
      ...({ platform: 'node', format: 'esm' } as const),
      packages: 'external',
      logLevel: 'silent',
    })
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports)
    const asked = imports.filter(({ external }) => external).map(({ path }) => path)
    const packages = asked.filter((path) => !/^node:|^[a-z_]+(?:\/|$)/.test(path))
    expect([...new Set(packages)].sort()).toEqual(Object.keys(packed.manifest.dependencies ?? {}).sort())
  })

  test('carries the licence of everything that is bundled', () => {
    const all = texts('dist', /THIRD-PARTY/).join('\n')
    for (const name of ['ink', 'react', 'viem', 'ox', 'yoga-layout', '@noble/curves', 'conf', 'smol-toml'])
      expect(all).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+`, 'm'))
    expect(all).toContain('Permission is hereby granted, free of charge')
  })
})
