import { type Hex, isHex } from './hex.ts'
import { safeText } from './text.ts'

/** What is wrong with one field of something that was read. All parts are safe to draw. */
export class FieldFault extends Error {
  /** Where, e.g. `data[3].validator.pubkey`. */
  readonly path: string
  readonly expected: string
  readonly found: string

  constructor(path: string, expected: string, found: string) {
    super(`${path}: expected ${expected}, found ${found}`)
    this.name = 'FieldFault'
    this.path = path
    this.expected = expected
    this.found = found
  }
}

/**
 * Reads a value that was found at `path`, or throws a `FieldFault` that names it. Decoders are put together into the
 * shape of a whole reply or settings file. Never for what may hold a secret: a fault repeats what was found (see
 * `fields.ts`). A schema of TypeBox takes twelve times as long to decode a set of validators, and doesn't say what was found.
 */
export type Decoder<T> = (value: unknown, path: string) => T
type Shape = Readonly<Record<string, Decoder<unknown>>>
type Decoded<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> }

/** What is found where there is no field. */
export const NOTHING = 'nothing'

const UINT64_MAX = (1n << 64n) - 1n
const UINT256_MAX = (1n << 256n) - 1n

/** Refuses a value: always throws a `FieldFault`. */
export function refuse(path: string, expected: string, value: unknown): never {
  throw new FieldFault(path === '' ? 'the whole' : path, expected, describe(value))
}

/** Returns a record with the given fields. Fields that are not named here are ignored. */
export function record<S extends Shape>(shape: S): Decoder<Decoded<S>> {
  const fields = Object.entries(shape)
  return (value, path) => {
    const source = asRecord(value, path)
    const decoded: Record<string, unknown> = {}
    for (const [key, decode] of fields) decoded[key] = decode(own(source, key), fieldPath(path, key))
    return decoded as Decoded<S>
  }
}

/** Returns a record with exactly the given fields: any other key is refused by name. */
export function exactRecord<S extends Shape>(shape: S): Decoder<Decoded<S>> {
  const inner = record(shape)
  return (value, path) => {
    const extra = Object.keys(asRecord(value, path)).find((key) => !Object.hasOwn(shape, key))
    if (extra !== undefined)
      refuse(fieldPath(path, safeText(extra, 40)), 'no such field', own(asRecord(value, path), extra))
    return inner(value, path)
  }
}

/** The field may be absent: then undefined. `null` is not absent. */
export function optional<T>(decode: Decoder<T>): Decoder<T | undefined> {
  return (value, path) => (value === undefined ? undefined : decode(value, path))
}

/** Leaves the fields out that are absent, as the types have it. */
export function present<T extends object>(decode: Decoder<T>): Decoder<Present<T>> {
  return (value, path) =>
    Object.fromEntries(
      Object.entries(decode(value, path)).filter(([, field]) => field !== undefined),
    ) as Present<T>
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** The field may be `null` or absent: then undefined. */
export function nullable<T>(decode: Decoder<T>): Decoder<T | undefined> {
  return (value, path) => (value === undefined || value === null ? undefined : decode(value, path))
}

/** The field must be there, and may be `null`: then undefined. */
export function orNull<T>(decode: Decoder<T>): Decoder<T | undefined> {
  return (value, path) => (value === null ? undefined : decode(value, path))
}

/**
 * Decodes one entry of a long list. Where it stands is only spelt out once something is wrong with it: a million
 * names that nobody reads would be most of the work. Throws a `FieldFault`.
 */
export function decodeEntry<T>(decode: Decoder<T>, entry: unknown, place: { list: string; at: number }): T {
  try {
    return decode(entry, '')
  } catch (thrown) {
    if (!(thrown instanceof FieldFault)) throw thrown
    return decode(entry, `${place.list}[${place.at}]`)
  }
}

/** A list whose every entry is read by `decode`. */
export function list<T>(decode: Decoder<T>): Decoder<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) return refuse(path, 'a list', value)
    return value.map((entry: unknown, at) => decodeEntry(decode, entry, { list: path, at }))
  }
}

/** Returns one of a fixed set of texts. */
export function oneOf<const T extends string>(words: readonly T[]): Decoder<T> {
  return (value, path) =>
    words.find((word) => word === value) ?? refuse(path, `one of ${words.join(', ')}`, value)
}

