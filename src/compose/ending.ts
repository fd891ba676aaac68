import type { Writable } from 'node:stream'
import { systemCode } from '../core/base/effects/node-file-fault.ts'

/** The way to the end of this program, begun by a signal, a key, or a reader that left. */
export type Ending = {
  /** Aborted once the end has begun: everything that waits listens to it. */
  signal: AbortSignal
  /** Begins the end. Calling it twice is the same as calling it once. */
  begin(): void
  /** What is put right even where the end is cut short. */
  atLast(restore: () => unknown): void
}

/** What is used of the process. */
type Signals = { on(event: string, listener: () => void): unknown }

export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * An ending for `process`, whose first signal begins it. One that comes while it is under way cuts it short: what was
 * asked for at last is done, then `leave` is called. Journals and locks stand such an end, as they stand a kill.
 */
export function createEnding(leave: () => void): Ending & { hear(process: Signals): void } {
  const abort = new AbortController()
  const last: (() => unknown)[] = []
  const { signal } = abort
  return {
    signal,
    begin: () => abort.abort(),
    atLast: (restore) => void last.push(restore),
    hear(process) {
      const onSignal = () => {
        if (!signal.aborted) {
          abort.abort()
          return
        }
        void Promise.allSettled(last.map(async (restore) => restore())).then(leave)
      }
      for (const name of END_SIGNALS) process.on(name, onSignal)
    },
  }
}

/** What Node waits for at its end, however long it takes: the look-up of a name, a file on a disk that is away. */
const HELD_UP = /^(?:GetAddrInfo|FS)Req/

/**
 * Ends this process with the code. Where something would hold Node up, a shell that ends with the code takes the place
 * of the process.
 */
export function leave(code: number): never {
  const isHeldUp = process.getActiveResourcesInfo().some((name) => HELD_UP.test(name))
  if (isHeldUp && process.platform !== 'win32' && process.execve !== undefined) {
    process.emit('exit', code)
    process.execve('/bin/sh', ['sh', '-c', `exit ${code}`], {})
  }
  process.exit(code)
}

/** What became of everything that was written: all of it went out, the reader left, or it could not be written. */
type Delivery = { end: 'written' } | { end: 'left' } | { end: 'failed'; code: string }

export type LineOutput = {
  write(line: string): void
  /** Writes the beginning of a line. */
  begin(text: string): void
  /** Resolves once everything written so far has gone out or has failed. */
  settle(): Promise<Delivery>
}

/** Writes lines to a stream and keeps account of it: `onLost` is told once when nothing more can arrive there. */
export function lineOutput(stream: Writable, onLost: () => void): LineOutput {
  let delivery: Delivery = { end: 'written' }
  stream.on('error', (thrown: Error) => {
    if (delivery.end !== 'written') return
    const code = systemCode(thrown)
    delivery = code === 'EPIPE' ? { end: 'left' } : { end: 'failed', code }
    onLost()
  })
  return {
    write(line) {
      if (delivery.end === 'written') stream.write(`${line}\n`)
    },
    begin(text) {
      if (delivery.end === 'written') stream.write(text)
    },
    async settle() {
      // A failed write comes back through the event, which is later than its callback.
      if (delivery.end === 'written') await new Promise<void>((resolve) => stream.write('', () => resolve()))
      await new Promise<void>((resolve) => setImmediate(resolve))
      return delivery
    },
  }
}

/** Whether these arguments are those of a watch whose alarms or numbers go elsewhere, too. */
export function tellsOtherwise(argv: readonly string[]): boolean {
  return argv.includes('watch') && argv.some((each) => /^--(?:config|metrics)(?:=|$)/.test(each))
}
