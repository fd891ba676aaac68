import { type Hasher, hasher, setHasher } from '@chainsafe/persistent-merkle-tree'

/**
 * Lets all SSZ hashing use the native hashtree library, after a check that it gives what the plain hasher gives.
 * Resolves to 'plain', and changes nothing, where the native library does not load or does not agree.
 */
export async function useFastHasher(): Promise<'native' | 'plain'> {
  // A library that did not load must not be asked for again: the second import of it ends the process.
  const { hashPairs, plainHashPairs } = await import('./hash-pairs.ts')
  if (hashPairs === plainHashPairs) return 'plain'
  const native = await import('@chainsafe/persistent-merkle-tree/hasher/hashtree')
  const input = Uint8Array.from({ length: 512 }, (_, index) => (index * 151 + 7) & 0xff)
  if (!agree(input, hasher, native.hasher)) return 'plain'
  setHasher(native.hasher)
  return 'native'
}

function agree(input: Uint8Array, one: Hasher, other: Hasher): boolean {
  const first = new Uint8Array(input.length / 2)
  const second = new Uint8Array(input.length / 2)
  one.hashInto(input, first)
  other.hashInto(input, second)
  return Buffer.compare(first, second) === 0
}
