import type { Readable } from 'node:stream'
import { badUsage } from '../core/errors/usage.ts'

const MAX_BYTES = 1024 * 1024

/**
 * All text that comes in through a stream that is no terminal; undefined for a terminal. Ends with the signal. Throws
 * `usage.option` where it is more than any deposit needs.
 */
export async function readStdin(
  stream: Readable & { isTTY?: boolean },
  signal: AbortSignal,
): Promise<string | undefined> {
  if (stream.isTTY === true) return undefined
  const pieces: Buffer[] = []
  let bytes = 0
  signal.addEventListener('abort', () => stream.destroy(), { once: true })
  for await (const piece of stream) {
    const buffer = Buffer.from(piece as Uint8Array)
    bytes += buffer.length
    if (bytes > MAX_BYTES)
      throw badUsage({ sentence: 'There is too much on stdin.', next: `Give at most ${MAX_BYTES} bytes.` })
    pieces.push(buffer)
  }
  return Buffer.concat(pieces).toString('utf8')
}
