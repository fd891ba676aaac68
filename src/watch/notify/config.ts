import { parse, TomlError } from 'smol-toml'
import type { Effects } from '../../core/base/effects/effects.ts'
import { type ConfigFault, watchError } from '../../core/base/errors/watch-config.ts'
import { type Gwei, readTokens } from '../../core/base/format/amount.ts'
import { bool, type Decoder, optional, refuse, text } from '../../core/base/format/decode.ts'
import { invisibleFault } from '../../core/base/format/drawable.ts'
import { endpointFault } from '../../core/base/format/endpoint-url.ts'
import { readText } from '../../core/base/format/file-text.ts'
import { isHex, strictBase64, ungroupHex } from '../../core/base/format/hex.ts'
import { safeText } from '../../core/base/format/text.ts'
import type { Severity } from '../../core/view/alarm-event.ts'
import { type Channel, channel } from './channels.ts'
import {
  drawableName,
  duration,
  faultsOf,
  hidden,
  listOf,
  matching,
  orElse,
  safeOnTheWay,
  serviceUrl,
  table,
  whole,
} from './fields.ts'
import { SENTENCES } from './text.ts'

/** A validator that the file names, by its public key in one of its two forms or by its index, as on a command line. */
type ConfiguredValidator = { key: string; name: string | undefined }

/** A URL that expects to hear from a watch that runs, and tells its user when it hears nothing. */
export type Ping = { url: string; everyMs: number }

/** What the user's file says of the watch. */
export type WatchConfig = {
  network: string | undefined
  validators: readonly ConfiguredValidator[]
  /** For each role the own endpoint first. */
  endpoints: Readonly<Record<'execution' | 'node' | 'engine', readonly string[]>>
  /** Others may come this near before it is told: in tokens, */
  marginGwei: Gwei
  /** in places above the last one, */
  marginPlaces: number | undefined
  /** and in epochs until nothing is left, by the trend of the last ones. Undefined is not looked at. */
  marginEpochs: number | undefined
  /** From when on blocks that were not signed are too many, in a row and of the last hundred; zero is never. */
  missed: { inARow: number; ofHundred: number }
  /** How often an alarm that stands is told again; undefined is never. */
  repeatMs: Readonly<Record<Severity, number | undefined>>
  quiet: QuietHours | undefined
  channels: readonly Channel[]
  ping: Ping | undefined
}

const DAY_MS = 86_400_000
const MOST = { validators: 1000, endpoints: 10, channels: 20 }

const key: Decoder<string> = (value, path) => {
  const typed = typeof value === 'bigint' ? String(value) : ungroupHex(typeof value === 'string' ? value : '')
  if (isHex(typed, 48)) return typed.toLowerCase()
  if (/^(?:0|[1-9]\d{0,14})$/.test(typed)) return typed
  if (strictBase64(typed, 96) !== undefined) return typed
  const unseen = invisibleFault(typed)
  const why = unseen === undefined ? '' : `. ${unseen}`
  return refuse(path, `a public key, 0x and 96 hex digits or the engine’s base64, or an index${why}`, value)
}

const validator: Decoder<ConfiguredValidator> = table({ key, name: optional(drawableName) })

const endpoint: Decoder<string> = (value, path) => {
  const read = text(value, path)
  return endpointFault(read) === undefined
    ? read
    : refuse(path, 'an http or https URL without a user name or password', value)
}
const endpoints = hidden(listOf(endpoint, MOST.endpoints))

const amount: Decoder<Gwei> = (value, path) => {
  const typed = typeof value === 'bigint' ? String(value) : value
  const read = typeof typed === 'string' ? readTokens(typed) : undefined
  if (read !== undefined && 'amountGwei' in read) return read.amountGwei
  const why = read === undefined ? '' : `. ${read.error}`
  return refuse(path, `an amount of tokens such as 20000 or "20,000.5"${why}`, value)
}

const marginFields = table({
  tokens: orElse(amount, 0n),
  places: optional(whole(1, 100_000)),
  epochs: optional(whole(1, 100_000)),
})

const missed: Decoder<WatchConfig['missed']> = (value, path) => {
  const read = missedFields(value, path)
  return { inARow: read.in_a_row, ofHundred: read.of_hundred }
}
const missedFields = table({
  in_a_row: orElse(whole(0, 10_000), 5n),
  of_hundred: orElse(whole(0, 100), 20n),
})

const often: Decoder<number | undefined> = (value, path) =>
  value === 'never' ? undefined : duration(60_000, 7 * DAY_MS)(value, path)

