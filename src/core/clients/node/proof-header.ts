import { type Decoder, hex, quantity64, record } from '../../format/decode.ts'
import type { BeaconBlockHeader } from '../../proofs/header.ts'

/**
 * Which block a proof is about: the head, a slot, or the slot whose next block has a timestamp (Unix seconds), which
 * is the block whose root EIP-4788 stores for that timestamp.
 */
export type ProofMoment = 'head' | { slot: bigint } | { nextBlockTimestampSeconds: bigint }

/** The `timestamp_id` of a proof endpoint. */
export function encodeProofMoment(moment: ProofMoment): string {
  if (moment === 'head') return 'head'
  return 'slot' in moment ? String(moment.slot) : `t${moment.nextBlockTimestampSeconds}`
}

const fields = record({
  slot: quantity64,
  proposer_index: quantity64,
  parent_block_root: hex(32),
  state_root: hex(32),
  body_root: hex(32),
})

/** The header of a proof reply: hex quantities, and `parent_block_root` where `/eth/v1` has `parent_root`. */
export const decodeProofHeader: Decoder<BeaconBlockHeader> = (value, path) => {
  const read = fields(value, path)
  return {
    slot: read.slot,
    proposerIndex: read.proposer_index,
    parentRoot: read.parent_block_root,
    stateRoot: read.state_root,
    bodyRoot: read.body_root,
  }
}
