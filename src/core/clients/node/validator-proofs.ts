import type { Gwei } from '../../base/format/amount.ts'
import { type Decoder, hex, list, quantity64, record } from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { BeaconBlockHeader } from '../../chain/proofs/merkle.ts'
import { PROOF } from '../limits.ts'
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

/** The header that a claim is about; a claim has to be verified against the recomputed root of it. */
type Claim = {
  header: BeaconBlockHeader
  /** What the node says the header's root is; recompute it. */
  claimedRoot: Hex
}

const claimFields = { beacon_block_header: decodeProofHeader, beacon_block_root: hex(32) }

function claimOf(read: { beacon_block_header: BeaconBlockHeader; beacon_block_root: Hex }): Claim {
  return { header: read.beacon_block_header, claimedRoot: read.beacon_block_root }
}

function ask<T>(
  client: NodeClient,
  proof: string,
  { moment, validatorIndex, decode }: { moment: ProofMoment; validatorIndex?: number; decode: Decoder<T> },
): Promise<T> {
  const ofWhom = validatorIndex === undefined ? [] : [String(validatorIndex)]
  const path = [...client.proofPath, proof, encodeProofMoment(moment), ...ofWhom]
  return client.ask({ path, decode, limits: PROOF })
}

export type ValidatorPubkeyProof = Claim & {
  pubkey: Hex
  proof: Hex[]
}

const validatorPubkeyProofFields = record({
  ...claimFields,
  validator_pubkey: hex(48),
  validator_pubkey_proof: list(hex(32)),
})

const decodedValidatorPubkeyProof: Decoder<ValidatorPubkeyProof> = (value, path) => {
  const read = validatorPubkeyProofFields(value, path)
  return {
    ...claimOf(read),
    pubkey: read.validator_pubkey,
    proof: read.validator_pubkey_proof,
  }
}

/**
 * The proof that a validator has its pubkey (`proof/validator_pubkey`).
 *
 * An index beyond the registry makes this node close the connection without a reply (`says-nothing`): ask for the
 * index first. A moment the node does not have is `failed`. Throws a `ClientError`.
 */
export function getValidatorPubkeyProof(
  client: NodeClient,
  args: { moment: ProofMoment; validatorIndex: number },
): Promise<ValidatorPubkeyProof> {
  return ask(client, 'validator_pubkey', { ...args, decode: decodedValidatorPubkeyProof })
}

export type ValidatorCredentialsProof = Claim & {
  withdrawalCredentials: Hex
  proof: Hex[]
}

const validatorCredentialsProofFields = record({
  ...claimFields,
  validator_withdrawal_credentials: hex(32),
  withdrawal_credentials_proof: list(hex(32)),
})

const decodedValidatorCredentialsProof: Decoder<ValidatorCredentialsProof> = (value, path) => {
  const read = validatorCredentialsProofFields(value, path)
  return {
    ...claimOf(read),
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
  return ask(client, 'validator_credentials', { ...args, decode: decodedValidatorCredentialsProof })
}

export type ValidatorBalanceProof = Claim & {
  balanceGwei: Gwei
  /** Balances of four neighbours, each a little-endian uint64. */
  leaf: Hex
  proof: Hex[]
}

const validatorBalanceProofFields = record({
  ...claimFields,
  validator_balance: quantity64,
  balance_leaf: hex(32),
  balance_proof: list(hex(32)),
})

const decodedValidatorBalanceProof: Decoder<ValidatorBalanceProof> = (value, path) => {
  const read = validatorBalanceProofFields(value, path)
  return {
    ...claimOf(read),
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
  return ask(client, 'validator_balance', { ...args, decode: decodedValidatorBalanceProof })
}

export type BlockProposerProof = Claim & {
  pubkey: Hex
  pubkeyProof: Hex[]
  proposerIndexProof: Hex[]
}

const blockProposerProofFields = record({
  ...claimFields,
  validator_pubkey: hex(48),
  validator_pubkey_proof: list(hex(32)),
  proposer_index_proof: list(hex(32)),
})

const decodedBlockProposerProof: Decoder<BlockProposerProof> = (value, path) => {
  const read = blockProposerProofFields(value, path)
  return {
    ...claimOf(read),
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
  return ask(client, 'block_proposer', { ...args, decode: decodedBlockProposerProof })
}
