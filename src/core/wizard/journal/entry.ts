import { createHash } from 'node:crypto'
import { journalError } from '../../base/errors/journal.ts'
import { type Decoder, FieldFault, fieldPath, record, refuse, text } from '../../base/format/decode.ts'
import { safeText } from '../../base/format/text.ts'
import { decodeEvent, type JournalEvent } from './events.ts'
import { canonicalJson, type JsonData } from './fields.ts'

/** The format that this program reads and writes. */
export const JOURNAL_VERSION = 2

/** What the `prev` of the first entry is. */
export const FIRST_PREV = '0'.repeat(64)

/** One line of a journal. */
export type Entry = {
  /** The format that it is written in. */
  v: number
  /** 0, 1, 2 … */
  seq: number
  /** Unix milliseconds of the wall clock; for people only, nothing is decided by it. */
  t: number
  type: string
  data: JsonData
  /** `sum` of the line before. */
  prev: string
  /** SHA-256, in hex, of the line without this field. */
  sum: string
}

type Unsummed = Omit<Entry, 'sum'>

const whole: Decoder<number> = (value, path) =>
  Number.isSafeInteger(value) && !Object.is(value, -0)
    ? (value as number)
    : refuse(path, 'a whole number', value)
const digest: Decoder<string> = (value, path) =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? value : refuse(path, '32 bytes in hex', value)
const data: Decoder<JsonData> = (value, path) =>
  value === undefined ? refuse(path, 'a value', value) : (writable(value, path) as JsonData)

/** Refuses what is never written in a line: half a character, and a zero below zero. */
const writable: Decoder<unknown> = (value, path) => {
  if (Object.is(value, -0)) return refuse(path, 'a number that is written', value)
  if (typeof value === 'string' && !value.isWellFormed()) return refuse(path, 'whole characters', value)
  if (typeof value !== 'object' || value === null) return value
  for (const [key, entry] of Object.entries(value)) {
    if (!key.isWellFormed()) refuse(path, 'names of whole characters', key)
    writable(entry, fieldPath(path, safeText(key, 40)))
  }
  return value
}

const eventType: Decoder<string> = (value, path) => text(writable(value, path), path)

/** Reads the fields of an entry; whether they are true is another question. */
export const journalEntry: Decoder<Entry> = record({
  v: whole,
  seq: whole,
  t: whole,
  type: eventType,
  data,
  prev: digest,
  sum: digest,
})

/** Returns the entry with its checksum. */
export function sealEntry(entry: Unsummed): Entry {
  return { ...entry, sum: entrySum(entry) }
}

/** SHA-256, in hex, of the canonical line without `sum`. */
export function entrySum(entry: Unsummed): string {
  const { v, seq, t, type, data: content, prev } = entry
  return createHash('sha256')
    .update(canonicalJson({ v, seq, t, type, data: content, prev }))
    .digest('hex')
}

/** Returns the entry as a line of the file, without the line break. */
export function encodeEntry(entry: Entry): string {
  const { v, seq, t, type, data: content, prev, sum } = entry
  return canonicalJson({ v, seq, t, type, data: content, prev, sum })
}

/**
 * The events of the entries behind the header, of the journal of a key where no other kind is given. Throws a `JournalError` that names the line, the field, what was found and
 * what was expected.
 */
export function readEvents(entries: readonly Entry[]): JournalEvent[]
export function readEvents<E>(entries: readonly Entry[], decode: (type: string, data: JsonData) => E): E[]
export function readEvents<E>(
  entries: readonly Entry[],
  decode: (type: string, data: JsonData) => E | JournalEvent = decodeEvent,
): (E | JournalEvent)[] {
  return entries.map((entry) => atLine(entry, ({ type, data }) => decode(type, data)))
}

/** Reads an entry, whose checksum is right; where its fields are none that this version knows, that is thrown with its line. */
export function atLine<T>(entry: Entry, read: (entry: Entry) => T): T {
  try {
    return read(entry)
  } catch (fault) {
    if (fault instanceof FieldFault) throw journalError('journal.unknown', entry.seq + 1, fault.message)
    throw fault
  }
}
