import type { Store } from '../core/base/effects/effects.ts'
import { BaseError } from '../core/base/errors/base.ts'
import { watchError } from '../core/base/errors/watch-config.ts'
import {
  bool,
  type Decoder,
  decimal,
  decodeWhole,
  exactRecord,
  FieldFault,
  hex,
  laterThan,
  list,
  oneOf,
  optional,
  present,
  real,
  refuse,
  text,
  uintIndex,
} from '../core/base/format/decode.ts'
import { JsonFault, jsonText, parseStrictJson } from '../core/base/format/strict-json.ts'
import type { Network } from '../core/chain/network/network.ts'
import type { KnownHead } from '../core/observe/judge-heads.ts'
import {
  type Alarm,
  type EndedAlarm,
  emptyMemory,
  type KnownMargin,
  type KnownValidator,
  type WatchMemory,
} from '../core/observe/memory.ts'
import { EVENT_FIELDS } from '../core/view/alarm-event.ts'

const FORMAT = 1
/** More than a watch of hundreds of validators needs; a larger file is none of ours. */
const MOST_CHARACTERS = 4 * 1024 * 1024

/** What only moved on, such as heads and blocks that were signed, is written so often. */
const REST_MS = 60_000

/** That somebody knew of an alarm, by its id, at a time in Unix milliseconds. */
type Acknowledgement = { id: string; atMs: number }

/** The memory of a watch on the disk. */
export type WatchFile = {
  memory: WatchMemory
  /**
   * Writes it whole when something was told or is known to somebody, else once a minute; `last` in any case. Throws
   * `watch.not-kept`.
   */
  write(memory: WatchMemory, options?: { last: boolean }): Promise<void>
  /** What was acknowledged by a command since the watch began, or before. Throws `watch.acknowledged` and `file.*`. */
  acknowledged(): Promise<readonly Acknowledgement[]>
  close(): Promise<void>
}

/**
 * Opens the memory of the watch of one network, for this process alone. Throws `watch.held` where another process has it,
 * and `watch.damaged` for a file that is not what a watch wrote: it stays as it is.
 */
export async function openWatchFile(
  store: Store,
  { directory, network }: { directory: string; network: Network },
): Promise<WatchFile> {
  const path = `${directory}/watch.json`
  const { release, heldBy } = await store.lock(`${path}.lock`)
  if (release === undefined) throw watchError('watch.held', heldBy)
  try {
    const found = await store.readText(path)
    const memory = found === undefined ? emptyMemory(network) : readMemory(found, path, network)
    let written = memory
    return {
      memory,
      async write(next, { last } = { last: false }) {
        if (!last && !isWorthKeeping(next, written)) return
        await store.writeText(path, memoryText(next), { replace: true }).catch((thrown: unknown) => {
          throw thrown instanceof BaseError ? watchError('watch.not-kept', path, thrown) : thrown
        })
        written = next
      },
      acknowledged: () => readAcknowledged(store, directory),
      close: release,
    }
  } catch (thrown) {
    await release()
    throw thrown
  }
}

const acknowledgements = exactRecord({
  acknowledged: list(exactRecord({ id: text, atMs: real })),
})

/** Returns what `acknowledgeOnDisk` has written. Throws `watch.acknowledged` for a file that is none of ours, and `file.*`. */
async function readAcknowledged(store: Store, directory: string): Promise<readonly Acknowledgement[]> {
  const path = acknowledgedPath(directory)
  const written = await store.readText(path)
  if (written === undefined) return []
  try {
    return decodeWhole(acknowledgements, parseStrictJson(written)).acknowledged
  } catch (thrown) {
    if (!(thrown instanceof FieldFault) && !(thrown instanceof JsonFault)) throw thrown
    throw watchError('watch.acknowledged', path, thrown)
  }
}

const acknowledgedPath = (directory: string): string => `${directory}/watch-acknowledged.json`

/**
 * Writes down that somebody knows of alarms that stand by the memory of a watch: by the id of one, or of all. A watch that
 * runs takes it over with its next look. Returns the alarms. Throws `watch.damaged`, `watch.acknowledged` and `file.*`.
 */
export async function acknowledgeOnDisk(
  store: Store,
  { directory, network, nowMs }: { directory: string; network: Network; nowMs: number },
  id: string,
): Promise<readonly Alarm[]> {
  const path = `${directory}/watch.json`
  const written = await store.readText(path)
  const { alarms } = written === undefined ? emptyMemory(network) : readMemory(written, path, network)
  const known = alarms.filter((alarm) => id === 'all' || alarm.id === id)
  if (known.length === 0) return []
  const before = await readAcknowledged(store, directory)
  // What stands no more is forgotten, so that the file stays small.
  const kept = before.filter((one) => alarms.some((alarm) => alarm.id === one.id && !known.includes(alarm)))
  const acknowledged = [...kept, ...known.map((alarm) => ({ id: alarm.id, atMs: nowMs }))]
  await store.writeText(acknowledgedPath(directory), `${jsonText({ acknowledged })}\n`, { replace: true })
  return known
}

