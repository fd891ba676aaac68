import { type Decoder, hex, list, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { BeaconBlockHeader } from '../../proofs/header.ts'
import { PROOF } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { decodeProofHeader, encodeProofMoment, type ProofMoment } from './proof-header.ts'

/** A claim that has to be verified against the recomputed root of its header. */
export type ValidatorCredentialsProof = {
  header: BeaconBlockHeader
  /** What the node says the header's root is; recompute it. */
  claimedRoot: Hex
  withdrawalCredentials: Hex
  proof: Hex[]
}

const fields = record({
  beacon_block_header: decodeProofHeader,
  beacon_block_root: hex(32),
  validator_withdrawal_credentials: hex(32),
  withdrawal_credentials_proof: list(hex(32)),
})

const decode: Decoder<ValidatorCredentialsProof> = (value, path) => {
  const read = fields(value, path)
  return {
    header: read.beacon_block_header,
    claimedRoot: read.beacon_block_root,
    withdrawalCredentials: read.validator_withdrawal_credentials,
    proof: read.withdrawal_credentials_proof,
  }
}

/**
 * The proof that a validator has its withdrawal credentials (`proof/validator_credentials`).
 *
 * An index beyond the registry makes this node close the connection without a reply (`says-nothing`): ask for the
 * index first. A moment the node does not have is `failed`. Throws a `ClientError`.
 */
export function getValidatorCredentialsProof(
  client: NodeClient,
  args: { moment: ProofMoment; validatorIndex: number },
): Promise<ValidatorCredentialsProof> {
  const path = [
    ...client.proofPath,
    'validator_credentials',
    encodeProofMoment(args.moment),
    String(args.validatorIndex),
  ]
  return client.ask({ path, decode, limits: PROOF })
}
