import { outboxDamaged } from '../../core/base/errors/watch-config.ts'
import {
  type Decoder,
  decodeWhole,
  exactRecord,
  FieldFault,
  list,
  oneOf,
  present,
  real,
  refuse,
  text,
  uintIndex,
} from '../../core/base/format/decode.ts'
import { JsonFault, jsonText, parseStrictJson } from '../../core/base/format/strict-json.ts'
import { shortened } from '../../core/base/format/text.ts'
import { EVENT_FIELDS, type WatchEvent } from '../../core/view/alarm-event.ts'
import { drawableName } from './fields.ts'
import type { ChannelQueue, Outbox } from './outbox.ts'

const VERSION = 1
const LONGEST = { title: 200, what: 1000, next: 1000 } as const

const event: Decoder<WatchEvent> = present(
  exactRecord({
    id: text,
    sequence: uintIndex,
    atMs: real,
    network: text,
    change: oneOf(['fired', 'repeated', 'worse', 'cleared']),
    title: text,
    what: text,
    ...EVENT_FIELDS,
  }),
)

const queue = exactRecord({
  waiting: list(event),
  held: list(event),
  told: list(exactRecord({ id: text, severity: EVENT_FIELDS.severity })),
  dropped: uintIndex,
})

const queues: Decoder<Record<string, ChannelQueue>> = (value, path) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(path, 'a record', value)
  const entries = Object.entries(value).map(([name, content]: [string, unknown]): [string, ChannelQueue] => [
    drawableName(name, path),
    { ...queue(content, `${path}.${name}`), failures: 0, refusals: 0, dueMs: 0, reason: '', underWay: false },
  ])
  return Object.fromEntries(entries)
}

const file = exactRecord({
  version: (value: unknown, path: string) => (value === VERSION ? VERSION : refuse(path, '1', value)),
  taken: list(text),
  queues,
})

/** Returns what of the outbox is kept: events and the names of channels, never an address or a key of one. */
export function encodeOutbox({ queues: all, taken }: Outbox): string {
  const kept = Object.entries(all).map(([name, { waiting, held, told, dropped }]) => [
    name,
    { waiting, held, told, dropped },
  ])
  const body = { version: VERSION, taken, queues: Object.fromEntries(kept) as object }
  return `${jsonText(body)}\n`
}

/** Reads what `encodeOutbox` wrote. Throws `outbox.damaged`. */
export function decodeOutbox(written: string, path: string): Outbox {
  try {
    const { taken, queues: read } = decodeWhole(file, parseStrictJson(written))
    return { taken, queues: read }
  } catch (fault) {
    if (fault instanceof FieldFault || fault instanceof JsonFault) throw outboxDamaged(path, fault.message)
    throw fault
  }
}

/** Returns the same event with texts of a bounded length, so that the file is bounded, too. */
export function boundedEvent(event: WatchEvent): WatchEvent {
  const { title, what, next } = event
  return {
    ...event,
    title: shortened(title, LONGEST.title),
    what: shortened(what, LONGEST.what),
    ...(next === undefined ? {} : { next: shortened(next, LONGEST.next) }),
  }
}
