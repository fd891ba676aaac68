import type { Effects } from '../effects/effects.ts'
import { journalDamaged, journalHeld, journalOfAnother } from '../errors/journal.ts'
import { safeText } from '../format/text.ts'
import type { JsonData } from './canonical-json.ts'
import { type Entry, encodeEntry, FIRST_PREV, JOURNAL_VERSION, sealEntry } from './entry.ts'
import { readJournal } from './replay.ts'

/** What a journal is about; its first line. A journal is opened only for exactly the same. */
export type JournalHeader = {
  executionGenesisHash: string
  genesisValidatorsRoot: string
  pubkey: string
}

/** An open journal, held by this process alone. */
export type Journal = {
  /** What earlier sessions recorded, without the header line. */
  entries: readonly Entry[]
  /** Records one event. It is on the disk when this resolves; when it rejects, it never happened. */
  append(type: string, data: JsonData): Promise<Entry>
  /** Waits for what is being written, then gives the file and its lock back. */
  close(): Promise<void>
}

type World = Pick<Effects, 'store' | 'clock'>

const HEADER_TYPE = 'journal'

/**
 * Opens the journal at `path`, or begins it with `header`. Takes its lock (`path` + `.lock`), reads and checks every
 * line, cuts a torn last line off and holds the file for appending.
 *
 * Throws a `JournalError` (held by another program, damaged, newer, of another network or key) or a `FileError`.
 */
export async function openJournal(effects: World, path: string, header: JournalHeader): Promise<Journal> {
  const { release, heldBy } = await effects.store.lock(`${path}.lock`)
  if (release === undefined) throw journalHeld(path, heldBy)
  try {
    const { entries, keepBytes } = readJournal((await effects.store.readText(path)) ?? '')
    const [first, ...rest] = entries
    if (first !== undefined) checkHeader(first, header)
    const writer = await openWriter(effects, path, { keepBytes, last: entries.at(-1) })
    if (first === undefined) await writer.begin(header)
    return { entries: rest, append: writer.append, close: () => closeAndRelease(writer, release) }
  } catch (thrown) {
    await release()
    throw thrown
  }
}

async function closeAndRelease(writer: { close(): Promise<void> }, release: () => Promise<void>) {
  try {
    await writer.close()
  } finally {
    await release()
  }
}

async function openWriter(
  effects: World,
  path: string,
  from: { keepBytes: number; last: Entry | undefined },
) {
  const file = await effects.store.openAppend(path, { keepBytes: from.keepBytes })
  let { last } = from
  let queue: Promise<unknown> = Promise.resolve()

  const write = async (type: string, data: JsonData): Promise<Entry> => {
    const entry = nextEntry(last, effects.clock.nowMs(), { type, data })
    await file.append(encodeEntry(entry))
    last = entry
    return entry
  }
  const append = (type: string, data: JsonData): Promise<Entry> => {
    const run = queue.then(() => write(type, data))
    queue = run.catch(() => undefined)
    return run
  }
  const close = () => queue.then(() => file.close())
  const begin = async (header: JournalHeader) => {
    try {
      await append(HEADER_TYPE, header)
    } catch (thrown) {
      await close()
      throw thrown
    }
  }
  return { append, begin, close }
}

function nextEntry(last: Entry | undefined, nowMs: number, content: { type: string; data: JsonData }): Entry {
  return sealEntry({
    v: JOURNAL_VERSION,
    seq: last === undefined ? 0 : last.seq + 1,
    t: Math.trunc(nowMs),
    ...content,
    prev: last?.sum ?? FIRST_PREV,
  })
}

function checkHeader(first: Entry, header: JournalHeader): void {
  const { data } = first
  if (first.type !== HEADER_TYPE || typeof data !== 'object' || data === null) {
    throw journalDamaged(1, 'it is not the first line of a journal')
  }
  const found = new Map(Object.entries(data))
  for (const [field, expected] of Object.entries(header)) {
    const value = found.get(field)
    if (value !== expected)
      throw journalOfAnother(field, expected, safeText(typeof value === 'string' ? value : 'no text'))
  }
}