const timeOfDay: Decoder<number> = (value, path) => {
  const read = matching(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as "22:00"')(value, path)
  return Number(read.slice(0, 2)) * 60 + Number(read.slice(3))
}
const timeZone: Decoder<string> = (value, path) => {
  const expected = 'a time zone such as "Europe/Berlin" or "UTC"'
  const read = matching(/^[A-Za-z0-9_+/-]{1,60}$/, expected)(value, path)
  return isTimeZone(read) ? read : refuse(path, expected, value)
}
const quietFields = table({ from: timeOfDay, to: timeOfDay, time_zone: timeZone }, ({ from, to }, path) => {
  if (from !== undefined && from === to) refuse(`${path}.to`, 'another time than from', to)
})
const quiet: Decoder<QuietHours> = (value, path) => {
  const read = quietFields(value, path)
  return { fromMinute: read.from, toMinute: read.to, timeZone: read.time_zone }
}

const pingFields = table(
  { url: serviceUrl, every: orElse(duration(10_000, DAY_MS), '1m'), allow_http: orElse(bool, false) },
  safeOnTheWay,
)
const ping: Decoder<Ping> = hidden((value, path) => {
  const read = pingFields(value, path)
  return { url: read.url, everyMs: read.every }
})

const wholeFile = table({
  network: optional(matching(/^[^\0]{1,4000}$/, 'the name of a network, or the path of a network file')),
  validator: listOf(validator, MOST.validators),
  endpoints: orElse(table({ execution: endpoints, node: endpoints, engine: endpoints }), {}),
  margin: orElse(marginFields, {}),
  missed: orElse(missed, {}),
  repeat: orElse(
    table({ critical: orElse(often, '30m'), warning: orElse(often, '6h'), info: orElse(often, 'never') }),
    {},
  ),
  quiet: optional(quiet),
  channel: listOf(channel, MOST.channels),
  ping: optional(ping),
})

/**
 * Reads the configuration of the watch. Throws a `watch-config.*` error that names every odd field with what was found,
 * what was expected and what to do, and that never repeats what may be a secret.
 */
export function readWatchConfig(text: string): WatchConfig {
  const source = parseToml(text)
  const read: WatchConfig[] = []
  const faults = faultsOf(() => void read.push(configOf(source)))
  const [config] = read
  if (config === undefined) throw watchError('watch-config.fields', faults)
  const clashes = clashesIn(config)
  if (clashes.length > 0) throw watchError('watch-config.fields', clashes)
  return config
}

function configOf(source: unknown): WatchConfig {
  const { validator, margin, repeat, channel, ...read } = wholeFile(source, '')
  return {
    ...read,
    validators: validator,
    marginGwei: margin.tokens,
    marginPlaces: margin.places,
    marginEpochs: margin.epochs,
    repeatMs: repeat,
    channels: channel,
  }
}

const OTHERS_READ = 0o044
const MAX_FILE_BYTES = 1_048_576

/** Reads the file at `path`; `warning` says where others may read the secrets in it. Throws `file.*` besides. */
export async function loadWatchConfig(
  files: Effects['files'],
  path: string,
): Promise<{ config: WatchConfig; warning?: string }> {
  const written = await readText({ files }, path, MAX_FILE_BYTES)
  if (written.trim() === '') throw watchError('watch-config.empty', safeText(path))
  const facts = await files.facts(path)
  const isOpen = facts?.kind === 'file' && ((facts.mode ?? 0) & OTHERS_READ) !== 0
  return { config: readWatchConfig(written), ...(isOpen ? { warning: SENTENCES.openToOthers(path) } : {}) }
}

function parseToml(text: string): unknown {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (fault) {
    if (!(fault instanceof TomlError)) throw fault
    // What follows the first line repeats the text, which may hold a secret.
    const [reason = ''] = fault.message.split('\n')
    throw watchError('watch-config.unreadable', { line: fault.line, column: fault.column, reason })
  }
}

/** What names the same thing twice. */
function clashesIn({ validators, channels }: WatchConfig): ConfigFault[] {
  const again = (field: string, list: readonly unknown[], expected: string, next: string): ConfigFault[] =>
    list.flatMap((each, at) =>
      each === undefined || list.indexOf(each) === at
        ? []
        : [
            {
              field: `${field.replace('#', String(at))}`,
              found: `the same as ${field.replace('#', String(list.indexOf(each)))}`,
              expected,
              next,
            },
          ],
    )
  return [
    ...again(
      'validator[#].key',
      validators.map(({ key }) => key),
      'a validator once',
      'Remove one of the two.',
    ),
    ...again(
      'validator[#].name',
      validators.map(({ name }) => name),
      'another name for each validator',
      'Rename one of the two.',
    ),
    ...again(
      'channel[#].name',
      channels.map(({ name }) => name),
      'another name for each channel',
      'Give each a name of its own: name = "phone".',
    ),
  ]
}

/** Hours in which only what is critical may call, by the clock of a time zone. They may span midnight. */
export type QuietHours = {
  /** Minutes after midnight. */
  fromMinute: number
  toMinute: number
  /** An IANA name, e.g. `Europe/Berlin`. */
  timeZone: string
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** Until when it is quiet now; undefined where it is not. */
export function quietUntilMs(quiet: QuietHours | undefined, nowMs: number): number | undefined {
  if (quiet === undefined) return undefined
  const { fromMinute, toMinute, timeZone } = quiet
  const minute = minuteOfDay(nowMs, timeZone)
  const isAfterFrom = minute >= fromMinute
  const isBeforeTo = minute < toMinute
  const isQuiet = fromMinute < toMinute ? isAfterFrom && isBeforeTo : isAfterFrom || isBeforeTo
  if (!isQuiet) return undefined
  const left = (toMinute - minute + DAY_MINUTES) % DAY_MINUTES
  return nowMs - (nowMs % MINUTE_MS) + left * MINUTE_MS
}

/** Whether there is a time zone of this name. */
function isTimeZone(name: string): boolean {
  try {
    minuteOfDay(0, name)
    return true
  } catch {
    return false
  }
}

function minuteOfDay(atMs: number, timeZone: string): number {
  const form = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const [hour = '', minute = ''] = form.format(atMs).split(':')
  return Number(hour) * 60 + Number(minute)
}
