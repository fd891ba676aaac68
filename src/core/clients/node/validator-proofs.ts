import { type Decoder, hex, list, quantity64, record } from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { BeaconBlockHeader } from '../../chain/proofs/merkle.ts'
import { PROOF } from '../json-rpc.ts'
import type { NodeClient } from './client.ts'

/**
 * Which block a proof is about: the head, a slot, or the slot whose next block has a timestamp (Unix seconds), which
 * is the block whose root EIP-4788 stores for that timestamp.
 */
export type ProofMoment = 'head' | { slot: bigint } | { nextBlockTimestampSeconds: bigint }

/** The `timestamp_id` of a proof endpoint. */
function encodeProofMoment(moment: ProofMoment): string {
  if (moment === 'head') return 'head'
  return 'slot' in moment ? String(moment.slot) : `t${moment.nextBlockTimestampSeconds}`
}

const proofHeaderFields = record({
  slot: quantity64,
  proposer_index: quantity64,
  parent_block_root: hex(32),
  state_root: hex(32),
  body_root: hex(32),
})

/** The header of a proof reply: hex quantities, and `parent_block_root` where `/eth/v1` has `parent_root`. */
const decodeProofHeader: Decoder<BeaconBlockHeader> = (value, path) => {
  const read = proofHeaderFields(value, path)
  return {
    slot: read.slot,
    proposerIndex: read.proposer_index,
    parentRoot: read.parent_block_root,
    stateRoot: read.state_root,
    bodyRoot: read.body_root,
  }
}

/** The header that a claim is about, and what the node says its root is: the claim has to be verified against the true one. */
type Claim = { header: BeaconBlockHeader; claimedRoot: Hex }
type OfBlock = { moment: ProofMoment }
type OfValidator = OfBlock & { validatorIndex: number }

const claimFields = record({ beacon_block_header: decodeProofHeader, beacon_block_root: hex(32) })

/**
 * Makes the question for one kind of proof (`proof/KIND`), with `path` after its moment. An index beyond the registry makes
 * this node close the connection without a reply (`says-nothing`): ask for the index first. A moment that the node does not
 * have is `failed`. The question throws a `ClientError`.
 */
function proofQuestion<Asked extends OfBlock, Fields, Proof>(
  kind: string,
  path: (asked: Asked) => readonly string[],
  decodeFields: Decoder<Fields>,
  read: (fields: Fields) => Proof,
) {
  const decode: Decoder<Claim & Proof> = (value, at) => {
    const { beacon_block_header: header, beacon_block_root: claimedRoot } = claimFields(value, at)
    return { header, claimedRoot, ...read(decodeFields(value, at)) }
  }
  return (client: NodeClient, asked: Asked): Promise<Claim & Proof> =>
    client.ask({
      path: [...client.proofPath, kind, encodeProofMoment(asked.moment), ...path(asked)],
      decode,
      limits: PROOF,
    })
}

const indexOf = ({ validatorIndex }: OfValidator) => [String(validatorIndex)]

/** The proof that a validator has its pubkey. */
export const getValidatorPubkeyProof = proofQuestion(
  'validator_pubkey',
  indexOf,
  record({ validator_pubkey: hex(48), validator_pubkey_proof: list(hex(32)) }),
  ({ validator_pubkey: pubkey, validator_pubkey_proof: proof }) => ({ pubkey, proof }),
)

/** The proof that a validator has its withdrawal credentials. */
export const getValidatorCredentialsProof = proofQuestion(
  'validator_credentials',
  indexOf,
  record({ validator_withdrawal_credentials: hex(32), withdrawal_credentials_proof: list(hex(32)) }),
  ({ validator_withdrawal_credentials: withdrawalCredentials, withdrawal_credentials_proof: proof }) => ({
    withdrawalCredentials,
    proof,
  }),
)

/** The proof that a validator has its balance in gwei; `leaf`: balances of four neighbors, each a little-endian uint64. */
export const getValidatorBalanceProof = proofQuestion(
  'validator_balance',
  indexOf,
  record({ validator_balance: quantity64, balance_leaf: hex(32), balance_proof: list(hex(32)) }),
  ({ validator_balance: balanceGwei, balance_leaf: leaf, balance_proof: proof }) => ({
    balanceGwei,
    leaf,
    proof,
  }),
)

/** The proof of who proposed a block; it also gives a header with its recomputable root. */
export const getBlockProposerProof = proofQuestion(
  'block_proposer',
  (): string[] => [],
  record({
    validator_pubkey: hex(48),
    validator_pubkey_proof: list(hex(32)),
    proposer_index_proof: list(hex(32)),
  }),
  ({
    validator_pubkey: pubkey,
    validator_pubkey_proof: pubkeyProof,
    proposer_index_proof: proposerIndexProof,
  }) => ({ pubkey, pubkeyProof, proposerIndexProof }),
)
