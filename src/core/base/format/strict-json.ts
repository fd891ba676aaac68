/** Why a text is not JSON of the kind that is accepted here. `offset` counts characters from the start. */
export class JsonFault extends Error {
  readonly reason: string
  readonly offset: number

  constructor(reason: string, offset: number) {
    super(`${reason} at character ${offset}`)
    this.name = 'JsonFault'
    this.reason = reason
    this.offset = offset
  }
}

/** How deep a text may be nested where nothing else is said. */
const DEEPEST = 32
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\n\r]*/y
const WORDS = new Map<string, { name: string; value: boolean | null }>([
  ['t', { name: 'true', value: true }],
  ['f', { name: 'false', value: false }],
  ['n', { name: 'null', value: null }],
])

type Cursor = { text: string; at: number; maxDepth: number }

/**
 * Reads JSON (RFC 8259) more strictly than `JSON.parse`: a key that comes twice in one object and nesting deeper
 * than `maxDepth` are refused, and a whole number beyond 2^53 becomes a bigint read from the source text, so no
 * digit is lost. Objects have no prototype. Throws a `JsonFault`.
 */
export function parseStrictJson(text: string, options: { maxDepth?: number } = {}): unknown {
  const cursor: Cursor = { text, at: 0, maxDepth: options.maxDepth ?? DEEPEST }
  skipSpace(cursor)
  const value = readValue(cursor, 1)
  skipSpace(cursor)
  if (cursor.at !== text.length) throw new JsonFault('unexpected text after the value', cursor.at)
  return value
}

function readValue(cursor: Cursor, depth: number): unknown {
  const first = cursor.text.charAt(cursor.at)
  if (first === '"') return readString(cursor)
  if (first !== '{' && first !== '[') return readScalar(cursor, first)
  if (depth > cursor.maxDepth) throw new JsonFault(`nested deeper than ${cursor.maxDepth}`, cursor.at)
  return first === '{' ? readObject(cursor, depth) : readArray(cursor, depth)
}

function readObject(cursor: Cursor, depth: number): Record<string, unknown> {
  const object = Object.create(null) as Record<string, unknown>
  if (opensEmpty(cursor, '}')) return object
  while (true) {
    const keyAt = cursor.at
    if (cursor.text.charAt(keyAt) !== '"') throw new JsonFault('a key is missing', keyAt)
    const key = readString(cursor)
    if (key in object) throw new JsonFault('the same key comes twice', keyAt)
    skipSpace(cursor)
    expect(cursor, ':')
    object[key] = readValue(cursor, depth + 1)
    if (closes(cursor, '}')) return object
  }
}

function readArray(cursor: Cursor, depth: number): unknown[] {
  const array: unknown[] = []
  if (opensEmpty(cursor, ']')) return array
  while (true) {
    array.push(readValue(cursor, depth + 1))
    if (closes(cursor, ']')) return array
  }
}

function opensEmpty(cursor: Cursor, end: string): boolean {
  cursor.at += 1
  skipSpace(cursor)
  if (cursor.text.charAt(cursor.at) !== end) return false
  cursor.at += 1
  return true
}

/** After an element: true at the end of the collection, false after a comma. */
function closes(cursor: Cursor, end: string): boolean {
  skipSpace(cursor)
  if (cursor.text.charAt(cursor.at) === end) {
    cursor.at += 1
    return true
  }
  expect(cursor, ',')
  return false
}

function expect(cursor: Cursor, character: string): void {
  if (cursor.text.charAt(cursor.at) !== character) {
    throw new JsonFault(
      cursor.at >= cursor.text.length ? 'the text ends too early' : `${character} is missing`,
      cursor.at,
    )
  }
  cursor.at += 1
  skipSpace(cursor)
}

function readString(cursor: Cursor): string {
  let end = cursor.text.indexOf('"', cursor.at + 1)
  while (end > 0 && isEscaped(cursor.text, end)) end = cursor.text.indexOf('"', end + 1)
  if (end < 0) throw new JsonFault('a text does not end', cursor.at)
  try {
    const value = JSON.parse(cursor.text.slice(cursor.at, end + 1)) as string
    cursor.at = end + 1
    return value
  } catch {
    throw new JsonFault('a text is not well formed', cursor.at)
  }
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charAt(at - 1 - backslashes) === '\\') backslashes += 1
  return backslashes % 2 === 1
}

function readScalar(cursor: Cursor, first: string): unknown {
  const word = WORDS.get(first)
  const start = cursor.at
  if (word !== undefined) {
    if (!cursor.text.startsWith(word.name, start)) throw new JsonFault('unknown word', start)
    cursor.at += word.name.length
    return word.value
  }
  const source = match(cursor, NUMBER)
  if (source === undefined) {
    throw new JsonFault(start >= cursor.text.length ? 'the text ends too early' : 'a value is missing', start)
  }
  const value = Number(source)
  return !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0]
  if (found !== undefined) cursor.at += found.length
  return found
}

function skipSpace(cursor: Cursor): void {
  match(cursor, SPACE)
}

/** A whole number that a double may not hold. */
const LONG_NUMBER = /(?:^|[:[,])\s*-?\d{16}/
const QUOTE = 0x22

/**
 * Reads a JSON list exactly as `parseStrictJson` does, several times as fast, given how many colons stand outside
 * its texts: a key that came twice leaves fewer keys than colons. What the engine's own parser could lose takes the
 * slow way. Throws a `JsonFault`.
 */
export function parseStrictList(
  text: string,
  options: { colons: number; maxDepth?: number },
): readonly unknown[] {
  const value = parseFast(text, options.colons) ?? parseStrictJson(text, options)
  if (!Array.isArray(value)) throw new JsonFault('a list is missing', 0)
  return value
}

/**
 * Reads any JSON exactly as `parseStrictJson` does, several times as fast where it is written as programs write it:
 * without escapes, and with nothing between a key and its colon. All else takes the slow way. Its objects may have a
 * prototype: they are for who asks whether a field is their own. Throws a `JsonFault`.
 */
export function parseStrictReply(text: string): unknown {
  const keys = keysIn(text)
  return (keys === undefined ? undefined : parseFast(text, keys)) ?? parseStrictJson(text)
}

/**
 * How many keys a text without escapes writes down, if it is JSON: every quote begins or ends a text, so a colon right
 * after one is that of a key, or begins a text and makes too many. undefined where that cannot be told so easily.
 */
function keysIn(text: string): number | undefined {
  let keys = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1)
    if (before === QUOTE) keys += 1
    else if (before <= 0x20) return undefined
  }
  return keys
}

/**
 * undefined for what is read slowly. That is every text with an escape: the parser of V8 13.6 takes an escaped key for one of
 * the same length that begins as it is written, where it has read that before (`"\""` becomes `"\\"`).
 */
function parseFast(text: string, keys: number): unknown {
  if (text.includes('\\') || LONG_NUMBER.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return countKeys(value, DEEPEST) === keys ? value : undefined
  } catch {
    return undefined
  }
}

/** The keys of a value and of all that is in it; not a number where it is nested deeper than so many levels. */
function countKeys(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return Number.NaN
  let count = 0
  if (Array.isArray(value)) {
    for (const entry of value) count += countKeys(entry, levels - 1)
    return count
  }
  const object = value as Record<string, unknown>
  for (const key in object) count += 1 + countKeys(object[key], levels - 1)
  return count
}

/** A value as JSON text, whole numbers of any size as decimal text. `indent`: spaces a level; none: one line. */
export function jsonText(value: object, { indent }: { indent?: number } = {}): string {
  const plain = (_: string, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)
  return JSON.stringify(value, plain, indent)
}
