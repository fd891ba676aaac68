import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNodeClock } from '../../../src/core/effects/node-clock.ts'
import { createNodeStore } from '../../../src/core/effects/node-store.ts'
import { FileError } from '../../../src/core/errors/file.ts'
import { JournalError } from '../../../src/core/errors/journal.ts'
import { openJournal } from '../../../src/core/journal/journal.ts'
import { readJournal } from '../../../src/core/journal/replay.ts'

const world = { clock: createNodeClock(), store: createNodeStore() }
const header = { executionGenesisHash: '0x11', genesisValidatorsRoot: '0x22', pubkey: '0x33' }
let directory = ''
let path = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-journal-'))
  path = join(directory, 'a', 'journal.jsonl')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const open = () => openJournal(world, path, header)

async function faultOf(run: Promise<unknown>): Promise<string> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (thrown instanceof JournalError || thrown instanceof FileError) return thrown.code
  throw new Error(`expected a JournalError, got ${String(thrown)}`)
}

describe('openJournal', () => {
  test('begins with its header and gives back later what was appended', async () => {
    const first = await open()
    expect(first.entries).toEqual([])
    await Promise.all([first.append('a', { amount: '1' }), first.append('b', null)])
    await first.close()
    await first.close()
    const second = await open()
    expect(second.entries.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ])
    await second.append('c', [1])
    await second.close()
    expect(readJournal(readFileSync(path, 'utf8')).entries).toHaveLength(4)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('cuts a torn line off and goes on', async () => {
    const first = await open()
    await first.append('a', null)
    await first.close()
    appendFileSync(path, '{"data":null,"pre')
    const second = await open()
    expect(second.entries.map(({ type }) => type)).toEqual(['a'])
    await second.append('b', null)
    await second.close()
    expect(readJournal(readFileSync(path, 'utf8')).entries.map(({ type }) => type)).toEqual([
      'journal',
      'a',
      'b',
    ])
  })

  test('is open once at a time', async () => {
    const first = await open()
    expect(await faultOf(open())).toBe('journal.held')
    await first.close()
    await (await open()).close()
  })

  test('refuses a journal of another key, leaves it as it is and gives the lock back', async () => {
    await (await open()).close()
    const before = readFileSync(path)
    expect(await faultOf(openJournal(world, path, { ...header, pubkey: '0x44' }))).toBe('journal.another')
    expect(readFileSync(path)).toEqual(before)
    await (await open()).close()
  })

  test('refuses a damaged journal and leaves it as it is', async () => {
    const first = await open()
    await first.append('a', null)
    await first.close()
    const damaged = readFileSync(path, 'utf8').replace('"a"', '"b"')
    writeFileSync(path, damaged)
    expect(await faultOf(open())).toBe('journal.damaged')
    expect(readFileSync(path, 'utf8')).toBe(damaged)
  })

  test('records nothing more after a write that failed', async () => {
    const journal = await open()
    await journal.append('a', null)
    await journal.close()
    expect(await faultOf(journal.append('b', null))).toBe('file.failed')
    expect(await faultOf(journal.append('c', null))).toBe('file.poisoned')
    expect(readJournal(readFileSync(path, 'utf8')).entries).toHaveLength(2)
  })
})
