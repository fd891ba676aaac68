import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createTypedDropper, NODE_TIMERS, type TerminalInput, type TerminalTimers } from './drop-typed.ts'
import { createKeyReader, PATIENCE_MS } from './keys.ts'

/** The input that Ink is given: object mode, one key a time. */
export type KeyStream = Readable & {
  isTTY: boolean
  setRawMode(mode: boolean): KeyStream
  ref(): KeyStream
  unref(): KeyStream
  /**
   * Leaves the keyboard to a child process, without echo. The answer takes it back, without what is still unread by then:
   * that was not meant for the screens.
   */
  suspend(): () => Promise<void>
  /** Drops what is typed from now on, until `release`. */
  drop(): void
  /** Reads the terminal empty and ends raw mode, once nobody is in the middle of what was dropped. */
  release(): Promise<void>
}

export type KeyHearing = {
  /** Whether a key is for the screens; others are dropped. */
  mayHear?: ((key: string) => boolean) | undefined
  /** Ctrl-C while keys are dropped. */
  interrupt?: () => void
}

/**
 * Puts one splitter between a terminal and Ink: keys that arrive together are handed over one by one, each in a
 * turn of its own, so that every key sees what the one before it did; a paste stays one piece. Raw mode that was asked
 * for stays on until it is released, so that nothing typed is ever echoed or left for a shell; reading stops while the
 * screens want none.
 */
export function splitKeys(
  stdin: TerminalInput,
  timers: TerminalTimers = NODE_TIMERS,
  { mayHear = () => true, interrupt = () => undefined }: KeyHearing = {},
): KeyStream {
  const dropper = createTypedDropper(stdin, timers, interrupt)
  let reader = createKeyReader()
  let decoder = new StringDecoder('utf8')
  let cancelTimer: (() => void) | undefined
  let queue: string[] = []
  let pumping = false
  let listening = false

  const pump = (): void => {
    const key = queue.shift()
    if (key !== undefined && mayHear(key)) stream.push(key)
    else if (key !== undefined) dropper.noteKey()
    pumping = queue.length > 0
    if (pumping) timers.soon(pump)
  }
  const enqueue = (keys: readonly string[]): void => {
    queue.push(...keys)
    if (pumping || queue.length === 0) return
    pumping = true
    timers.soon(pump)
  }
  const onData = (chunk: Buffer | string): void => {
    cancelTimer?.()
    cancelTimer = undefined
    enqueue(reader.push(typeof chunk === 'string' ? chunk : decoder.write(chunk)))
    const held = reader.holds()
    if (held === 'nothing') return
    cancelTimer = timers.after(PATIENCE_MS[held], () => enqueue(reader.flush()))
  }
  const onEnd = (): void => {
    stream.push(null)
  }
  const listen = (on: boolean): void => {
    if (listening === on) return
    listening = on
    if (on) {
      stdin.on('data', onData)
      stdin.resume()
      return
    }
    stdin.off('data', onData)
    stdin.pause()
    cancelTimer?.()
    reader = createKeyReader()
    decoder = new StringDecoder('utf8')
    queue = []
  }

  const stream: KeyStream = Object.assign(new Readable({ objectMode: true, read() {} }), {
    isTTY: stdin.isTTY === true,
    setRawMode(mode: boolean) {
      if (mode) stdin.setRawMode?.(true)
      listen(mode)
      return stream
    },
    ref() {
      stdin.ref?.()
      return stream
    },
    unref() {
      stdin.unref?.()
      return stream
    },
    setEncoding: () => stream,
    suspend: () => async () => {
      // Who typed at the child's prompt as it ended may go on.
      dropper.noteKey()
      await dropper.readEmpty()
    },
    drop: dropper.hold,
    async release() {
      await dropper.readEmpty({ untilQuiet: true })
      stdin.setRawMode?.(false)
    },
  })
  stdin.on('end', onEnd)
  return stream
}
