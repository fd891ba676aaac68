import { closeSync, openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { noTerminal } from '../core/errors/signer.ts'

const TERMINAL = '/dev/tty'
const EMPTY_SCREEN = '\u001b[2J\u001b[H'
const LEAVE_OTHER_SCREEN = '\u001b[?1049l\u001b[?25h'

/** The controlling terminal, without echo. */
export type PromptTerminal = {
  input: ReadStream
  /** Draws the lines in the place of everything on the screen; the cursor stays behind the last one. */
  draw(lines: readonly string[]): void
  /** Clears the screen and leaves the terminal; with `abandoned` it leaves the other screen, as nobody else will. */
  close(end: { abandoned: boolean }): void
}

/**
 * Opens the controlling terminal and sets raw mode before anything else, so that nothing typed from here on is echoed.
 * Where raw mode is on already it is left alone, also at the end: whoever set it puts it back. Throws
 * `signer.no-terminal`.
 */
export function openPromptTerminal({ rawModeIsOn }: { rawModeIsOn: boolean }): PromptTerminal {
  const descriptor = openTerminal()
  const input = openStream(descriptor, rawModeIsOn)
  const write = (text: string): void => {
    try {
      writeSync(descriptor, text)
    } catch {
      // A terminal that is gone shows nothing; the reply is on its own way.
    }
  }
  return {
    input,
    draw: (lines) => write(EMPTY_SCREEN + lines.join('\r\n')),
    close({ abandoned }) {
      write(abandoned ? LEAVE_OTHER_SCREEN : EMPTY_SCREEN)
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
