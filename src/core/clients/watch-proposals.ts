import type { NodeClient } from './node/client.ts'
import { getHeader } from './node/get-headers.ts'

/** Blocks of one validator that are looked for as the head moves on. */
export type ProposalWatch = {
  /** The newest slot up to `headSlot` that the validator proposed, of those looked at. Throws a `ClientError`. */
  read(headSlot: bigint): Promise<bigint | undefined>
}

/** So many slots are made up for after a silence; older ones are left out. */
const MOST_SLOTS_BACK = 16n

/** Looks at the header of every new slot for the proposer of registry `index`, from the first head on that it is told. */
export function watchProposals(node: NodeClient, index: number): ProposalWatch {
  let looked: bigint | undefined
  let proposed: bigint | undefined
  return {
    async read(headSlot) {
      const oldest = headSlot - MOST_SLOTS_BACK
      const next = (looked ?? headSlot - 1n) + 1n
      for (let slot = next > oldest ? next : oldest + 1n; slot <= headSlot; slot += 1n) {
        const { proposerIndex } = await getHeader(node, { block: slot })
        looked = slot
        if (proposerIndex === BigInt(index)) proposed = slot
      }
      return proposed
    },
  }
}
