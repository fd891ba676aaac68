import { journalDamaged } from '../errors/journal.ts'
import { FieldFault } from '../format/decode.ts'
import type { Entry } from './entry.ts'
import { decodeEvent, type JournalEvent } from './events.ts'
import { createOldReader } from './format-1.ts'

/**
 * The events of the entries behind the header, of either format. Throws a `JournalError` that names the line, the field,
 * what was found and what was expected.
 */
export function readEvents(entries: readonly Entry[]): JournalEvent[] {
  const readOld = createOldReader()
  return entries.map((entry) =>
    atLine(entry, ({ v, type, data }) => (v === 1 ? readOld(type, data) : decodeEvent(type, data))),
  )
}

/** What `read` makes of an entry; a fault of one of its fields is damage at its line. */
export function atLine<T>(entry: Entry, read: (entry: Entry) => T): T {
  try {
    return read(entry)
  } catch (fault) {
    if (fault instanceof FieldFault) throw journalDamaged(entry.seq + 1, fault.message)
    throw fault
  }
}
