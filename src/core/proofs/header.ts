import { bytesToHex, type Hex, hexToBytes } from '../format/hex.ts'
import { hashPair, uint64Leaf } from './merkle.ts'

/** The header of a beacon block. Roots are 32 bytes. */
export type BeaconBlockHeader = {
  slot: bigint
  proposerIndex: bigint
  parentRoot: Hex
  stateRoot: Hex
  bodyRoot: Hex
}

/**
 * `hash_tree_root(BeaconBlockHeader)` (phase 0 specification): the root that EIP-4788 stores one block later.
 *
 * Throws a RangeError when a root is not hexadecimal or a number does not fit 64 bits.
 */
export function headerRoot(header: BeaconBlockHeader): Hex {
  const zero = new Uint8Array(32)
  const empty = hashPair(zero, zero)
  const left = hashPair(
    hashPair(uint64Leaf(uint64(header.slot)), uint64Leaf(uint64(header.proposerIndex))),
    hashPair(root(header.parentRoot), root(header.stateRoot)),
  )
  return bytesToHex(hashPair(left, hashPair(hashPair(root(header.bodyRoot), zero), empty)))
}

function root(hex: Hex): Uint8Array {
  const bytes = hexToBytes(hex)
  if (bytes.length !== 32) throw new RangeError('a root is 32 bytes')
  return bytes
}

function uint64(value: bigint): bigint {
  if (value < 0n || value >= 1n << 64n) throw new RangeError('a number of a header fits 64 bits')
  return value
}
