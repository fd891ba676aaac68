import { INVISIBLE, UNSAFE } from './drawable.ts'
import { ungroupHex } from './hex.ts'
import { LANGUAGE } from './language.ts'

/** Text from a stranger that can be drawn: one line, no control, direction or invisible characters. */
export type SafeText = string & { readonly __safe: true }

const MAX_LENGTH = 200
const MAX_MARKS = 2
const MARK = /\p{M}/u

/**
 * Makes text from an endpoint, a file or a tool safe to draw: control, direction, zero-width,
 * variation and private-use characters become `·`, at most two combining marks stay on a letter, at most
 * `maxLength` characters stay in all.
 */
export function safeText(raw: unknown, maxLength = MAX_LENGTH): SafeText {
  const source = typeof raw === 'string' ? raw : String(raw)
  let out = ''
  let marks = 0
  let length = 0
  for (const character of source.slice(0, maxLength * 8)) {
    if (length >= maxLength) return `${out}…` as SafeText
    if (MARK.test(character) && !UNSAFE.test(character)) {
      marks += 1
      if (marks > MAX_MARKS) continue
      out += character
      continue
    }
    marks = 0
    length += 1
    out += UNSAFE.test(character) ? '·' : character
  }
  return out as SafeText
}

/** Returns the text with at most so many UTF-16 units, and `…` for what is left out. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`.toWellFormed()
}

const REPLACED: readonly [RegExp, string][] = [
  [/→/g, '->'],
  [/[·•–—−]/g, '-'],
  [/[“”]/g, '"'],
  [/×/g, 'x'],
  [/≥/g, '>='],
  [/≤/g, '<='],
  [/[’‘]/g, "'"],
  [/…/g, '...'],
  [/✔/g, 'ok'],
  [/✘/g, 'NO'],
  [LANGUAGE === 'en' ? /[^\x20-\x7e]/g : /[^\x20-\x7e\u3000-\u9fff\uff01-\uff60]/g, '?'],
]

/**
 * Text for a log, or for a terminal of which nothing is known: every character beyond ASCII replaced, but for the letters
 * of the language of this program.
 */
export function plainAscii(text: string): string {
  return REPLACED.reduce((line, [from, to]) => line.replace(from, to), text)
}

const PLAIN = /^[A-Za-z0-9_@%+:,./-]+$/
const PRINTABLE = /^[\x20-\x7e]*$/
/** A path as Windows writes it. Double quotes hold it in a POSIX shell, in PowerShell and in cmd, which knows no others. */
const WINDOWS_PATH = /^(?:[A-Za-z]:\\)?[\w@+,.()~ -]+(?:\\[\w@+,.()~ -]+)*$/
const NEWLINE = '\n'

/**
 * One word of a command to copy: whatever the text is, a POSIX shell makes exactly that text of it. Always one line of
 * printable ASCII. Other characters become their UTF-8 bytes, which the shell's own `printf` puts back. A text that no
 * such word can hold (a NUL, half of a surrogate pair, a line break at its end) becomes one that says so: it names nothing,
 * so the command fails.
 */
export function shellWord(text: string): string {
  if (PLAIN.test(text)) return text
  if (text.includes('\\') && WINDOWS_PATH.test(text)) return `"${text}"`
  if (PRINTABLE.test(text)) return quoted(text)
  if (text.includes('\0') || text.endsWith(NEWLINE) || !text.isWellFormed())
    return quoted('<a name that cannot be shown here>')
  return piecesOf(text)
    .map((piece) => (PRINTABLE.test(piece) ? quoted(piece) : `"$(printf '${octal(piece)}')"`))
    .join('')
}

/** Returns a command of these words, each as `shellWord` writes it. */
export function shellCommand(...words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

/** What the program is called in the texts of the program. */
export const PROGRAM_NAME = 'bearings'

/** A command of this program, with the options that name network and state, as a shell takes it where it is printed. */
export function ownCommand(
  own: { program: readonly string[]; options: readonly string[] } | undefined,
  verb: string,
  ...words: readonly string[]
): string {
  const { program, options } = own ?? { program: [PROGRAM_NAME], options: [] }
  return shellCommand(...program, verb, ...words, ...options)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Runs of printable and of other characters. A shell drops line breaks at the end of a run, so one more goes with them. */
function piecesOf(text: string): string[] {
  return text.match(/(?:\n+[^\n]|[^\x20-\x7e\n])+|[\x20-\x7e]+/gu) ?? []
}

function octal(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  return bytes.map((byte) => (byte === 0x25 ? '%%' : `\\${byte.toString(8).padStart(3, '0')}`)).join('')
}

/** What a private key looks like, in hex or in base64, and a hash too. */
const PRIVATE_KEY = /^(?:(?:0x)?[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/
const PHRASE_WORD = /^[a-z]{3,8}$/i
const PHRASE_LENGTHS: readonly number[] = [12, 15, 18, 21, 24]

/** Why a text belongs in no field: it may be a secret. Never repeats it; undefined where it is none. */
export function secretFault(text: string): string | undefined {
  const trimmed = ungroupHex([...text].filter((each) => !INVISIBLE.test(each)).join(''))
  if (PRIVATE_KEY.test(trimmed))
    return 'This has the size of a private key. If it is one, others may have read it now: make a new key.'
  const words = trimmed.split(/\s+/)
  if (!PHRASE_LENGTHS.includes(words.length) || !words.every((word) => PHRASE_WORD.test(word)))
    return undefined
  return 'This looks like a recovery phrase. If it is one, others may have read it now: move what it holds.'
}
