import { closeSync, openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { noTerminal } from '../core/errors/signer.ts'
import { plainAscii } from '../core/format/text.ts'

const TERMINAL = '/dev/tty'
const EMPTY_SCREEN = '\u001b[2J\u001b[H'
const LEAVE_OTHER_SCREEN = '\u001b[?1049l\u001b[?25h'

/** The controlling terminal, without echo. */
export type PromptTerminal = {
  input: ReadStream
  /**
   * Draws the lines in the place of everything on the screen; the cursor stays behind the last one. With lines only,
   * those that are new follow what was printed.
   */
  draw(lines: readonly string[]): void
  /**
   * Clears the screen and leaves the terminal; with `abandoned` it leaves the other screen, as nobody else will. With
   * lines only it ends the last one.
   */
  close(end: { abandoned: boolean }): void
}

/** How the terminal is used: whether raw mode is on already, and whether it gets lines alone. */
type TerminalUse = { rawModeIsOn: boolean; linesOnly: boolean }

/**
 * Opens the controlling terminal and sets raw mode before anything else, so that nothing typed from here on is echoed.
 * Where raw mode is on already it is left alone, also at the end: whoever set it puts it back. Throws
 * `signer.no-terminal`.
 */
export function openPromptTerminal({ rawModeIsOn, linesOnly }: TerminalUse): PromptTerminal {
  const descriptor = openTerminal()
  const input = openStream(descriptor, rawModeIsOn)
  const write = (text: string): void => {
    try {
      writeSync(descriptor, text)
    } catch {
      // A terminal that is gone shows nothing; the reply is on its own way.
    }
  }
  let printed: readonly string[] = []
  const print = (lines: readonly string[]): void => {
    const fresh = lines.filter((line) => !printed.includes(line))
    write(`${printed.length === 0 ? '' : '\r\n'}${fresh.map(plainAscii).join('\r\n')}`)
    printed = lines
  }
  return {
    input,
    draw: (lines) => (linesOnly ? print(lines) : write(EMPTY_SCREEN + lines.join('\r\n'))),
    close({ abandoned }) {
      if (linesOnly) write('\r\n')
      else write(abandoned ? LEAVE_OTHER_SCREEN : EMPTY_SCREEN)
      if (!rawModeIsOn) input.setRawMode(false)
      input.destroy()
    },
  }
}

function openTerminal(): number {
  try {
    return openSync(TERMINAL, 'r+')
  } catch {
    throw noTerminal()
  }
}

function openStream(descriptor: number, rawModeIsOn: boolean): ReadStream {
  try {
    const input = new ReadStream(descriptor)
    if (!rawModeIsOn) input.setRawMode(true)
    return input
  } catch {
    closeSync(descriptor)
    throw noTerminal()
  }
}
