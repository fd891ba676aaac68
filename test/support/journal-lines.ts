import { type Entry, encodeEntry, FIRST_PREV, sealEntry } from '../../src/core/wizard/journal/entry.ts'
import type { JsonData } from '../../src/core/wizard/journal/fields.ts'

/** What one line is about; of format 2 where none is named. */
export type Line = { type: string; data: JsonData; v?: number }

/** A journal's first line. */
export const HEADER = {
  type: 'journal',
  data: {
    executionGenesisHash: `0x${'11'.repeat(32)}`,
    genesisValidatorsRoot: `0x${'22'.repeat(32)}`,
    pubkey: `0x${'33'.repeat(48)}`,
  },
} as const

/** Entries with their numbers and checksums. */
export function entriesOf(lines: readonly Line[]): Entry[] {
  const entries: Entry[] = []
  for (const [seq, { v = 2, type, data }] of lines.entries()) {
    const prev = entries.at(-1)?.sum ?? FIRST_PREV
    entries.push(sealEntry({ v, seq, t: 1_700_000_000_000 + seq, type, data, prev }))
  }
  return entries
}

/** The text of a journal with these lines. */
export function journalText(lines: readonly Line[]): string {
  return entriesOf(lines)
    .map((entry) => `${encodeEntry(entry)}\n`)
    .join('')
}
