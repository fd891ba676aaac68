import type { ConfigFault } from '../../core/base/errors/watch-config.ts'
import {
  type Decoder,
  FieldFault,
  fieldPath,
  isRecord,
  NOTHING,
  refuse,
  text,
  uint,
} from '../../core/base/format/decode.ts'
import { isDrawable } from '../../core/base/format/drawable.ts'
import { endpointFault, isLoopbackUrl } from '../../core/base/format/endpoint-url.ts'
import { nearWord } from '../../core/base/format/near-word.ts'
import { safeText } from '../../core/base/format/text.ts'

/** Everything that is wrong with a part of the file. */
class ConfigFaults extends Error {
  readonly faults: readonly ConfigFault[]

  constructor(faults: readonly ConfigFault[]) {
    super('odd fields')
    this.name = 'ConfigFaults'
    this.faults = faults
  }
}

/** The fields of a table, each with how it is read. */
export type Shape = Readonly<Record<string, Decoder<unknown>>>
/** What is read of such a table. */
export type Decoded<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> }

type Also = (source: Readonly<Record<string, unknown>>, path: string) => void

const HIDDEN = '(not shown)'

/**
 * A table with the given fields and no others. It is read to its end: what is thrown holds every odd field, not the
 * first alone. What stands under an unknown name is never repeated, for it may be a secret under a mistyped one. `also`
 * looks at fields that depend on each other, as they were found.
 */
export function table<S extends Shape>(shape: S, also: Also = () => undefined): Decoder<Decoded<S>> {
  const known = Object.keys(shape)
  return (value, path) => {
    const source = asTable(value, path)
    const faults = Object.keys(source)
      .filter((key) => !known.includes(key))
      .map((key) => unknownField(fieldPath(path, safeText(key, 40)), nearWord(key, known)))
    const decoded: Record<string, unknown> = {}
    for (const [key, decode] of Object.entries(shape))
      faults.push(
        ...faultsOf(() => {
          decoded[key] = decode(Object.hasOwn(source, key) ? source[key] : undefined, fieldPath(path, key))
        }),
      )
    faults.push(...faultsOf(() => also(source, path)))
    if (faults.length > 0) throw new ConfigFaults(faults)
    return decoded as Decoded<S>
  }
}

/** A list whose entries are all read, up to `most`; an absent one is empty. */
export function listOf<T>(decode: Decoder<T>, most: number): Decoder<T[]> {
  return (value, path) => {
    if (value === undefined) return []
    if (!Array.isArray(value)) return refuse(path, 'a list', undefined)
    if (value.length > most) return refuse(path, `a list of at most ${most}`, value)
    const decoded: T[] = []
    const faults = value.flatMap((entry: unknown, index) =>
      faultsOf(() => void decoded.push(decode(entry, `${path}[${index}]`))),
    )
    if (faults.length > 0) throw new ConfigFaults(faults)
    return decoded
  }
}

/** Reads a field of the file, or takes a default where it is absent. */
export function orElse<T>(decode: Decoder<T>, absent: unknown): Decoder<T> {
  return (value, path) => decode(value === undefined ? absent : value, path)
}

/** Reads a field that may hold secrets: no fault repeats what was found in it. */
export function hidden<T>(decode: Decoder<T>): Decoder<T> {
  return (value, path) => {
    const read: T[] = []
    const faults = faultsOf(() => void read.push(decode(value, path)))
    const [first] = read
    if (faults.length === 0) return first as T
    throw new ConfigFaults(
      faults.map((fault) => ({ ...fault, found: fault.found === NOTHING ? NOTHING : HIDDEN })),
    )
  }
}

/** Reads a text that matches a pattern. */
export function matching(form: RegExp, expected: string): Decoder<string> {
  return (value, path) =>
    typeof value === 'string' && form.test(value) ? value : refuse(path, expected, value)
}

