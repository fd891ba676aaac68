import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
/** What a checkout holds that has to do with the package. */
const PARTS = ['package.json', 'package-lock.json', 'tsconfig.json', '.npmrc', 'LICENSE', 'README.md']
const FOLDERS = ['contracts', 'docs', 'languages', 'scripts', 'src']

/** The program that an earlier build made. */
export const EARLIER = "import('./chunk-LEFTOVER.js')\n"

const run = promisify(execFile)

/** The package as somebody has it who ran `npm pack` in a fresh checkout and installed the file elsewhere. */
export type Packed = {
  /** Holds `node_modules/bearings`, beside it the packages it needs, and `node_modules/.bin/bearings`. */
  directory: string
  /** The installed package. */
  installed: string
  manifest: { dependencies?: Record<string, string>; version: string; license: string }
  /** The size of the file that npm made. */
  bytes: number
  /** Paths in the package. */
  files: string[]
  /** What somebody reads who opened the program of an earlier build before this one was made. */
  readByOlder: string
}

/**
 * Packs a copy of this checkout with npm's own command and without a network, and lays the file out as an
 * installation does: `packages` come from this checkout. What an earlier build left in `dist` is in the copy too.
 */
export async function packAndInstall(packages: readonly string[]): Promise<Packed> {
  const directory = mkdtempSync(join(tmpdir(), 'packed-'))
  const checkout = join(directory, 'checkout')
  mkdirSync(join(checkout, 'dist'), { recursive: true })
  writeFileSync(join(checkout, 'dist/chunk-LEFTOVER.js'), 'throw new Error()\n')
  writeFileSync(join(checkout, 'dist/cli.js'), EARLIER)
  const older = await open(join(checkout, 'dist/cli.js'))
  for (const part of [...PARTS, ...FOLDERS])
    cpSync(join(ROOT, part), join(checkout, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'), 'junction')
  await run('npm', ['pack', '--pack-destination', directory], {
    cwd: checkout,
    shell: process.platform === 'win32',
    env: { ...process.env, ...OFFLINE, npm_config_cache: join(directory, 'cache') },
  })
  const readByOlder = await older.readFile('utf8')
  await older.close()
  const modules = join(directory, 'node_modules')
  const installed = join(modules, 'bearings')
  mkdirSync(installed, { recursive: true })
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Packed['manifest']
  const file = `../../bearings-${manifest.version}.tgz`
  const { stdout } = await run('tar', ['-xvzf', file, '--strip-components=1'], { cwd: installed })
  for (const name of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction')
  }
  mkdirSync(join(modules, '.bin'))
  symlinkSync('../bearings/dist/cli.js', join(modules, '.bin/bearings'))
  const files = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
  const { size: bytes } = statSync(join(directory, `bearings-${manifest.version}.tgz`))
  return { directory, installed, manifest: readManifest(installed), bytes, files, readByOlder }
}

const OFFLINE = { npm_config_offline: 'true', npm_config_update_notifier: 'false' }

function readManifest(installed: string): Packed['manifest'] {
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Packed['manifest']
}
