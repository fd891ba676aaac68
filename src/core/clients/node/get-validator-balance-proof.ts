import { type Decoder, hex, list, quantity64, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { BeaconBlockHeader } from '../../proofs/header.ts'
import { PROOF } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { decodeProofHeader, encodeProofMoment, type ProofMoment } from './proof-header.ts'

/** A claim that has to be verified against the recomputed root of its header. */
export type ValidatorBalanceProof = {
  header: BeaconBlockHeader
  /** What the node says the header's root is; recompute it. */
  claimedRoot: Hex
  balanceGwei: bigint
  /** Balances of four neighbours, each a little-endian uint64. */
  leaf: Hex
  proof: Hex[]
}

const fields = record({
  beacon_block_header: decodeProofHeader,
  beacon_block_root: hex(32),
  validator_balance: quantity64,
  balance_leaf: hex(32),
  balance_proof: list(hex(32)),
})

const decode: Decoder<ValidatorBalanceProof> = (value, path) => {
  const read = fields(value, path)
  return {
    header: read.beacon_block_header,
    claimedRoot: read.beacon_block_root,
    balanceGwei: read.validator_balance,
    leaf: read.balance_leaf,
    proof: read.balance_proof,
  }
}

/**
 * The proof that a validator has its balance (`proof/validator_balance`).
 *
 * An index beyond the registry makes this node close the connection without a reply (`says-nothing`): ask for the
 * index first. A moment the node does not have is `failed`. Throws a `ClientError`.
 */
export function getValidatorBalanceProof(
  client: NodeClient,
  args: { moment: ProofMoment; validatorIndex: number },
): Promise<ValidatorBalanceProof> {
  const path = [
    ...client.proofPath,
    'validator_balance',
    encodeProofMoment(args.moment),
    String(args.validatorIndex),
  ]
  return client.ask({ path, decode, limits: PROOF })
}