/** Reads a whole number within limits, both included. */
export function whole(least: number, most: number): Decoder<number> {
  const expected = `a whole number from ${least} to ${most}`
  return (value, path) => {
    const read =
      typeof value === 'bigint' ? uint(value < 0n ? -1n : value, path) : refuse(path, expected, value)
    return read >= BigInt(least) && read <= BigInt(most) ? Number(read) : refuse(path, expected, value)
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a duration such as `30s`, `10m`, `6h` or `1d`, within limits, in milliseconds. */
export function duration(leastMs: number, mostMs: number): Decoder<number> {
  const expected = `a time such as 30s, 10m, 6h or 1d, from ${leastMs / 1000} s to ${mostMs / 1000} s`
  return (value, path) => {
    const [, count = '', unit = ''] =
      typeof value === 'string' ? (/^(\d{1,6})([smhd])$/.exec(value) ?? []) : []
    const ms = Number(count) * (UNIT_MS[unit] ?? Number.NaN)
    return ms >= leastMs && ms <= mostMs ? ms : refuse(path, expected, value)
  }
}

/** Runs `work` and returns its faults as the lines of an error; an empty list where there are none. */
export function faultsOf(work: () => void): ConfigFault[] {
  try {
    work()
    return []
  } catch (thrown) {
    if (thrown instanceof ConfigFaults) return [...thrown.faults]
    if (!(thrown instanceof FieldFault)) throw thrown
    const { path, found, expected } = thrown
    return [{ field: path, found, expected, next: found === NOTHING ? `Add ${path}.` : `Correct ${path}.` }]
  }
}

function unknownField(field: string, near: string | undefined): ConfigFault {
  const next = near === undefined ? `Remove ${field}.` : `Did you mean ${near}? Otherwise remove ${field}.`
  return { field, found: HIDDEN, expected: 'no field of this name', next }
}

function asTable(value: unknown, path: string): Record<string, unknown> {
  if (isRecord(value) && !(value instanceof Date)) return value
  // What stands in place of a table may be a secret.
  throw new FieldFault(path, 'a table', value === undefined ? NOTHING : HIDDEN)
}

const URL_WORDS = {
  'no-address': 'an https URL',
  credentials: 'a URL without a user name or password; give them in headers or token',
}

/** What is sent over plain http can be read by everybody on the way, the secret included. */
export function safeOnTheWay({ url, allow_http }: Readonly<Record<string, unknown>>, path: string): void {
  const isPlain = typeof url === 'string' && endpointFault(url) === undefined && /^http:/i.test(url)
  if (isPlain && !isLoopbackUrl(url) && allow_http !== true)
    refuse(`${path}.url`, 'https, or allow_http = true beside it', url)
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}$/
const HEADER_VALUE = /^[\x20-\x7e]{1,4000}$/
/** What the exchange itself decides. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'content-type',
  'expect',
])

/** A name for people: it can be drawn, and is at most 40 characters long. */
export const drawableName: Decoder<string> = (value, path) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 40 && [...value].every(isDrawable)
    ? value
    : refuse(path, 'a name of 1 to 40 letters, digits and signs', value)

/** The address of a service of the user: https, or http where it is this computer. It may hold a secret. */
export const serviceUrl: Decoder<string> = (value, path) => {
  const read = text(value, path)
  const fault = endpointFault(read)
  return fault === undefined ? read : refuse(path, URL_WORDS[fault], value)
}

/** Headers of a webhook. Their values may be secrets, so a fault names the header alone. */
export const headers: Decoder<Readonly<Record<string, string>>> = (value = {}, path) => {
  if (!isRecord(value)) return refuse(path, 'a table', value)
  for (const [name, content] of Object.entries(value)) {
    if (!HEADER_NAME.test(name)) return refuse(path, 'names of HTTP headers', value)
    if (OWN_HEADERS.has(name.toLowerCase()))
      return refuse(`${path}.${name}`, 'no header of this name', content)
    if (typeof content !== 'string' || !HEADER_VALUE.test(content))
      return refuse(`${path}.${name}`, 'a text of printable ASCII characters', content)
  }
  return { ...(value as Record<string, string>) }
}

/** The number of a chat, or the name of a channel. */
export const chatId: Decoder<string> = (value, path) =>
  matching(/^(?:-?\d{1,20}|@\w{4,40})$/, 'the number of a chat, or @name of a channel')(
    typeof value === 'bigint' ? String(value) : value,
    path,
  )

const words = listOf(matching(/^[^\0]{1,4000}$/, 'a text'), 50)
/** A program by its whole path, and its fixed arguments. */
export const channelCommand: Decoder<readonly [string, ...string[]]> = (value, path) => {
  const [program, ...rest] = words(value, path)
  const isWhole = program !== undefined && (/^\/[^\0]+$/.test(program) || /^[A-Za-z]:[\\/]/.test(program))
  return isWhole
    ? [program, ...rest]
    : refuse(path, 'a list that begins with the whole path of a program', value)
}
