import { safeText } from './text.ts'

/** What stood on the terminal last, as lines. */
export type SeenScreen = { lines: readonly string[] } & Partial<WindowSize>

/** The size of a window in cells. */
type WindowSize = { columns: number; rows: number }

/** The same as it is kept: when it was, in which language, and which hosts may be named on it. */
export type KeptScreen = SeenScreen & { atMs: number; language: string; hosts: readonly string[] }

/** The file below the state directory that holds the last screen. */
export const SCREEN_FILE = 'last-screen.json'

/** What stands in place of a text that somebody typed. */
export const LEFT_OUT = '(left out)'

const MOST_LINES = 200
const MOST_CHARACTERS = 300
const MOST_HOSTS = 40
/** A file of ours is never larger. */
const MOST_BYTES = 1024 * 1024

/** In one piece: a private key has as many digits as a hash, and a word of this length may be half of one. */
const LONG_HEX = /(?:0x)?[0-9a-f]{16,}/gi
/** 32 bytes in base64. */
const BASE64_KEY = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=/g

/** The text of the file: bounded, without control codes, and without any word that may be a private key. */
export function screenText({ lines, hosts, ...rest }: KeptScreen): string {
  const kept = {
    ...rest,
    lines: lines
      .slice(0, MOST_LINES)
      .map((line) =>
        safeText(line.replace(LONG_HEX, LEFT_OUT).replace(BASE64_KEY, LEFT_OUT), MOST_CHARACTERS),
      ),
    hosts: hosts.slice(0, MOST_HOSTS).map((host) => safeText(host, MOST_CHARACTERS)),
  }
  return `${JSON.stringify(kept, undefined, 1)}\n`
}

/** The screen in such a text; undefined where it holds none. Does not throw. */
export function readScreen(text: string | undefined): KeptScreen | undefined {
  if (text === undefined || text.length > MOST_BYTES) return undefined
  const found = new Map(entriesOf(text))
  const [atMs, language, columns, rows] = ['atMs', 'language', 'columns', 'rows'].map((name) =>
    found.get(name),
  )
  const lines = textsOf(found.get('lines'))
  if (typeof atMs !== 'number' || typeof language !== 'string' || lines === undefined) return undefined
  const size = typeof columns === 'number' && typeof rows === 'number' ? { columns, rows } : {}
  return { atMs, language, lines, hosts: textsOf(found.get('hosts')) ?? [], ...size }
}

function entriesOf(text: string): [string, unknown][] {
  try {
    const found: unknown = JSON.parse(text)
    return Object.entries(found ?? {})
  } catch {
    return []
  }
}

function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined
}
