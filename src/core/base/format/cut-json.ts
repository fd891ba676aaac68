import { type HeldBytes, holdBytes } from './hex.ts'
import { JsonFault, parseStrictJson, parseStrictList } from './strict-json.ts'

/** Gets the entries of one list in order, some hundreds at a time; `first` is the place of the first of them. */
export type ListTaker = (entries: readonly unknown[], first: number) => void

/** Reads one large JSON text in pieces. */
export type JsonCutter = {
  write(piece: Uint8Array): void
  /** The value of the whole text, with every list that was handed on left empty. */
  end(): unknown
  receivedBytes(): number
}

export type CutOptions = {
  /** Where a slice is cut: at the next border between entries. */
  sliceBytes?: number
  /** Longest entry, and longest text outside the lists. */
  maxHeldBytes?: number
}

type Container = { list: boolean; key: string }

/** A list being handed on: what is held of it, and where its last border between entries is. */
type OpenList = {
  taker: ListTaker
  handed: number
  border: number
  startsAt: number
  /** Colons outside of texts, in all that is held and up to the border. */
  colons: number
  colonsAtBorder: number
}

type Cut = {
  lists: Readonly<Record<string, ListTaker>>
  sliceBytes: number
  maxHeldBytes: number
  held: HeldBytes
  frame: HeldBytes
  stack: Container[]
  depth: number
  inString: boolean
  escaped: boolean
  name: number[]
  open: OpenList | undefined
  paths: Set<string>
  received: number
}

const STEP = 65_536
const MAX_DEPTH = 32
const MAX_NAME = 64
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]
const BRACKET = Uint8Array.of(0x5b)
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Cuts the named lists out of a JSON text that is too large to be read whole. `lists` goes by path from the top,
 * e.g. `data.validators`; only lists inside objects have one. Each list is parsed as strictly as everything else
 * (`parseStrictJson`), slice by slice, and handed on; the rest is held and parsed at the end. Throws a `JsonFault`, and what a taker throws.
 */
export function cutJson(lists: Readonly<Record<string, ListTaker>>, options: CutOptions = {}): JsonCutter {
  const cut: Cut = {
    lists,
    sliceBytes: options.sliceBytes ?? 65_536,
    maxHeldBytes: options.maxHeldBytes ?? 1_048_576,
    held: holdBytes(),
    frame: holdBytes(),
    stack: [],
    depth: 0,
    inString: false,
    escaped: false,
    name: [],
    open: undefined,
    paths: new Set(),
    received: 0,
  }
  return {
    write(piece) {
      for (let from = 0; from < piece.length; from += STEP) readStep(cut, piece.subarray(from, from + STEP))
    },
    end() {
      if (cut.open !== undefined) throw new JsonFault('the text ends too early', cut.received)
      return parseStrictJson(decode(cut.frame.bytes(), 0), { maxDepth: MAX_DEPTH })
    },
    receivedBytes: () => cut.received,
  }
}

function readStep(cut: Cut, piece: Uint8Array): void {
  let at = 0
  while (at < piece.length) {
    const from = at
    at = cut.open === undefined ? readFrame(cut, piece, from) : readEntries(cut, cut.open, piece, from)
    cut.received += at - from
  }
}

/** Reads what is outside the lists up to the first byte of a list, or to the end of the piece. */
function readFrame(cut: Cut, piece: Uint8Array, from: number): number {
  let at = from
  while (at < piece.length && cut.open === undefined) {
    const byte = piece[at] ?? 0
    at += 1
    if (!inText(cut, byte)) readMark(cut, byte, at - from)
    else if (byte !== QUOTE && cut.name.length < MAX_NAME) cut.name.push(byte)
  }
  cut.frame.add(piece.subarray(from, at))
  if (cut.frame.length() > cut.maxHeldBytes) throw new JsonFault('too much outside the lists', cut.received)
  return at
}

/** Keeps track of texts; true for a byte that belongs to one, the closing quote included. */
function inText(cut: Cut, byte: number): boolean {
  if (!cut.inString) {
    if (byte !== QUOTE) return false
    cut.inString = true
    cut.name = []
    return true
  }
  if (cut.escaped) cut.escaped = false
  else if (byte === BACKSLASH) cut.escaped = true
  else if (byte === QUOTE) cut.inString = false
  return true
}

