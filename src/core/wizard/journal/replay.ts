import { journalError } from '../../base/errors/journal.ts'
import { decodeWhole, FieldFault, laterThan } from '../../base/format/decode.ts'
import { JsonFault, parseStrictJson } from '../../base/format/strict-json.ts'
import { type Entry, encodeEntry, entrySum, FIRST_PREV, JOURNAL_VERSION, journalEntry } from './entry.ts'

export type Replay = {
  entries: readonly Entry[]
  /** How many bytes of the file stand; what follows is a torn last line. */
  keepBytes: number
}

/**
 * Reads a journal. A last line without its line break was torn by a crash before anything relied on it, and is
 * left out. Every other line must be exactly what was written there: form, checksum, number and chain of checksums.
 * A whole entry with one character where its line break should be was not torn, so it counts as damage.
 *
 * Throws a `JournalError` that names the line otherwise, or when a newer or an older program wrote it.
 */
export function readJournal(text: string): Replay {
  const end = text.lastIndexOf('\n') + 1
  const kept = text.slice(0, end)
  const lines = kept === '' ? [] : kept.slice(0, -1).split('\n')
  const entries: Entry[] = []
  let prev = FIRST_PREV
  for (const [index, line] of lines.entries()) {
    const entry = readLine(line, index)
    if (entry.prev !== prev)
      throw journalError('journal.damaged', index + 1, 'it does not follow the line before')
    prev = entry.sum
    entries.push(entry)
  }
  if (isWhole(text.slice(end, -1), lines.length))
    throw journalError('journal.damaged', lines.length + 1, 'its line break is missing')
  return { entries, keepBytes: Buffer.byteLength(kept, 'utf8') }
}

function readLine(line: string, index: number): Entry {
  const entry = parseLine(line, index + 1)
  if (entry.v < JOURNAL_VERSION) throw journalError('journal.older', index + 1, entry.v)
  if (entry.seq !== index)
    throw journalError('journal.damaged', index + 1, `the line is numbered ${entry.seq}, not ${index}`)
  if (entrySum(entry) !== entry.sum) throw journalError('journal.damaged', index + 1, 'its checksum is wrong')
  if (encodeEntry(entry) !== line)
    throw journalError('journal.damaged', index + 1, 'it is written in another form')
  return entry
}

function isWhole(line: string, index: number): boolean {
  try {
    readLine(line, index)
    return true
  } catch {
    return false
  }
}

function parseLine(line: string, number: number): Entry {
  try {
    const value = parseStrictJson(line, { maxDepth: 16 })
    // Before all else: a later format may have other fields.
    const version = laterThan(JOURNAL_VERSION, value, 'v')
    if (version !== undefined) throw journalError('journal.newer', number, version)
    return decodeWhole(journalEntry, value)
  } catch (fault) {
    if (fault instanceof FieldFault || fault instanceof JsonFault)
      throw journalError('journal.damaged', number, fault.message)
    if (fault instanceof RangeError)
      throw journalError('journal.damaged', number, 'it holds a number that is never written')
    throw fault
  }
}
