import { createHash } from 'node:crypto'

/** Hashes each 64 bytes of `input` (SHA-256) into 32 bytes of `output`. */
export type HashPairs = (input: Uint8Array, output: Uint8Array) => void

/**
 * The fastest pair hasher there is here: the native hashtree library where it loads and agrees with SHA-256 of
 * the platform, else that.
 */
export const hashPairs: HashPairs = await choose()

async function choose(): Promise<HashPairs> {
  const native = await import('@chainsafe/hashtree').catch(() => undefined)
  if (native === undefined) return plainHashPairs
  const input = Uint8Array.from({ length: 640 }, (_, index) => (index * 151 + 7) & 0xff)
  const expected = new Uint8Array(320)
  const found = new Uint8Array(320)
  plainHashPairs(input, expected)
  native.hashInto(input, found)
  return Buffer.compare(expected, found) === 0 ? native.hashInto : plainHashPairs
}

/** The same with the platform's own SHA-256, one pair at a time. */
export function plainHashPairs(input: Uint8Array, output: Uint8Array): void {
  for (let offset = 0; offset < input.length; offset += 64) {
    const digest = createHash('sha256')
      .update(input.subarray(offset, offset + 64))
      .digest()
    output.set(digest, offset / 2)
  }
}
