import type { Effects } from '../../base/effects/effects.ts'
import { onceSettled } from '../../base/errors/base.ts'
import { JournalError, journalError } from '../../base/errors/journal.ts'
import { type Decoder, exactRecord, FieldFault, hexAsWritten } from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import {
  atLine,
  type Entry,
  encodeEntry,
  FIRST_PREV,
  JOURNAL_VERSION,
  readEvents,
  sealEntry,
} from './entry.ts'
import { decodeEvent, encodeEvent, type JournalEvent } from './events.ts'
import { canonicalJson, type JsonData } from './fields.ts'
import { readJournal } from './replay.ts'

/** What a journal is about; its first line. A journal is opened only for exactly the same. */
export type JournalHeader = { executionGenesisHash: Hex; genesisValidatorsRoot: Hex; pubkey: Hex }

/** A kind of journal: how its first line is read, and how its events are. `H`: the first line, `E`: the events. */
export type JournalKind<H, E> = {
  headerType: string
  decodeHeader: Decoder<H>
  encode(event: E): Content
  decode(type: string, data: JsonData): E
}

const OF_KEY: JournalKind<JournalHeader, JournalEvent> = {
  headerType: 'journal',
  decodeHeader: exactRecord({
    executionGenesisHash: hexAsWritten(32),
    genesisValidatorsRoot: hexAsWritten(32),
    pubkey: hexAsWritten(48),
  }),
  encode: encodeEvent,
  decode: decodeEvent,
}

/** Reads the first line of the journal of a key. Throws a `JournalError`. */
export const decodeKeyHeader = (first: Entry): JournalHeader =>
  atLine(first, ({ data }) => OF_KEY.decodeHeader(data, ''))

/** An open journal, held by this process alone. */
export type Journal<E = JournalEvent> = {
  /** What earlier sessions recorded, oldest first. */
  events: readonly E[]
  /** Records one event. It is on the disk when this resolves; when it rejects, it never happened. */
  append(event: E): Promise<void>
  /** Waits for what is being written, then gives the file and its lock back. */
  close(): Promise<void>
}

type JournalEffects = Pick<Effects, 'store' | 'clock'>

/** What an entry is about. */
type Content = Pick<Entry, 'type' | 'data'>

/** Opens the journal of a key. Throws as `openJournalOf`. */
export function openJournal(effects: JournalEffects, path: string, header: JournalHeader): Promise<Journal> {
  return openJournalOf(effects, path, { header, kind: OF_KEY })
}

/**
 * Opens the journal at `path`, or begins it with `header`. Takes its lock (`path` + `.lock`), reads and checks every
 * line, cuts a torn last line off and holds the file for appending.
 *
 * Throws a `JournalError` (held by another program, damaged, newer, of another network or key) or a `file.*` error.
 */
export async function openJournalOf<H extends Readonly<Record<string, string | number>>, E>(
  effects: JournalEffects,
  path: string,
  { header, kind }: { header: H; kind: JournalKind<H, E> },
): Promise<Journal<E>> {
  const { release, heldBy } = await effects.store.lock(`${path}.lock`)
  if (release === undefined) throw journalError('journal.held', { path }, heldBy)
  try {
    const { entries, keepBytes } = readJournal((await effects.store.readText(path)) ?? '')
    const [first, ...rest] = entries
    if (first !== undefined) checkHeader(first, header, kind)
    const events = readEvents(rest, kind.decode)
    const writer = await openWriter(effects, path, { keepBytes, last: entries.at(-1), kind })
    if (first === undefined) await writer.begin(header)
    return { events, append: writer.append, close: () => closeAndRelease(writer, release) }
  } catch (thrown) {
    await release()
    throw thrown instanceof JournalError ? thrown.at(path) : thrown
  }
}

async function closeAndRelease(writer: { close(): Promise<void> }, release: () => Promise<void>) {
  try {
    await writer.close()
  } finally {
    await release()
  }
}

async function openWriter<H extends JsonData, E>(
  effects: JournalEffects,
  path: string,
  from: { keepBytes: number; last: Entry | undefined; kind: JournalKind<H, E> },
) {
  const { kind } = from
  const file = await effects.store.openAppend(path, { keepBytes: from.keepBytes })
  let { last } = from
  let queue: Promise<unknown> = Promise.resolve()

  const write = async (content: Content): Promise<void> => {
    const entry = nextEntry(last, effects.clock.nowMs(), content)
    await file.append(encodeEntry(entry))
    last = entry
  }
  const inTurn = (content: Content): Promise<void> => {
    const run = queue.then(() => write(content))
    queue = onceSettled(run)
    return run
  }
  const append = async (event: E) => inTurn(readable(kind.encode(event), kind))
  const close = () => queue.then(() => file.close())
  const begin = async (header: H) => {
    try {
      await inTurn({ type: kind.headerType, data: header })
    } catch (thrown) {
      await close()
      throw thrown
    }
  }
  return { append, begin, close }
}

function nextEntry(last: Entry | undefined, nowMs: number, content: Content): Entry {
  return sealEntry({
    v: JOURNAL_VERSION,
    seq: last === undefined ? 0 : last.seq + 1,
    t: Math.trunc(nowMs),
    ...content,
    prev: last?.sum ?? FIRST_PREV,
  })
}

/** Throws a `JournalError` for what the next start could not read: better that nothing happens now than never again. */
function readable<H, E>(content: Content, { decode }: JournalKind<H, E>): Content {
  try {
    canonicalJson(content.data)
    decode(content.type, content.data)
  } catch (fault) {
    if (fault instanceof FieldFault || fault instanceof RangeError)
      throw journalError('journal.unwritable', content.type, fault.message)
    throw fault
  }
  return content
}

function checkHeader<H extends Readonly<Record<string, string | number>>, E>(
  first: Entry,
  header: H,
  { headerType, decodeHeader }: JournalKind<H, E>,
): void {
  if (first.type !== headerType)
    throw journalError('journal.damaged', 1, 'it is not the first line of a journal')
  const found = atLine(first, ({ data }) => decodeHeader(data, ''))
  for (const field of Object.keys(header))
    if (found[field] !== header[field])
      throw journalError('journal.another', 'opened', {
        field,
        found: String(found[field]),
        expected: String(header[field]),
      })
}
