import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { JournalError } from '../../../src/core/errors/journal.ts'
import { type Entry, readEvents } from '../../../src/core/journal/entry.ts'
import type { JournalEvent } from '../../../src/core/journal/events.ts'
import type { JsonData } from '../../../src/core/journal/fields.ts'
import { readJournal } from '../../../src/core/journal/replay.ts'
import { asFormat1 } from '../../support/as-format-1.ts'
import { entriesOf, HEADER, type Line } from '../../support/journal-lines.ts'
import { changesOf } from '../../support/json-changes.ts'
import { vectorText } from '../../support/vector-lines.ts'

const FOLDER = 'journals-v1'
const DAMAGED = ['01.jsonl', '02.jsonl', '03.jsonl']
const SOUND = readdirSync(join(import.meta.dirname, '../../vectors', FOLDER))
  .filter((name) => name.endsWith('.jsonl') && !DAMAGED.includes(name))
  .sort()

type Fields = { readonly [field: string]: JsonData }

const entriesIn = (file: string) => readJournal(vectorText(`${FOLDER}/${file}`)).entries.slice(1)
const plain = (data: JsonData) => JSON.parse(JSON.stringify(data)) as Fields

/** What a line says, without the world that nothing is sent in any more, and with the hash that goes without saying. */
function saidBy(entry: Entry, before: readonly Entry[]): { type: string; data: Fields } {
  const { world: _, ...data } = plain(entry.data)
  const [step, name] = entry.type.split('.')
  const signed = before.findLast(({ type }) => type === `${step}.signed`)
  if (name !== 'mined' || 'hash' in data || signed === undefined) return { type: entry.type, data }
  return { type: entry.type, data: { ...data, hash: plain(signed.data).hash ?? null } }
}

function faultOf(lines: readonly Line[]): JournalError | undefined {
  try {
    readEvents(entriesOf([HEADER, ...lines]).slice(1))
    return undefined
  } catch (thrown) {
    if (thrown instanceof JournalError) return thrown
    throw thrown
  }
}

const outcomesIn = (file: string) =>
  readEvents(entriesIn(file)).flatMap((event) => (event.type === 'ended' ? [event.outcome.is] : []))

describe('a line of format 1', () => {
  test.each(SOUND)('loses nothing but the world of what was agreed to: %s', (file) => {
    const entries = entriesIn(file)
    const events = readEvents(entries)
    expect(events.map(asFormat1)).toEqual(entries.map((entry, at) => saidBy(entry, entries.slice(0, at))))
  })

  test('never says in which world something was agreed to', () => {
    const worlds = SOUND.flatMap((file) => readEvents(entriesIn(file))).flatMap((event) =>
      event.type === 'agreed' ? [event.world] : [],
    )
    expect(worlds.length).toBeGreaterThan(100)
    expect(new Set(worlds)).toEqual(new Set([undefined]))
  })

  test.each([
    ['58-cancelled.jsonl', ['cancelled']],
    ['59-cancelled.jsonl', ['paid', 'paid']],
    ['61-held-back.jsonl', ['paid', 'cancelled']],
  ])('tells by the block which candidate was in time: %s', (file, expected) => {
    expect(outcomesIn(file)).toEqual(expected)
  })

  test('of a block without a hash is about what was signed', () => {
    const file = SOUND.find((name) => name.endsWith('no-hash.jsonl')) ?? ''
    const events = readEvents(entriesIn(file))
    const of = (type: JournalEvent['type']) =>
      events.flatMap((event) => (event.type === type && 'hash' in event ? [event.hash] : []))
    expect(of('included')).toEqual(of('signed'))
  })
})

const HASH = `0x${'a'.repeat(64)}`
const BLOCK = { blockNumber: { $bigint: '1' }, blockHash: HASH, feeWei: { $bigint: '1' } }

const of = (step: string, type: string, fields: Fields = {}): Line => ({
  v: 1,
  type: `${step}.${type}`,
  data: { step, type, ...fields },
})

describe('a block without a hash', () => {
  const signed = of('deposit', 'signed', { raw: '0x02', hash: HASH })

  test('is that of the payment before it', () => {
    expect(faultOf([signed, of('deposit', 'mined', BLOCK)])).toBeUndefined()
  })

  test.each([
    ['what was signed was abandoned', of('deposit', 'released')],
    ['what was signed was opened again', of('deposit', 'reopened')],
  ])('is refused where %s', (_, between) => {
    const fault = faultOf([signed, between, of('deposit', 'mined', BLOCK)])
    expect(fault?.details).toContain('reason: hash: expected 32 bytes of 0x hexadecimal, found nothing')
  })
})

/** One line of each kind, with the lines before it. */
const KINDS = new Map(
  SOUND.flatMap((file) => {
    const entries = entriesIn(file)
    return entries.map((entry, at) => [shapeOf(entry), entries.slice(0, at + 1)] as const)
  }),
)

function shapeOf({ type, data }: Entry): string {
  return `${type} ${[...JSON.stringify(data).matchAll(/"(\w+)":/g)].map(([, name]) => name).join(' ')}`
}

/** What format 1 left out where there was nothing. */
const OPTIONAL = ['world', 'world.stakeToBeGwei', 'data', 'hash', 'otherDeposit', 'otherDeposit.hash']

describe('an ill-formed line of format 1', () => {
  test.each([...KINDS])('is refused with the line named: %s', (_, lines) => {
    const last = lines.at(-1)
    if (last === undefined) throw new RangeError('no line')
    const { type, data } = last
    const before = lines.slice(0, -1)
    for (const change of changesOf(plain(data))) {
      if (change.kind === 'removed' && isOptional(type, change.path)) continue
      expect(
        faultOf([...before, { ...last, data: change.data }]),
        `${change.path} ${change.kind}`,
      ).toMatchObject({
        fault: 'damaged',
        line: lines.length + 1,
      })
    }
  })

  test.each<[string, Line, string]>([
    [
      'of format 2',
      { type: 'deposit.agreed', data: { step: 'deposit', type: 'agreed' } },
      'type: expected an event of a payment, found "agreed"',
    ],
    [
      'of nothing',
      { type: 'session.started', data: { step: 'session', type: 'started' } },
      'type: expected an event of this format, found "session.started"',
    ],
    [
      'that names another event',
      { type: 'deposit.final', data: { step: 'topup', type: 'final' } },
      'type: expected deposit.final, found "topup.final"',
    ],
  ])('is refused with the reason: %s', (_, line, reason) => {
    expect(faultOf([{ ...line, v: 1 }])?.details).toEqual(['line: 2', `reason: ${reason}`])
  })
})

function isOptional(type: string, path: string): boolean {
  if (path.endsWith('.contract') || path === 'plan.elsewhere') return true
  if (path === 'hash') return type.endsWith('.mined')
  // Without it the transaction was for the keystore.
  return path === 'prepared.elsewhere' || OPTIONAL.includes(path)
}
