import type { Hex } from '../../format/hex.ts'

/** A block by number, by name, or by hash (EIP-1898). */
export type BlockRef = bigint | 'latest' | 'finalized' | 'safe' | 'pending' | 'earliest' | { blockHash: Hex }

/** The block parameter of a JSON-RPC call. */
export function encodeBlockRef(block: BlockRef): unknown {
  return typeof block === 'bigint' ? encodeQuantity(block) : block
}

/** A hex quantity: 0x, no leading zeros. Throws a RangeError below zero. */
export function encodeQuantity(value: bigint): Hex {
  if (value < 0n) throw new RangeError('a quantity is not negative')
  return `0x${value.toString(16)}`
}
