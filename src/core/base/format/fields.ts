import { isRecord } from './decode.ts'
import { type Hex, isHex } from './hex.ts'
import { safeText } from './text.ts'

/** What is wrong with one field of something that came from outside. All texts are safe to draw. */
export type FieldProblem = { field: string; found: string; expected: string }

/** Makes the error of the caller's own domain out of a problem. */
type FieldFailure = (problem: FieldProblem) => Error

export type FieldReader = {
  /** Full name of a field, e.g. `app_state.beacon.deposits[3].amount`. */
  name(key: string): string
  text(key: string): string
  /** Hexadecimal of exactly `byteLength` bytes; lower case in the answer. */
  hex(key: string, byteLength: number): Hex
  /** A JSON number that is a whole number from 0 to 2^53 − 1. */
  index(key: string): number
  /** A decimal or 0x-hex string of at most 64 bits. */
  uint64(key: string): bigint
  flag(key: string): boolean
  object(key: string): FieldReader
  list(key: string): readonly unknown[]
  /** Whether the field is there and not null. */
  has(key: string): boolean
  /** Refuses every field that is not named. */
  only(keys: readonly string[]): void
  fail(key: string, expected: string): never
}

export type FieldOptions = {
  /** Name of the value itself, '' for the outermost. */
  path: string
  fail: FieldFailure
  /** True where values must never be repeated in a message. */
  secret?: boolean
}

const MAX_FOUND = 80
const MAX_UINT64 = 2n ** 64n - 1n

/**
 * Reads the fields of a parsed JSON object strictly: each has one accepted form, and a wrong one is named with
 * what was found and what was expected. Throws what `options.fail` makes of the problem.
 *
 * For files and messages of this computer: their faults are errors of their own kind, a form may depend on another
 * field, and with `secret` no value is ever repeated. What an endpoint says and what a settings file holds has one
 * shape, and is read by the decoders of `decode.ts`.
 */
export function readFields(value: unknown, options: FieldOptions): FieldReader {
  if (!isRecord(value)) {
    const field = options.path === '' ? 'content' : options.path
    throw options.fail({ field, found: describe(value, options), expected: 'an object' })
  }
  const get = (key: string) => (Object.hasOwn(value, key) ? value[key] : undefined)
  const name = (key: string) => (options.path === '' ? key : `${options.path}.${key}`)
  const fail = (key: string, expected: string): never => {
    throw options.fail({ field: safeText(name(key)), found: describe(get(key), options), expected })
  }
  const take = <T>(key: string, read: (found: unknown) => T | undefined, expected: string): T =>
    read(get(key)) ?? fail(key, expected)
  return {
    name,
    fail,
    text: (key) => take(key, (found) => (typeof found === 'string' ? found : undefined), 'a text'),
    hex: (key, byteLength) => {
      const read = (found: unknown) => (isHex(found, byteLength) ? (found.toLowerCase() as Hex) : undefined)
      return take(key, read, `0x and ${2 * byteLength} hex digits`)
    },
    index: (key) => take(key, wholeNumber, 'a whole number'),
    uint64: (key) => take(key, parseUint64, 'a whole number of at most 64 bits, as text'),
    flag: (key) => take(key, (found) => (typeof found === 'boolean' ? found : undefined), 'true or false'),
    object: (key) => readFields(get(key), { ...options, path: name(key) }),
    list: (key) => take(key, (found) => (Array.isArray(found) ? (found as unknown[]) : undefined), 'a list'),
    has: (key) => get(key) !== undefined && get(key) !== null,
    only: (keys) => {
      const extra = Object.keys(value).find((key) => !keys.includes(key))
      if (extra !== undefined) fail(extra, 'no such field')
    },
  }
}

/** Reads the text of a JSON file or message; throws what `fail` makes where it is none. Nothing of it is repeated. */
export function readJson(text: string, fail: () => Error): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw fail()
  }
}

function wholeNumber(found: unknown): number | undefined {
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined
}

/** Returns a decimal (no leading zeros) or 0x-hex text of at most 64 bits as bigint, else undefined. */
export function parseUint64(text: unknown): bigint | undefined {
  if (typeof text !== 'string' || !/^(?:0|[1-9]\d{0,19}|0x[0-9a-f]{1,16})$/i.test(text)) return undefined
  const value = BigInt(text)
  return value <= MAX_UINT64 ? value : undefined
}

function describe(value: unknown, options: FieldOptions): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (options.secret === true) return `a ${typeof value} (not shown)`
  if (typeof value !== 'string') return safeText(value, MAX_FOUND)
  return value === '' ? 'an empty text' : `"${safeText(value, MAX_FOUND)}" (${value.length} characters)`
}
