import type { BeaconBlockHeader } from '../../chain/proofs/merkle.ts'
import { getHeader } from './blocks.ts'
import type { NodeClient } from './client.ts'

/** Blocks of one validator, of the slots that were looked at. */
type Proposals = {
  /** Whether every slot from the one that was asked for has been looked at: then `first` is the first of all. */
  isWhole: boolean
  first: bigint | undefined
  last: bigint | undefined
}

/** Blocks of one validator that are looked for as the head moves on. */
export type ProposalWatch = {
  /** What is known up to `headSlot`; the header `head` is there already. Throws a `ClientError`. */
  read(headSlot: bigint, head?: Pick<BeaconBlockHeader, 'slot' | 'proposerIndex'>): Promise<Proposals>
}

/** So many slots are made up for at the start and after a silence; older ones are left out. */
const MOST_SLOTS_BACK = 16n

/** Looks at the header of every slot from `from` on for the proposer of registry `index`. */
export function watchProposals(
  node: NodeClient,
  { index, from }: { index: number; from: bigint },
): ProposalWatch {
  let next = from
  let isWhole = true
  let first: bigint | undefined
  let last: bigint | undefined
  return {
    async read(headSlot, head) {
      const oldest = headSlot - MOST_SLOTS_BACK + 1n
      if (next < oldest) {
        // A gap counts only while nothing was found: afterwards the first one is known.
        isWhole = isWhole && first !== undefined
        next = oldest
      }
      for (; next <= headSlot; next += 1n) {
        const { proposerIndex } = head?.slot === next ? head : await getHeader(node, { block: next })
        if (proposerIndex !== BigInt(index)) continue
        first ??= next
        last = next
      }
      return { isWhole, first, last }
    },
  }
}