function readMark(cut: Cut, byte: number, offset: number): void {
  const { stack } = cut
  const top = stack.at(-1)
  if (byte === COLON && top !== undefined) top.key = fieldName(cut.name)
  if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) stack.pop()
  if (byte !== OPEN_OBJECT && byte !== OPEN_LIST) return
  const path = stack.some(({ list }) => list) ? undefined : stack.map(({ key }) => key).join('.')
  stack.push({ list: byte === OPEN_LIST, key: '' })
  if (stack.length > MAX_DEPTH) throw new JsonFault(`nested deeper than ${MAX_DEPTH}`, cut.received + offset)
  const taker = byte === OPEN_LIST ? takerOf(cut, path) : undefined
  if (path === undefined || taker === undefined) return
  if (cut.paths.has(path)) throw new JsonFault('the same list comes twice', cut.received + offset)
  cut.paths.add(path)
  cut.depth = 0
  cut.open = { taker, handed: 0, border: -1, startsAt: cut.received + offset, colons: 0, colonsAtBorder: 0 }
  cut.held.add(BRACKET)
}

function takerOf(cut: Cut, path: string | undefined): ListTaker | undefined {
  return path !== undefined && Object.hasOwn(cut.lists, path) ? cut.lists[path] : undefined
}

/** A name with a dot in it must not look like two names of a path. */
function fieldName(bytes: readonly number[]): string {
  return String.fromCharCode(...bytes).replaceAll('.', ' ')
}

/** Reads entries up to the list's closing bracket, which is left to the frame, or to the end of the piece. */
function readEntries(cut: Cut, open: OpenList, piece: Uint8Array, from: number): number {
  const end = scanEntries(cut, open, piece, from)
  cut.held.add(piece.subarray(from, end))
  if (end < piece.length) {
    handOnLast(cut, open)
    cut.open = undefined
  } else if (cut.held.length() >= cut.sliceBytes) {
    handOnSlice(cut, open)
  }
  return end
}

/** The hot loop: one step for each byte of a list. */
function scanEntries(cut: Cut, open: OpenList, piece: Uint8Array, from: number): number {
  const before = cut.held.length() - from
  const deepest = MAX_DEPTH - cut.stack.length + 1
  let { depth, inString, escaped } = cut
  let { colons } = open
  let at = from
  for (; at < piece.length; at += 1) {
    const byte = piece[at]
    if (inString) {
      if (escaped) escaped = false
      else if (byte === BACKSLASH) escaped = true
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === COMMA) {
      if (depth === 0) {
        open.border = before + at
        open.colonsAtBorder = colons
      }
    } else if (byte === COLON) {
      colons += 1
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1
      if (depth >= deepest) throw new JsonFault(`nested deeper than ${MAX_DEPTH}`, cut.received + at - from)
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth === 0) break
      depth -= 1
    }
  }
  Object.assign(cut, { depth, inString, escaped })
  open.colons = colons
  return at
}

function handOnSlice(cut: Cut, open: OpenList): void {
  const { held } = cut
  const { border } = open
  if (border >= 0) {
    const colons = open.colonsAtBorder
    handOn(cut, open, { length: border, colons })
    held.drop(border)
    held.bytes().set(BRACKET)
    open.startsAt += border
    open.border = -1
    open.colons -= colons
  }
  if (held.length() > cut.maxHeldBytes) throw new JsonFault('an entry is too long', open.startsAt)
}

function handOnLast(cut: Cut, open: OpenList): void {
  const { held } = cut
  const length = held.length()
  const blank = decode(held.bytes().subarray(1), open.startsAt).trim() === ''
  held.add(BRACKET)
  if (!blank || open.handed > 0) handOn(cut, open, { length, colons: open.colons })
  held.drop(held.length())
}

/** Hands on what is held up to `length`: a bracket, entries, and a byte in whose place the other bracket goes. */
function handOn(cut: Cut, open: OpenList, part: { length: number; colons: number }): void {
  const bytes = cut.held.bytes().subarray(0, part.length + 1)
  bytes[part.length] = CLOSE_LIST
  const entries = entriesOf(decode(bytes, open.startsAt), open.startsAt, part.colons)
  open.taker(entries, open.handed)
  open.handed += entries.length
}

function entriesOf(text: string, startsAt: number, colons: number): readonly unknown[] {
  try {
    const entries = parseStrictList(text, { colons, maxDepth: MAX_DEPTH })
    if (entries.length > 0) return entries
  } catch (thrown) {
    if (thrown instanceof JsonFault) throw new JsonFault(thrown.reason, startsAt + thrown.offset - 1)
    throw thrown
  }
  throw new JsonFault('a value is missing', startsAt)
}

function decode(bytes: Uint8Array, startsAt: number): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw new JsonFault('the bytes are not UTF-8', startsAt)
  }
}