/** Any text of at most 10,000 characters. */
export const text: Decoder<string> = (value, path) =>
  typeof value === 'string' && value.length <= 10_000 ? value : refuse(path, 'a text', value)

/** A number of JSON, such as milliseconds of a clock. */
export const real: Decoder<number> = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) ? value : refuse(path, 'a number', value)

export const bool: Decoder<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : refuse(path, 'true or false', value)

/** 0x hexadecimal of whole bytes, of `byteLength` bytes when given; comes out in lower case. */
export function hex(byteLength?: number): Decoder<Hex> {
  const asWritten = hexAsWritten(byteLength)
  return (value, path) => asWritten(value, path).toLowerCase() as Hex
}

/** Returns the same, with the capitals of its checksum where it has one. */
export function hexAsWritten(byteLength?: number): Decoder<Hex> {
  const expected =
    byteLength === undefined ? '0x hexadecimal of whole bytes' : `${byteLength} bytes of 0x hexadecimal`
  return (value, path) => (isHex(value, byteLength) ? value : refuse(path, expected, value))
}

/** A decimal text without sign or leading zeros that fits 64 bits. */
export const decimal: Decoder<bigint> = (value, path) =>
  within(path, 'a decimal number of at most 64 bits', value, /^(?:0|[1-9]\d{0,19})$/, UINT64_MAX)

/** A decimal text without sign or leading zeros that fits 256 bits. */
export const decimal256: Decoder<bigint> = (value, path) =>
  within(path, 'a decimal number of at most 256 bits', value, /^(?:0|[1-9]\d{0,77})$/, UINT256_MAX)

/** A decimal text below 2^53, as a number. */
export const decimalIndex: Decoder<number> = (value, path) => {
  const read = decimal(value, path)
  return read <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(read)
    : refuse(path, 'a decimal number below 2^53', value)
}

/** A hex quantity as Ethereum clients write it: 0x, no leading zeros, at most 256 bits. */
export const quantity: Decoder<bigint> = (value, path) =>
  within(path, 'a hex quantity', value, /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/i, UINT256_MAX)

/** A hex quantity that fits 64 bits. */
export const quantity64: Decoder<bigint> = (value, path) => {
  const read = quantity(value, path)
  return read <= UINT64_MAX ? read : refuse(path, 'a hex quantity of at most 64 bits', value)
}

/** A hex quantity below 2^53, as a number. */
export const quantityIndex: Decoder<number> = (value, path) => {
  const read = quantity(value, path)
  return read <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(read)
    : refuse(path, 'a hex quantity below 2^53', value)
}

/** A bare whole number, zero or more, that fits 64 bits. */
export const uint: Decoder<bigint> = (value, path) => {
  const whole = typeof value === 'bigint' || Number.isSafeInteger(value)
  const read = whole ? BigInt(value as bigint | number) : -1n
  return read >= 0n && read <= UINT64_MAX ? read : refuse(path, 'a whole number of at most 64 bits', value)
}

/** A bare whole number, zero or more, below 2^53, as a number. */
export const uintIndex: Decoder<number> = (value, path) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : refuse(path, 'a whole number below 2^53', value)

/** Returns the format number in a field of a file, where that is above the one that is known here; else undefined. */
export function laterThan(known: number, value: unknown, field: string): number | undefined {
  const found = isRecord(value) ? own(value, field) : undefined
  return typeof found === 'number' && Number.isSafeInteger(found) && found > known ? found : undefined
}

/** Runs `decode` on a whole value, so that paths start at its own fields. */
export function decodeWhole<T>(decode: Decoder<T>, value: unknown): T {
  return decode(value, '')
}

function within(path: string, expected: string, value: unknown, form: RegExp, max: bigint): bigint {
  if (typeof value !== 'string' || !form.test(value)) return refuse(path, expected, value)
  const read = BigInt(value)
  return read <= max ? read : refuse(path, expected, value)
}

/** Whether a value is an object of JSON. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function asRecord(value: unknown, path: string): Record<string, unknown> {
  return isRecord(value) ? value : refuse(path, 'a record', value)
}

function own(source: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(source, key) ? source[key] : undefined
}

/** Returns the full name of a field, e.g. `deposits.amount`; `path` is '' for a field of the outermost value. */
export function fieldPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function describe(value: unknown): string {
  if (value === undefined) return NOTHING
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'a record'
  return typeof value === 'string' ? `"${safeText(value, 60)}"` : safeText(value, 60)
}
