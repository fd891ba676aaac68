import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sourceStamp, writeStamp } from '../../scripts/build/stamp.ts'

const ROOT = join(import.meta.dirname, '../..')
const AS_THEY_ARE = ['src', 'languages', 'contracts', 'node_modules', 'package.json', 'package-lock.json']
/** Root may write anywhere: it tries as a user who may not, where that one reaches this checkout. */
const USER = process.getuid?.() === 0 ? { uid: 65_534 } : {}
const SEE = `require('node:fs').statSync(${JSON.stringify(join(ROOT, 'package.json'))})`
const CAN_TRY = process.platform !== 'win32' && spawnSync(process.execPath, ['-e', SEE], USER).status === 0

let root: string

/** A checkout with its own scripts and its own `dist`. */
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bearings-build-')))
  chmodSync(root, 0o755)
  for (const name of AS_THEY_ARE) symlinkSync(join(ROOT, name), join(root, name))
  mkdirSync(join(root, 'scripts'))
  for (const name of ['build', 'build.ts'])
    cpSync(join(ROOT, 'scripts', name), join(root, 'scripts', name), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function build(options: { uid?: number } = {}) {
  const args = [join(root, 'scripts', 'build.ts'), '--if-stale']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', ...options })
  return { status, stdout, stderr }
}

const HELP = () =>
  `Make that folder writable for you, or copy ${root} to where you may write, and run the command again there.\n`

describe('where dist cannot be written', () => {
  test('says in a sentence that nothing is built yet, and why nothing can be', () => {
    writeFileSync(join(root, 'dist'), '')
    const why = `${join(root, 'dist')} cannot be written (a file is where the folder belongs, EEXIST)`
    const stderr = `The program is not built yet, and ${why}: there is nothing to run. ${HELP()}`
    expect(build()).toEqual({ status: 1, stdout: '', stderr })
  })

  test.skipIf(!CAN_TRY)('says why an older program stands there, and does not run it', () => {
    mkdirSync(join(root, 'dist'))
    writeFileSync(join(root, 'dist', 'cli.js'), '')
    chmodSync(join(root, 'dist'), 0o555)
    const why = `${join(root, 'dist')} cannot be written (this user may not write there, EACCES)`
    const stderr = `The sources are newer than the program in dist, and ${why}: the old program is not run in its place. ${HELP()}`
    expect(build(USER)).toEqual({ status: 1, stdout: '', stderr })
  })

  test.skipIf(!CAN_TRY)('says nothing where the program is as new as its sources', () => {
    mkdirSync(join(root, 'dist'))
    writeStamp(root, sourceStamp(root))
    chmodSync(join(root, 'dist'), 0o555)
    expect(build(USER)).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})
