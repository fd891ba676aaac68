/** What has been typed so far. `held` is what followed the ESC of a sequence that is not over yet. */
export type PasswordLine = { typed: number[]; held: number[] | undefined }

/** What one byte did to the line. */
export type PasswordStep = 'typing' | 'done' | 'cancelled'

const ENTER = [0x0d, 0x0a]
const BACKSPACE = [0x08, 0x7f]
const CANCEL = [0x03, 0x04, 0x1c]
const CLEAR = 0x15
const ESCAPE = 0x1b
const BELL = 0x07
const BACKSLASH = 0x5c
/** What follows ESC in a key of several bytes: CSI and SS3. */
const BRACKET = 0x5b
const KEY_STARTS = [BRACKET, 0x4f]
/** What follows ESC in a terminal's reply that ends with BEL or ESC \. */
const REPLY_STARTS = [0x5d, 0x50, 0x58, 0x5e, 0x5f]

/** An empty line. */
export function newPasswordLine(): PasswordLine {
  return { typed: [], held: undefined }
}

/**
 * Takes one byte from a terminal in raw mode into the line. Enter ends it, Backspace takes back one character
 * (all bytes of it), Ctrl-U all; Ctrl-C, Ctrl-D and Ctrl-\ cancel. Escape sequences (arrow keys, the marks around
 * a paste) and other control characters never become part of the password.
 */
export function typeByte(line: PasswordLine, byte: number): PasswordStep {
  if (CANCEL.includes(byte)) return 'cancelled'
  if (line.held !== undefined && !ENTER.includes(byte)) {
    line.held = nextHeld(line.held, byte)
    return 'typing'
  }
  line.held = undefined
  if (ENTER.includes(byte)) return 'done'
  if (byte === ESCAPE) line.held = []
  else if (byte === CLEAR) wipe(line)
  else if (BACKSPACE.includes(byte)) takeBack(line)
  else if (byte >= 0x20) line.typed.push(byte)
  return 'typing'
}

/** Forgets what was typed. */
export function wipe(line: PasswordLine): void {
  line.typed.fill(0)
  line.typed.length = 0
}

/** Ends an escape sequence that nothing followed: it was the Esc key by itself, and means nothing here. */
export function endLoneEscape(line: PasswordLine): void {
  if (line.held?.length === 0) line.held = undefined
}

/** A sequence is ESC and one byte, ESC [ (or O) up to a letter or ~, ESC [ [ and one byte, or a terminal's reply. */
function nextHeld(held: number[], byte: number): number[] | undefined {
  const [start] = held
  if (start !== undefined && REPLY_STARTS.includes(start)) {
    const over = byte === BELL || (byte === BACKSLASH && held.at(-1) === ESCAPE)
    return over ? undefined : [start, byte]
  }
  if (byte === ESCAPE) return []
  if (start === undefined) return [...KEY_STARTS, ...REPLY_STARTS].includes(byte) ? [byte] : undefined
  if (held.length === 1 && start === BRACKET && byte === BRACKET) return [start, byte]
  return byte >= 0x40 && byte <= 0x7e ? undefined : [...held, byte]
}

function takeBack(line: PasswordLine): void {
  let byte = line.typed.pop()
  while (byte !== undefined && (byte & 0xc0) === 0x80) byte = line.typed.pop()
}
