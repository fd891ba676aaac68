import { isDrawable } from '../core/base/format/drawable.ts'

/** What a `KeyReader` made of the text so far. */
export type KeyReader = {
  /** Takes decoded text and gives the keys that are whole by now, one an entry. */
  push(text: string): string[]
  /** Gives up waiting for the rest: a lone ESC becomes the Esc key, a broken sequence or paste is dropped. */
  flush(): string[]
  /** What is being held back: nothing, a lone ESC, or the beginning of a sequence or of a paste. */
  holds(): 'nothing' | 'escape' | 'sequence' | 'paste'
}

/** How long the rest of what is held may take. A paste that stops for so long has lost its end: keys count again. */
export const PATIENCE_MS = { escape: 20, sequence: 1000, paste: 5000 }

const ESC = '\u001b'
/** Begins and ends the mode in which a terminal marks what is pasted. */
export const PASTE_MARKS = { on: `${ESC}[?2004h`, off: `${ESC}[?2004l` }
const PASTE_START = `${ESC}[200~`
const PASTE_END = `${ESC}[201~`
const MAX_PASTE_CHARACTERS = 1_000_000
/** The Esc key in a form that is whole by itself, so that nobody waits for its continuation. */
export const ESCAPE_KEY = `${ESC}[27u`

/** F1 and F2 as terminals send them, and Alt with a question mark or a w, which Ink can hand over. */
const F1 = /^(?:OP|\[P|\[11~|\[\[A)$/
const F1_KEY = `${ESC}[63;3u`
const F2 = /^(?:OQ|\[Q|\[12~|\[\[B)$/
const F2_KEY = `${ESC}[119;3u`

const MAX_CODE_POINT = 0x10ffff

const BELL = '\u0007'
const STRING_END = `${ESC}\\`
/** What follows ESC in a key of several bytes: CSI and SS3. */
const SEQUENCE = /^(?:\[\[?[0-?]*[ -/]*[@-~]|O[0-9;]*[@-~])/
const BEGUN = /^(?:\[\[?[0-?]*[ -/]*|O[0-9;]*)$/
/** What follows ESC in a terminal's reply that ends with BEL or ESC \. */
const STRING_START = /^[\]PX^_]/
/** Ctrl-C, backspace, tab, Enter, Ctrl-U, delete. */
const USEFUL_CONTROLS = ['\u0003', '\b', '\t', '\r', '\u0015', '\u007f']
/** A character by its number, as some terminals send it; behind the second semicolon its text, if that is another. */
const BY_NUMBER = /^\[(\d+)[\d:]*(?:;[\d:]*(?:;([\d:]+))?)?u$/

/**
 * Cuts what a terminal sends into keys, whatever the chunks were: one key or escape sequence an entry, a
 * bracketed paste whole with its markers. What cannot be drawn and means nothing here is dropped, line feeds count
 * as Enter, replies of the terminal are swallowed.
 */
export function createKeyReader(): KeyReader {
  let held = ''
  let afterReturn = false
  let pasteDropped = false

  const plainKey = (character: string): string[] => {
    const wasReturn = afterReturn
    afterReturn = character === '\r'
    if (character === '\n') return wasReturn ? [] : ['\r']
    if (!isDrawable(character) && !USEFUL_CONTROLS.includes(character)) return []
    return [character]
  }

  const push = (text: string): string[] => {
    const keys: string[] = []
    let rest = held + (pasteDropped ? withoutEnd(text) : text)
    if (text.includes(PASTE_END)) pasteDropped = false
    held = ''
    while (rest !== '') {
      const step = rest.startsWith(ESC) ? escapeStep(rest) : characterStep(rest)
      if (step === undefined) {
        held = rest
        return keys
      }
      keys.push(...(step.plain ? plainKey(step.key) : [step.key].filter((key) => key !== '')))
      if (!step.plain) afterReturn = false
      rest = rest.slice(step.length)
    }
    return keys
  }

  const flush = (): string[] => {
    const given = held
    held = ''
    pasteDropped ||= given.startsWith(PASTE_START)
    return given === ESC ? [ESCAPE_KEY] : []
  }

  const holds = (): ReturnType<KeyReader['holds']> => {
    if (held === '') return 'nothing'
    if (held === ESC) return 'escape'
    return held.startsWith(PASTE_START) ? 'paste' : 'sequence'
  }

  return { push, flush, holds }
}

/** What is left of a chunk in which a paste ends whose beginning was dropped: its rest must not become keys. */
function withoutEnd(text: string): string {
  const end = text.indexOf(PASTE_END)
  const start = text.indexOf(PASTE_START)
  return end === -1 || (start !== -1 && start < end) ? text : text.slice(end + PASTE_END.length)
}

type Step = { key: string; length: number; plain: boolean }

function characterStep(rest: string): Step {
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0)
  return { key: character, length: character.length, plain: true }
}

function escapeStep(rest: string): Step | undefined {
  if (rest.startsWith(PASTE_START)) return pasteStep(rest)
  const tail = rest.slice(ESC.length)
  if (STRING_START.test(tail)) return replyStep(rest)
  if (tail === '' || BEGUN.test(tail)) return undefined
  const found = SEQUENCE.exec(tail)?.[0]
  if (found === undefined) return { key: ESCAPE_KEY, length: ESC.length, plain: false }
  return { key: isUnseen(found) ? '' : keyOf(found), length: ESC.length + found.length, plain: false }
}

function keyOf(tail: string): string {
  if (F1.test(tail)) return F1_KEY
  return F2.test(tail) ? F2_KEY : ESC + tail
}

/** Whether a key names a character that cannot be drawn. Keys without text have numbers below U+0020 or private ones. */
function isUnseen(tail: string): boolean {
  const [, key = '', text] = BY_NUMBER.exec(tail) ?? []
  if (key === '') return false
  const numbers =
    text === undefined ? [Number(key)].filter((number) => !isKeyNumber(number)) : text.split(':').map(Number)
  return numbers.some((number) => number > MAX_CODE_POINT || !isDrawable(String.fromCodePoint(number)))
}

function isKeyNumber(number: number): boolean {
  return number < 0x20 || number === 0x7f || (number >= 0xe000 && number <= 0xf8ff)
}

function replyStep(rest: string): Step | undefined {
  const ends = [
    { at: rest.indexOf(BELL), length: BELL.length },
    { at: rest.indexOf(STRING_END, ESC.length), length: STRING_END.length },
  ].filter(({ at }) => at !== -1)
  const [end] = ends.sort((a, b) => a.at - b.at)
  return end === undefined ? undefined : { key: '', length: end.at + end.length, plain: false }
}

function pasteStep(rest: string): Step | undefined {
  const end = rest.indexOf(PASTE_END)
  if (end === -1) return undefined
  const length = end + PASTE_END.length
  return { key: length > MAX_PASTE_CHARACTERS ? '' : rest.slice(0, length), length, plain: false }
}