/**
 * Whether a memory must be written: an event was sent or an alarm acknowledged since the last write, or a minute has
 * gone by.
 */
export function isWorthKeeping(next: WatchMemory, written: WatchMemory): boolean {
  return Math.abs(next.lookedMs - written.lookedMs) >= REST_MS || toldOf(next) !== toldOf(written)
}

/** What may not be forgotten: the last event, and which alarms somebody knows of. */
function toldOf({ sequence, alarms }: WatchMemory): string {
  const known = alarms.filter(({ acknowledged }) => acknowledged).map(({ id }) => id)
  return [sequence, ...known].join(' ')
}

/** Encodes a memory as the text of its file. */
export function memoryText(memory: WatchMemory): string {
  return `${jsonText(keptMemory(memory))}\n`
}

/** Encodes a memory as a part of another file; `memoryOf` decodes it. */
export function keptMemory(memory: WatchMemory): object {
  return { format: FORMAT, ...memory }
}

/** Decodes what `keptMemory` made, of any network. */
const anyMemory: Decoder<WatchMemory> = (value, path) => {
  const { format, ...memory } = memoryField(value, path)
  return format === FORMAT ? memory : refuse('format', String(FORMAT), format)
}

/** Decodes what `keptMemory` made for a network. */
export function memoryOf(network: Network): Decoder<WatchMemory> {
  return (value, path) => {
    const memory = anyMemory(value, path)
    if (memory.genesisValidatorsRoot !== network.genesisValidatorsRoot)
      refuse('genesisValidatorsRoot', network.genesisValidatorsRoot, memory.genesisValidatorsRoot)
    return memory
  }
}

/** Reads what `memoryText` wrote for a network. Throws `watch.damaged` and `watch.newer`. */
export function readMemory(text: string, path: string, network: Network): WatchMemory {
  try {
    if (text.length > MOST_CHARACTERS) refuse('', `at most ${MOST_CHARACTERS} characters`, text.length)
    const value = parseStrictJson(text)
    const found = laterThan(FORMAT, value, 'format')
    if (found !== undefined) throw watchError('watch.newer', path, { found, known: FORMAT })
    return decodeWhole(memoryOf(network), value)
  } catch (thrown) {
    if (!(thrown instanceof FieldFault) && !(thrown instanceof JsonFault)) throw thrown
    throw watchError('watch.damaged', path, thrown)
  }
}

/** A whole number of JSON, below zero too. */
const whole: Decoder<number> = (value, path) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : refuse(path, 'a whole number', value)

const alarmField: Decoder<Alarm> = present(
  exactRecord({
    id: text,
    subject: text,
    sinceMs: real,
    toldMs: real,
    times: uintIndex,
    degree: list(whole),
    acknowledged: bool,
    title: text,
    what: text,
    spells: optional(uintIndex),
    firstMs: optional(real),
    quietSinceMs: optional(real),
    ...EVENT_FIELDS,
  }),
)

const endedField: Decoder<EndedAlarm> = exactRecord({
  alarm: EVENT_FIELDS.alarm,
  subject: text,
  sinceMs: real,
  atMs: real,
})

const headField: Decoder<KnownHead> = present(
  exactRecord({
    name: text,
    role: oneOf(['node', 'execution', 'engine']),
    slot: optional(decimal),
    sinceMs: real,
    atMs: real,
    behindSinceMs: optional(real),
    farOff: optional(exactRecord({ sinceMs: real, slot: decimal })),
  }),
)

const marks: Decoder<string> = (value, path) =>
  typeof value === 'string' && /^[01s]{0,100}$/.test(value) ? value : refuse(path, 'at most 100 marks', value)

const margins: Decoder<KnownMargin[]> = list(exactRecord({ epoch: decimal, marginGwei: decimal }))

const validatorField: Decoder<KnownValidator> = present(
  exactRecord({
    pubkey: hex(48),
    wasActive: bool,
    wasLeaving: bool,
    balanceGwei: optional(decimal),
    operator: optional(hex(20)),
    signed: marks,
    signedTo: optional(decimal),
    margins,
  }),
)

const memoryField = present(
  exactRecord({
    format: uintIndex,
    network: text,
    genesisValidatorsRoot: hex(32),
    sequence: uintIndex,
    lookedMs: real,
    depositsTo: optional(decimal),
    depositsTaken: optional(decimal),
    nodeKey: optional(hex(48)),
    heads: list(headField),
    validators: list(validatorField),
    alarms: list(alarmField),
    ended: list(endedField),
  }),
)
