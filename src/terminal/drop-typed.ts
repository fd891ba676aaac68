/** What is used of a terminal's input stream. */
export type TerminalInput = NodeJS.ReadableStream & {
  isTTY?: boolean
  setRawMode?(mode: boolean): unknown
  ref?(): unknown
  unref?(): unknown
}

/** Ways to let time pass, so that tests need none. */
export type TerminalTimers = {
  /** Runs in another turn of the event loop. */
  soon(run: () => void): void
  /** Runs later; the answer takes it back. */
  after(delayMs: number, run: () => void): () => void
}

export const NODE_TIMERS: TerminalTimers = {
  soon: (run) => {
    setImmediate(run)
  },
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Turns of the event loop after which everything that was typed before has been read. */
const TURNS_TO_DRAIN = 3
/** Somebody whose last key is not older may be in the middle of a line. */
const QUIET_MS = 1_000
const CTRL_C = 3

/** Reads what nobody is to hear, so that neither a screen nor the shell behind this program gets it. */
export type TypedDropper = {
  /** A key was dropped elsewhere. */
  noteKey(): void
  /** Drops all that is typed from now on; Ctrl-C is heard. */
  hold(): void
  /** Reads the terminal empty, and no more after that; `untilQuiet`: only once no key was dropped for a moment. */
  readEmpty(how?: { untilQuiet?: boolean }): Promise<void>
}

/** Returns what drops the keys of a terminal in raw mode, of which Ctrl-C makes no signal: `interrupt` hears it. */
export function createTypedDropper(
  stdin: TerminalInput,
  { soon, after }: TerminalTimers,
  interrupt: () => void,
): TypedDropper {
  let isListening = false
  let isHeld = false
  let quiet = Promise.withResolvers<void>()
  let cancelTimer: (() => void) | undefined
  quiet.resolve()

  const noteKey = (): void => {
    if (cancelTimer === undefined) quiet = Promise.withResolvers<void>()
    cancelTimer?.()
    cancelTimer = after(QUIET_MS, () => {
      cancelTimer = undefined
      quiet.resolve()
    })
  }
  const drop = (chunk: Buffer | string): void => {
    noteKey()
    if (isHeld && Buffer.from(chunk).includes(CTRL_C)) interrupt()
  }
  const listen = (): void => {
    if (isListening) return
    isListening = true
    stdin.on('data', drop)
    stdin.resume()
  }
  return {
    noteKey,
    hold() {
      isHeld = true
      listen()
    },
    async readEmpty({ untilQuiet = false } = {}) {
      listen()
      do {
        if (untilQuiet) await quiet.promise
        // A process that was busy for long has not read yet what came meanwhile.
        for (let turn = 0; turn < TURNS_TO_DRAIN; turn += 1) await new Promise<void>(soon)
      } while (untilQuiet && cancelTimer !== undefined)
      isListening = false
      stdin.off('data', drop)
      stdin.pause()
    },
  }
}
