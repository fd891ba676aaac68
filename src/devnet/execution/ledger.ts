import type { Hex } from '../../core/format/hex.ts'
import type { ExecutionBlock } from './types.ts'

/** What the network remembers of its own blocks, so that answers about the past do not depend on the client. */
export type Ledger = {
  head: () => ExecutionBlock
  /** Adds the block after the head and the root that stands in its state for its timestamp. */
  append: (block: ExecutionBlock, parentBeaconRoot: Hex) => void
  /** Number of the block with this hash, if it is one of ours. */
  numberOf: (hash: string) => number | undefined
  /** What EIP-4788 answers for a timestamp in the state after block `atNumber`; undefined where it reverts. */
  beaconRootAt: (timestampSeconds: bigint, atNumber: number) => Hex | undefined
}

/** Blocks that the beacon roots contract of the real network looks back on (EIP-4788). */
const REMEMBERED_BLOCKS = 8191

/** A ledger that starts with the genesis block, which has no beacon root. */
export function ledger(genesisBlock: ExecutionBlock): Ledger {
  let head = genesisBlock
  const numbers = new Map<string, number>([[genesisBlock.hash, genesisBlock.number]])
  const roots = new Map<bigint, { number: number; root: Hex }>()
  return {
    head: () => head,
    append(block, parentBeaconRoot) {
      head = block
      numbers.set(block.hash, block.number)
      roots.set(BigInt(block.timestampSeconds), { number: block.number, root: parentBeaconRoot })
    },
    numberOf: (hash) => numbers.get(hash.toLowerCase()),
    beaconRootAt(timestampSeconds, atNumber) {
      const entry = roots.get(timestampSeconds)
      if (entry === undefined || entry.number > atNumber) return undefined
      return entry.number > atNumber - REMEMBERED_BLOCKS ? entry.root : undefined
    },
  }
}
