import { type Hex, sameHex } from '../format/hex.ts'
import { headerRoot } from '../proofs/header.ts'
import { type ProofVerdict, verifyValidator } from '../proofs/verify.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getBeaconRoot } from './execution/get-beacon-root.ts'
import type { NodeClient } from './node/client.ts'
import { getValidatorBalanceProof } from './node/get-validator-balance-proof.ts'
import { getValidatorCredentialsProof } from './node/get-validator-credentials-proof.ts'
import { getValidatorPubkeyProof } from './node/get-validator-pubkey-proof.ts'

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
