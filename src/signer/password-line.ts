/** What has been typed so far. `held` is an escape sequence that is not over yet. */
export type PasswordLine = { typed: number[]; held: number[] | undefined }

/** What one byte did to the line. */
export type PasswordStep = 'typing' | 'done' | 'cancelled'

const ENTER = [0x0d, 0x0a]
const BACKSPACE = [0x08, 0x7f]
const CANCEL = [0x03, 0x04, 0x1c]
const CLEAR = 0x15
const ESCAPE = 0x1b

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

/** A sequence is ESC and one byte, or ESC [ (or O) up to a letter or ~. */
function nextHeld(held: number[], byte: number): number[] | undefined {
  if (held.length === 0) return byte === 0x5b || byte === 0x4f ? [byte] : undefined
  return byte >= 0x40 && byte <= 0x7e ? undefined : [...held, byte]
}

function takeBack(line: PasswordLine): void {
  let byte = line.typed.pop()
  while (byte !== undefined && (byte & 0xc0) === 0x80) byte = line.typed.pop()
}
