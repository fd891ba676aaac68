import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hardTest } from './support/hard.ts'
import { buildCli } from './support/run-cli.ts'

const DIST = join(import.meta.dirname, '../dist')
const run = promisify(execFile)

let directory: string

beforeAll(() => buildCli())
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'compiled-'))
  mkdirSync(join(directory, 'dist'))
  for (const name of readdirSync(DIST))
    if (name.endsWith('.js')) cpSync(join(DIST, name), join(directory, 'dist', name))
})
afterEach(() => rmSync(directory, { recursive: true }))

const beside = () => join(directory, 'dist/.compiled')
const inCache = () => join(directory, 'cache/bearings/compiled')

/** Starts the program once, with a cache directory of its own. */
const start = () => startIn({ HOME: directory, XDG_CACHE_HOME: join(directory, 'cache') })

async function startIn(given: NodeJS.ProcessEnv): Promise<void> {
  const env = { PATH: process.env.PATH, ...given }
  const { stdout, stderr } = await run(process.execPath, [join(directory, 'dist/cli.js'), '--help'], { env })
  expect(stdout).toContain('COMMAND')
  expect(stderr).toBe('')
}

const filesIn = (path: string): string[] =>
  existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []

describe.skipIf(process.platform !== 'linux')('compiled code is run as it is found, so it is kept', () => {
  test('beside the program, where this user alone may write', async () => {
    await start()
    expect(filesIn(beside()).length).toBeGreaterThan(3)
    expect(statSync(beside()).mode & 0o777).toBe(0o700)
    expect(existsSync(inCache())).toBe(false)
  })

  hardTest('in the cache of the user where it cannot be kept there', async () => {
    writeFileSync(beside(), '')
    await start()
    expect(filesIn(inCache()).length).toBeGreaterThan(3)
    expect(statSync(inCache()).mode & 0o777).toBe(0o700)
  })

  hardTest('nowhere for a user whom the system does not know, of a service or a container', async () => {
    writeFileSync(beside(), '')
    await startIn({
      NODE_OPTIONS: `--require=${JSON.stringify(join(import.meta.dirname, 'support/no-home.cjs'))}`,
    })
    expect(filesIn(directory).filter((name) => name.includes('compiled'))).toEqual(['dist/.compiled'])
  })

  test('not where others may write, nor behind a link', async () => {
    mkdirSync(beside())
    chmodSync(beside(), 0o777)
    mkdirSync(join(directory, 'cache/bearings/elsewhere'), { recursive: true })
    symlinkSync('elsewhere', inCache())
    await start()
    expect([...filesIn(beside()), ...filesIn(join(directory, 'cache/bearings/elsewhere'))]).toEqual([])
  })
})
