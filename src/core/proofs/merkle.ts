import { createHash } from 'node:crypto'

/** SHA-256 of two 32-byte nodes: the one step of SSZ merkleization. */
export function hashPair(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash('sha256').update(left).update(right).digest()
}

/** A uint64 as its SSZ leaf: 8 bytes little-endian, padded with zeros to 32. */
export function uint64Leaf(value: bigint): Uint8Array {
  const leaf = new Uint8Array(32)
  new DataView(leaf.buffer).setBigUint64(0, value, true)
  return leaf
}

/** `hash_tree_root` of a Bytes48: its two chunks, the second padded with zeros. */
export function bytes48Root(bytes: Uint8Array): Uint8Array {
  const second = new Uint8Array(32)
  second.set(bytes.subarray(32, 48))
  return hashPair(bytes.subarray(0, 32), second)
}

/**
 * Climbs from a leaf to the root with the sibling hashes of a single Merkle proof, lowest first; the bits of
 * the generalized index say on which side each sibling stands (SSZ merkle proofs, `is_valid_merkle_branch`).
 */
export function rootFromProof(leaf: Uint8Array, gindex: bigint, proof: readonly Uint8Array[]): Uint8Array {
  let node = leaf
  let position = gindex
  for (const sibling of proof) {
    node = position % 2n === 1n ? hashPair(sibling, node) : hashPair(node, sibling)
    position /= 2n
  }
  return node
}

/** How many hashes a proof of this generalized index has: the depth of the leaf below the root. */
export function proofLength(gindex: bigint): number {
  return gindex.toString(2).length - 1
}
