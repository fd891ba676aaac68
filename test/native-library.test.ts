import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { withScratch } from '../src/core/base/effects/node-store.ts'
import { errorFacts } from '../src/core/view/observation.ts'
import { loadLibrary } from '../src/native-library.ts'
import { HAS_EXECUTABLE } from './support/executable.ts'
import { pattern } from './support/pattern.ts'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'library-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(place, { recursive: true, force: true })
})

const NAME = '@chainsafe/hashtree'

function library({ sha256 }: { sha256?: string } = {}) {
  const require = createRequire(createRequire(import.meta.url).resolve(NAME))
  const bytes = readFileSync(require.resolve(`${NAME}-linux-x64-gnu`))
  const own = createHash('sha256').update(bytes).digest('hex')
  return { name: NAME, asset: 'hashtree.node', bytes: () => bytes, sha256: sha256 ?? own }
}

function thrownBy(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (thrown) {
    return thrown
  }
}

describe.runIf(HAS_EXECUTABLE)('a native library of the single executable', () => {
  test('is loaded, and leaves nothing behind', () => {
    vi.stubEnv('TMPDIR', place)
    expect(loadLibrary(library())).toHaveProperty('hash')
    expect(readdirSync(place)).toEqual([])
  })

  test('is not loaded with another hash', () => {
    vi.stubEnv('TMPDIR', place)
    const thrown = thrownBy(() => loadLibrary(library({ sha256: '00'.repeat(32) })))
    expect(errorFacts(thrown)).toMatchObject({
      code: 'install.library',
      details: [expect.stringMatching(pattern` ${NAME} .* SHA-256 `)],
      money: 'untouched',
    })
    expect(readdirSync(place)).toEqual([])
  })
})

const HELP = (variable: string) =>
  `Set ${variable} to a directory of yours that exists, where you may write and from which programs may run, then start again.`

describe.skipIf(process.platform === 'win32')('a directory for temporary files that cannot be used', () => {
  const fault = (details: string[], variable = 'TMPDIR') => ({
    code: 'install.temporary',
    shortMessage: 'The directory for temporary files cannot be used.',
    details,
    nextSteps: [HELP(variable)],
    retryable: false,
    money: 'untouched',
  })
  const uses: [string, () => Promise<unknown>][] = [
    [
      'a native library',
      async () => loadLibrary({ name: NAME, asset: 'a', bytes: () => new Uint8Array(), sha256: '' }),
    ],
    ["a node tool's home", () => withScratch(async () => undefined)],
  ]

  test.each(uses)('is named by its variable, with what was found and what to do: for %s', async (_, use) => {
    const thrown = () => use().catch((error: unknown) => errorFacts(error))
    vi.stubEnv('TMPDIR', join(place, 'none'))
    expect(await thrown()).toEqual(
      fault([`TMPDIR: ${join(place, 'none')}`, 'found: no such directory (ENOENT)']),
    )
    const file = join(place, 'file')
    writeFileSync(file, '')
    vi.stubEnv('TMPDIR', file)
    expect(await thrown()).toEqual(fault([`TMPDIR: ${file}`, expect.stringContaining('(ENOTDIR)')]))
    vi.stubEnv('TMPDIR', '')
    vi.stubEnv('TMP', file)
    expect(await thrown()).toEqual(fault([`TMP: ${file}`, expect.stringContaining('(ENOTDIR)')], 'TMP'))
  })

  test('from which no program may run is said to be one', () => {
    const cause = new Error('The directory for temporary files cannot be used.')
    const thrown = Object.assign(cause, {
      code: 'ERR_TEMPORARY_DIRECTORY',
      directory: '/x',
      found: 'ENOEXEC',
    })
    expect(errorFacts(thrown)).toEqual(
      fault(['TMPDIR: not set, so /x', expect.stringContaining('(ENOEXEC)')]),
    )
  })
})
