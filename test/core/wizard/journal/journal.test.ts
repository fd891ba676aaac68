import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNodeClock } from '../../../../src/core/base/effects/node-clock.ts'
import { createNodeStore } from '../../../../src/core/base/effects/node-store.ts'
import { isError } from '../../../../src/core/base/errors/base.ts'
import { JournalError } from '../../../../src/core/base/errors/journal.ts'
import { readEvents } from '../../../../src/core/wizard/journal/entry.ts'
import type { JournalEvent } from '../../../../src/core/wizard/journal/events.ts'
import { openJournal } from '../../../../src/core/wizard/journal/journal.ts'
import { readJournal } from '../../../../src/core/wizard/journal/replay.ts'
import { HEADER, journalText, type Line } from '../../../support/journal-lines.ts'
import { vectorText } from '../../../support/vector-lines.ts'

const world = { clock: createNodeClock(), store: createNodeStore() }
const header = HEADER.data
let directory = ''
let path = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-journal-'))
  path = join(directory, 'a', 'journal.jsonl')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const open = () => openJournal(world, path, header)
const DROPPED: JournalEvent = { step: 'sign', type: 'dropped' }
const SENT: JournalEvent = { step: 'topup', type: 'handed-over', attempt: 1, endpoint: 'a:1' }
const HELD: JournalEvent = { step: 'topup', type: 'held-back', reason: 'more arrived' }

const lines = () => readJournal(readFileSync(path, 'utf8')).entries

async function faultOf(run: Promise<unknown>): Promise<string> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (thrown instanceof JournalError || isError(thrown, 'file')) return thrown.code
  throw new Error(`expected a JournalError, got ${String(thrown)}`)
}

describe('openJournal', () => {
  test('begins with its header and gives back later what was appended', async () => {
    const first = await open()
    expect(first.events).toEqual([])
    await Promise.all([first.append(SENT), first.append(DROPPED)])
    await first.close()
    await first.close()
    const second = await open()
    expect(second.events).toStrictEqual([SENT, DROPPED])
    await second.append(HELD)
    await second.close()
    expect(lines().map(({ v, type }) => `${v} ${type}`)).toEqual([
      '2 journal',
      '2 topup.handed-over',
      '2 sign.dropped',
      '2 topup.held-back',
    ])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('cuts a torn line off and goes on', async () => {
    const first = await open()
    await first.append(SENT)
    await first.close()
    appendFileSync(path, '{"data":null,"pre')
    const second = await open()
    expect(second.events).toStrictEqual([SENT])
    await second.append(DROPPED)
    await second.close()
    expect(lines().map(({ type }) => type)).toEqual(['journal', 'topup.handed-over', 'sign.dropped'])
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
    const another = { ...header, pubkey: `0x${'44'.repeat(48)}` } as const
    expect(await faultOf(openJournal(world, path, another))).toBe('journal.another')
    expect(readFileSync(path)).toEqual(before)
    await (await open()).close()
  })

  test('refuses a damaged journal and leaves it as it is', async () => {
    const first = await open()
    await first.append(SENT)
    await first.close()
    const damaged = readFileSync(path, 'utf8').replace('"a:1"', '"b:1"')
    writeFileSync(path, damaged)
    expect(await faultOf(open())).toBe('journal.damaged')
    expect(readFileSync(path, 'utf8')).toBe(damaged)
  })

  test.each<[string, Line[], number]>([
    ['an event that there is not', [HEADER, { type: 'topup.paid', data: {} }], 2],
    ['a field too many', [HEADER, { type: 'sign.dropped', data: { why: 'x' } }], 2],
    ['a header that names no key', [{ type: 'journal', data: { ...HEADER.data, pubkey: '0x33' } }], 1],
    ['a header with a field too many', [{ type: 'journal', data: { ...HEADER.data, id: 1 } }], 1],
    ['no header', [{ type: 'sign.dropped', data: {} }], 1],
    ['two headers', [HEADER, HEADER], 2],
  ])('refuses sound lines with %s, and leaves them and a torn one as they are', async (why, wrong, line) => {
    const text = `${journalText(wrong)}{"da`
    mkdirSync(dirname(path))
    writeFileSync(path, text)
    const code = why === 'no header' ? 'journal.damaged' : 'journal.unknown'
    await expect(open()).rejects.toMatchObject({ code, line })
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test.each<[string, string]>([
    ['a text that is too long', 'x'.repeat(10_001)],
    ['half a character', '\ud800'],
  ])('does not write what it could not read: %s', async (_, reason) => {
    const journal = await open()
    const before = readFileSync(path)
    expect(await faultOf(journal.append({ ...HELD, reason }))).toBe('journal.unwritable')
    expect(readFileSync(path)).toEqual(before)
    await journal.append(HELD)
    await journal.close()
    const again = await open()
    expect(again.events).toStrictEqual([HELD])
    await again.close()
  })

  test('records nothing more after a write that failed', async () => {
    const journal = await open()
    await journal.append(SENT)
    await journal.close()
    expect(await faultOf(journal.append(DROPPED))).toBe('file.failed')
    expect(await faultOf(journal.append(HELD))).toBe('file.poisoned')
    expect(lines()).toHaveLength(2)
  })

  test('of an older format is refused by name, left byte for byte, and never begun anew', async () => {
    const text = journalText([
      { ...HEADER, v: 1 },
      { type: 'sign.dropped', data: {}, v: 1 },
    ])
    mkdirSync(dirname(path))
    writeFileSync(path, text)
    expect(await faultOf(open())).toBe('journal.older')
    expect(await faultOf(open())).toBe('journal.older')
    expect(readFileSync(path, 'utf8')).toBe(text)
    writeFileSync(path, `${text}{"torn`)
    expect(await faultOf(open())).toBe('journal.older')
    expect(readFileSync(path, 'utf8')).toBe(`${text}{"torn`)
  })

  test.each(['11', '22', '44'])('goes on from recorded journal %s with all that it holds', async (name) => {
    const text = vectorText(`journals/${name}.jsonl`)
    const [first, ...rest] = readJournal(text).entries
    const events = readEvents(rest)
    mkdirSync(dirname(path))
    writeFileSync(path, text)
    const { executionGenesisHash, genesisValidatorsRoot, pubkey } = (first ?? HEADER)
      .data as typeof HEADER.data
    const openAgain = () => openJournal(world, path, { executionGenesisHash, genesisValidatorsRoot, pubkey })
    const journal = await openAgain()
    expect(journal.events).toStrictEqual(events)
    await journal.append(HELD)
    await journal.close()
    const again = await openAgain()
    expect(again.events).toStrictEqual([...events, HELD])
    await again.close()
    expect(readFileSync(path, 'utf8').startsWith(text)).toBe(true)
  })
})
