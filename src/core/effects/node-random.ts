import { randomBytes } from 'node:crypto'
import type { Random } from './effects.ts'

/** Random bytes of the operating system. */
export function createNodeRandom(): Random {
  return { bytes: (length) => new Uint8Array(randomBytes(length)) }
}
