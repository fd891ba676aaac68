import { type Decoder, hex, list, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { BeaconBlockHeader } from '../../proofs/header.ts'
import { PROOF } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { decodeProofHeader, encodeProofMoment, type ProofMoment } from './proof-header.ts'

/** A claim that has to be verified against the recomputed root of its header. */
export type BlockProposerProof = {
  header: BeaconBlockHeader
  /** What the node says the header's root is; recompute it. */
  claimedRoot: Hex
  pubkey: Hex
  pubkeyProof: Hex[]
  proposerIndexProof: Hex[]
}

const fields = record({
  beacon_block_header: decodeProofHeader,
  beacon_block_root: hex(32),
  validator_pubkey: hex(48),
  validator_pubkey_proof: list(hex(32)),
  proposer_index_proof: list(hex(32)),
})

const decode: Decoder<BlockProposerProof> = (value, path) => {
  const read = fields(value, path)
  return {
    header: read.beacon_block_header,
    claimedRoot: read.beacon_block_root,
    pubkey: read.validator_pubkey,
    pubkeyProof: read.validator_pubkey_proof,
    proposerIndexProof: read.proposer_index_proof,
  }
}

/**
 * The proof of who proposed a block (`proof/block_proposer`); it also gives a header with its recomputable root. A
 * moment the node does not have is `failed`. Throws a `ClientError`.
 */
export function getBlockProposerProof(
  client: NodeClient,
  args: { moment: ProofMoment },
): Promise<BlockProposerProof> {
  const path = [...client.proofPath, 'block_proposer', encodeProofMoment(args.moment)]
  return client.ask({ path, decode, limits: PROOF })
}
