import { randomBytes } from 'node:crypto'
import type { Effects, Random, Signer } from './effects.ts'
import type { Tell } from './node-claim.ts'
import { createNodeClock } from './node-clock.ts'
import { createNodeExec } from './node-exec.ts'
import { createNodeFiles } from './node-files.ts'
import { createNodeHttp } from './node-http.ts'
import { createNodeStore } from './node-store.ts'

/**
 * The real world: this machine's clock, network, disk, programs and random bytes, and the given signer. `tell` hears
 * in a sentence what was put right on the disk.
 */
export function createNodeEffects(options: { signer: Signer; userAgent?: string; tell?: Tell }): Effects {
  return {
    clock: createNodeClock(),
    http: createNodeHttp(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
    files: createNodeFiles(),
    store: createNodeStore(options.tell === undefined ? {} : { tell: options.tell }),
    random: createNodeRandom(),
    signer: options.signer,
    exec: createNodeExec(),
  }
}

/** Random bytes of the operating system. */
export function createNodeRandom(): Random {
  return { bytes: (length) => new Uint8Array(randomBytes(length)) }
}
