import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createKeyReader } from './keys.ts'

/** What is used of a terminal's input stream. */
export type TerminalInput = NodeJS.ReadableStream & {
  isTTY?: boolean
  setRawMode?(mode: boolean): unknown
  ref?(): unknown
  unref?(): unknown
}

/** The input that Ink is given: object mode, one key a time. */
export type KeyStream = Readable & {
  isTTY: boolean
  setRawMode(mode: boolean): KeyStream
  ref(): KeyStream
  unref(): KeyStream
  /**
   * Leaves the keyboard to a child process: raw mode stays on whatever is asked for, so that nothing typed is ever
   * echoed. The answer takes it back, without what is still unread by then: that was not meant for the screens.
   */
  suspend(): () => Promise<void>
}

/** Ways to let time pass, so that tests need none. */
export type SplitterTimers = {
  soon(run: () => void): void
  /** Runs later; the answer takes it back. */
  after(delayMs: number, run: () => void): () => void
}

/** How long the rest of what is held may take. A paste that stops for so long has lost its end: keys count again. */
const PATIENCE_MS = { escape: 20, sequence: 1000, paste: 5000 }

/** Turns of the event loop after which everything that was typed before has been read. */
const TURNS_TO_DRAIN = 3

const NODE_TIMERS: SplitterTimers = {
  soon: (run) => {
    setImmediate(run)
  },
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/**
 * Puts one splitter between a terminal and Ink: keys that arrive together are handed over one by one, each in a
 * turn of its own, so that every key sees what the one before it did; a paste stays one piece. Reading stops
 * while raw mode is off.
 */
export function splitKeys(stdin: TerminalInput, timers: SplitterTimers = NODE_TIMERS): KeyStream {
  let reader = createKeyReader()
  let decoder = new StringDecoder('utf8')
  let cancelTimer: (() => void) | undefined
  let queue: string[] = []
  let pumping = false
  let listening = false
  let isSuspended = false

  const drop = (): void => undefined
  const drain = async (): Promise<void> => {
    stdin.on('data', drop)
    stdin.resume()
    for (let turn = 0; turn < TURNS_TO_DRAIN; turn += 1) await new Promise<void>(timers.soon)
    stdin.off('data', drop)
    stdin.pause()
  }
  const pump = (): void => {
    const key = queue.shift()
    if (key !== undefined) stream.push(key)
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
      if (mode || !isSuspended) stdin.setRawMode?.(mode)
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
    suspend() {
      isSuspended = true
      return async () => {
        await drain()
        isSuspended = false
      }
    },
  })
  stdin.on('end', onEnd)
  return stream
}
