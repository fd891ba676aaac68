import { StringDecoder } from 'node:string_decoder'
import type { Line } from './turn.ts'

/** What is used of the input of the program. */
export type InputStream = NodeJS.ReadableStream & {
  isTTY?: boolean
  setRawMode?(mode: boolean): unknown
}

/** The lines that are typed. */
export type LineInput = {
  isTerminal: boolean
  /** The next line that came. */
  take(): Line | undefined
  /** Forgets what came and was not taken. */
  forget(): void
  /** Whether nothing more can come, and all was taken. */
  isOver(): boolean
  subscribe(listener: () => void): void
  /** Leaves the keyboard to a child process, without echo; the answer takes it back, without what was typed meanwhile. */
  lend(): () => Promise<void>
  close(): void
}

export type LineTimers = {
  nowMs(): number
  /** Runs later; the answer takes it back. */
  after(delayMs: number, run: () => void): () => void
  /** Resolves in another turn of the event loop. */
  turn(): Promise<void>
}

/** Lines that follow one another faster than this on a terminal are a paste. */
const BURST_MS = 30
/** A line that never ends is no line. */
const MOST_CHARACTERS = 20_000
/** Turns of the event loop after which everything that was typed before has been read. */
const TURNS_TO_DRAIN = 3

/**
 * Reads lines. A terminal hands them over one by one however they were made: those that come together count as a paste.
 * From a pipe those of one chunk do.
 */
export function lineInput(stdin: InputStream, timers: LineTimers): LineInput {
  const listeners = new Set<() => void>()
  const isTerminal = stdin.isTTY === true
  let decoder = new StringDecoder('utf8')
  let rest = ''
  let burst: Line[] = []
  let lines: Line[] = []
  let takeBack: (() => void) | undefined
  let hasEnded = false

  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const flush = (): void => {
    takeBack?.()
    takeBack = undefined
    const amongOthers = burst.length > 1
    lines.push(...burst.map((line) => ({ ...line, amongOthers })))
    burst = []
    tell()
  }
  const onData = (chunk: Buffer | string): void => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk)
    const [first = '', ...more] = `${rest}${text}`.split('\n')
    const whole = [first, ...more].slice(0, -1)
    rest = ([first, ...more].at(-1) ?? '').slice(0, MOST_CHARACTERS)
    if (whole.length === 0) return
    const atMs = timers.nowMs()
    burst.push(...whole.map((line) => ({ text: line.replace(/\r$/, ''), atMs, amongOthers: false })))
    if (!isTerminal) flush()
    else {
      takeBack?.()
      takeBack = timers.after(BURST_MS, flush)
    }
  }
  const onEnd = (): void => {
    hasEnded = true
    flush()
  }
  const listen = (): void => {
    stdin.on('data', onData)
    stdin.resume()
  }
  const hush = (): void => {
    stdin.off('data', onData)
    stdin.pause()
    takeBack?.()
    takeBack = undefined
  }
  const forget = (): void => {
    lines = []
    burst = []
    rest = ''
    decoder = new StringDecoder('utf8')
  }
  const drop = (): void => undefined

  stdin.on('end', onEnd)
  stdin.on('error', onEnd)
  listen()
  return {
    isTerminal,
    take: () => lines.shift(),
    forget,
    isOver: () => hasEnded && lines.length === 0,
    subscribe: (listener) => void listeners.add(listener),
    lend() {
      hush()
      if (isTerminal) stdin.setRawMode?.(true)
      return async () => {
        stdin.on('data', drop)
        stdin.resume()
        for (let turn = 0; turn < TURNS_TO_DRAIN; turn += 1) await timers.turn()
        stdin.off('data', drop)
        if (isTerminal) stdin.setRawMode?.(false)
        forget()
        listen()
      }
    },
    close() {
      hush()
      stdin.off('end', onEnd)
      stdin.off('error', onEnd)
    },
  }
}
