import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
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
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimDirectory } from '../../../../src/core/base/effects/node-claim.ts'
import { createNodeStore } from '../../../../src/core/base/effects/node-store.ts'
import { isError } from '../../../../src/core/base/errors/base.ts'

/** Owners are judged where the system has them; only root may make files of another user. */
const HAS_OWNERS = process.getuid !== undefined
const IS_ROOT = process.getuid?.() === 0
const ANOTHER = 12_345

let directory = ''
let told: string[] = []
const tell = (sentence: string) => void told.push(sentence)
const store = createNodeStore({ tell })

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-claim-'))
  told = []
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const mode = (path: string) => statSync(path).mode & 0o7777

/** A directory or file with exactly this mode, whatever the umask. */
function folder(name: string, bits: number): string {
  const path = join(directory, name)
  mkdirSync(path)
  chmodSync(path, bits)
  return path
}

async function faultOf(run: Promise<unknown>): Promise<string> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (isError(thrown, 'file')) return thrown.code
  throw new Error(`expected a file.* error, got ${String(thrown)}`)
}

describe.runIf(HAS_OWNERS)('a directory of ours', () => {
  test('is made 0700 where there is none', async () => {
    const path = join(directory, 'a', 'b')
    await claimDirectory(path, tell)
    expect([mode(path), told]).toEqual([0o700, []])
  })

  test('ends at 0700 from any permissions, and says what it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 0o077 }), async (others) => {
        told = []
        const path = folder('d', 0o700 | others)
        await claimDirectory(path, tell)
        const found = mode(path)
        rmSync(path, { recursive: true })
        const was = (0o700 | others).toString(8)
        const words = others === 0 ? [] : [`${path} was open to others (${was}); now it is 700.`]
        expect([found, told]).toEqual([0o700, words])
      }),
    )
  })

  test('reached through a link of ours is tightened at its real place', async () => {
    const path = folder('real', 0o755)
    symlinkSync(path, join(directory, 'link'))
    await claimDirectory(join(directory, 'link'), tell)
    expect(mode(path)).toBe(0o700)
  })

  test('keeps its permissions where the home or the working directory lies in it', async () => {
    const above = mode('/')
    await claimDirectory('/', tell).catch(() => undefined)
    expect([mode('/'), told]).toEqual([above, []])
  })
})

describe.runIf(HAS_OWNERS)('what is not ours alone', () => {
  test('a shared place keeps its permissions and is refused', async () => {
    const path = folder('tmp', 0o1777)
    expect(await faultOf(claimDirectory(path, tell))).toBe('file.open-to-others')
    expect([mode(path), told]).toEqual([0o1777, []])
  })

  test('a file where a directory belongs is refused', async () => {
    const path = join(directory, 'file')
    writeFileSync(path, '')
    expect(await faultOf(claimDirectory(path, tell))).toBe('file.exists')
  })

  test.runIf(IS_ROOT)('a directory, a link and a journal of another user are refused', async () => {
    const theirs = folder('theirs', 0o700)
    chownSync(theirs, ANOTHER, ANOTHER)
    expect(await faultOf(claimDirectory(theirs, tell))).toBe('file.not-ours')
    expect(await faultOf(store.lock(join(theirs, 'lock')))).toBe('file.not-ours')
    expect(await faultOf(store.openAppend(join(theirs, 'journal.jsonl'), { keepBytes: 0 }))).toBe(
      'file.not-ours',
    )
    expect(readdirSync(theirs)).toEqual([])

    const ours = folder('ours', 0o700)
    symlinkSync(ours, join(directory, 'planted'))
    lchownSync(join(directory, 'planted'), ANOTHER, ANOTHER)
    expect(await faultOf(claimDirectory(join(directory, 'planted'), tell))).toBe('file.not-ours')

    const journal = join(ours, 'journal.jsonl')
    writeFileSync(journal, 'one\n')
    chownSync(journal, ANOTHER, ANOTHER)
    expect(await faultOf(store.openAppend(journal, { keepBytes: 4 }))).toBe('file.not-ours')
  })
})

describe.runIf(HAS_OWNERS)('journals and locks', () => {
  test('lie in a directory and a file that others may not open, also when they were there before', async () => {
    const path = folder('state', 0o755)
    const journal = join(path, 'journal.jsonl')
    writeFileSync(journal, 'one\n')
    chmodSync(journal, 0o664)
    const file = await store.openAppend(journal, { keepBytes: 4 })
    await file.close()
    expect([mode(path), mode(journal)]).toEqual([0o700, 0o600])
    expect(told).toEqual([
      `${path} was open to others (755); now it is 700.`,
      `${journal} was open to others (664); now it is 600.`,
    ])
  })

  test('are never reached through a link', async () => {
    const target = join(directory, 'target')
    writeFileSync(target, 'mine')
    symlinkSync(target, join(directory, 'link'))
    expect(await faultOf(store.lock(join(directory, 'link')))).toBe('file.not-a-file')
    expect(await faultOf(store.openAppend(join(directory, 'link'), { keepBytes: 0 }))).toBe('file.not-a-file')
    symlinkSync(join(directory, 'nothing'), join(directory, 'dangling'))
    expect(await faultOf(store.lock(join(directory, 'dangling')))).toBe('file.not-a-file')
    expect(await faultOf(store.openAppend(join(directory, 'dangling'), { keepBytes: 0 }))).toBe(
      'file.not-a-file',
    )
    expect([statSync(target).size, existsSync(join(directory, 'nothing'))]).toEqual([4, false])
  })
})
