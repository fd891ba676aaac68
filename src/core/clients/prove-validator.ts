import type { Validator } from '../consensus/state.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import { headerRoot } from '../proofs/merkle.ts'
import { type ProofVerdict, verifyValidator, verifyValidatorFields } from '../proofs/verify.ts'
import { getBeaconRoot } from './execution/blocks.ts'
import type { ExecutionClient } from './execution/client.ts'
import type { NodeClient } from './node/client.ts'
import {
  getValidatorBalanceProof,
  getValidatorCredentialsProof,
  getValidatorPubkeyProof,
} from './node/validator-proofs.ts'
import { getValidators } from './node/validators.ts'

/** A validator's key, credentials and balance, proven up to one header root that was computed here. */
export type ValidatorProof = {
  verdict: ProofVerdict
  index: number
  slot: bigint
  /** The root of the header, recomputed; what the execution chain must hold. */
  blockRoot: Hex
  pubkey: Hex
  withdrawalCredentials: Hex
  balanceGwei: bigint
  /** The hashes from the key up to the root, lowest first: they also bind the validator's epochs. */
  pubkeyProof: readonly Hex[]
}

/**
 * Asks for the three proofs of a validator as the execution block with `nextBlockTimestampSeconds` sees it, and
 * verifies them against one header: a balance counts only together with the key of the same index and root.
 * Nothing that the node claims about roots is used. Throws a `ClientError`.
 */
export async function proveValidator(
  node: NodeClient,
  args: { index: number; pubkey: Hex; nextBlockTimestampSeconds: bigint },
): Promise<ValidatorProof> {
  const question = {
    moment: { nextBlockTimestampSeconds: args.nextBlockTimestampSeconds },
    validatorIndex: args.index,
  }
  const [key, credentials, balance] = await Promise.all([
    getValidatorPubkeyProof(node, question),
    getValidatorCredentialsProof(node, question),
    getValidatorBalanceProof(node, question),
  ])
  const verdict = verifyValidator({
    header: key.header,
    index: BigInt(args.index),
    pubkey: { value: args.pubkey, proof: key.proof },
    credentials: { value: credentials.withdrawalCredentials, proof: credentials.proof },
    balance: { balanceGwei: balance.balanceGwei, leaf: balance.leaf, proof: balance.proof },
  })
  return {
    verdict,
    index: args.index,
    slot: key.header.slot,
    blockRoot: headerRoot(key.header),
    pubkey: args.pubkey,
    withdrawalCredentials: credentials.withdrawalCredentials,
    balanceGwei: balance.balanceGwei,
    pubkeyProof: key.proof,
  }
}

/**
 * Whether the execution chain holds exactly this root for the block with this timestamp (EIP-4788). undefined when
 * it holds none. Throws a `ClientError`.
 */
export async function isAnchored(
  execution: ExecutionClient,
  args: { timestampSeconds: bigint; blockRoot: Hex },
): Promise<boolean | undefined> {
  const held = await getBeaconRoot(execution, { timestampSeconds: args.timestampSeconds })
  return held === undefined ? undefined : sameHex(held, args.blockRoot)
}

/**
 * The record of a proven validator with every field as the proof binds it: the `claimed` one where it fits, else what
 * the node says of the proof's own slot. undefined where neither fits. Throws a `ClientError`.
 */
export async function proveRecord(
  node: NodeClient,
  { proof, claimed }: { proof: ValidatorProof; claimed: Validator },
): Promise<Validator | undefined> {
  const { pubkeyProof, slot, pubkey } = proof
  const fits = (fields: Validator) => verifyValidatorFields({ fields, pubkeyProof }).ok
  if (fits(claimed)) return claimed
  const [then] = await getValidators(node, { state: slot, ids: [pubkey] })
  return then !== undefined && fits(then.validator) ? then.validator : undefined
}
