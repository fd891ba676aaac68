import type { Writable } from 'node:stream'
import { systemCode } from '../core/effects/node-file-fault.ts'

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
