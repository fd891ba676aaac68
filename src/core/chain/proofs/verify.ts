import { ContainerType } from '@chainsafe/ssz'
import type { Gwei } from '../../base/format/amount.ts'
import { bytesToHex, type Hex, hexToBytes, isHex, sameHex } from '../../base/format/hex.ts'
import type { Validator } from '../consensus/state.ts'
import { BeaconBlockHeaderType, ValidatorType } from './beacon-state.ts'
import {
  BALANCES_PER_LEAF,
  type BeaconBlockHeader,
  balanceLeafGindex,
  credentialsGindex,
  fitsUint64,
  headerRoot,
  proofLength,
  proposerGindex,
  pubkeyGindex,
  REGISTRY_LIMIT,
  rootFromProof,
} from './merkle.ts'

/** Why a proof does not count. */
export type ProofFault =
  | 'header-malformed'
  | 'index-out-of-range'
  | 'value-malformed'
  | 'wrong-number-of-hashes'
  | 'hash-malformed'
  | 'balance-not-in-leaf'
  | 'proposer-not-in-header'
  | 'does-not-reach-the-root'
  | 'fields-not-in-proof'

export type ProofVerdict = { ok: true } | { ok: false; reason: ProofFault }

/** Why a proof does not count, in words. */
export const PROOF_FAULT_WORDS: Readonly<Record<ProofFault, string>> = {
  'header-malformed': 'the block header is not one',
  'index-out-of-range': 'no validator can have that index',
  'value-malformed': 'the value has the wrong length',
  'wrong-number-of-hashes': 'it has too few or too many hashes',
  'hash-malformed': 'one of its hashes is not one',
  'balance-not-in-leaf': 'the balance is not in its leaf',
  'proposer-not-in-header': 'the header names another proposer',
  'does-not-reach-the-root': 'it does not reach the block’s root',
  'fields-not-in-proof': 'its epochs are not the proven ones',
}

/** One fact about the validator at `index`, with the sibling hashes from its leaf up to the header's root. */
export type ValidatorClaim = {
  header: BeaconBlockHeader
  index: bigint
  value: Hex
  proof: readonly string[]
}

export type BalanceClaim = {
  header: BeaconBlockHeader
  index: bigint
  balanceGwei: Gwei
  /** 32 bytes: the balances of four neighbours, each a little-endian uint64. */
  leaf: Hex
  proof: readonly string[]
}

export type ProposerClaim = {
  header: BeaconBlockHeader
  index: bigint
  proof: readonly string[]
}

/** Checks that the header's state holds `value` (48 bytes) as the pubkey of validator `index`. Never throws. */
export function verifyValidatorPubkey(claim: ValidatorClaim): ProofVerdict {
  if (!isHex(claim.value, 48)) return fault('value-malformed')
  return climb(claim, ValidatorType.fields.pubkey.hashTreeRoot(hexToBytes(claim.value)), pubkeyGindex)
}

/** Checks that the header's state holds `value` (32 bytes) as the credentials of validator `index`. Never throws. */
export function verifyValidatorCredentials(claim: ValidatorClaim): ProofVerdict {
  if (!isHex(claim.value, 32)) return fault('value-malformed')
  return climb(claim, hexToBytes(claim.value), credentialsGindex)
}

/**
 * Checks that the header's state holds `balanceGwei` as the balance at `index`: the amount is read out of its own
 * quarter of the leaf, and the leaf reaches the root. Never throws.
 *
 * A balance leaf names no validator and four of them share one: it counts only together with a pubkey proof of
 * the same index under the same root (`verifyValidator`).
 */
export function verifyValidatorBalance(claim: BalanceClaim): ProofVerdict {
  if (!isHex(claim.leaf, 32)) return fault('value-malformed')
  const leaf = hexToBytes(claim.leaf)
  if (!indexInRange(claim.index)) return fault('index-out-of-range')
  const offset = 8 * Number(claim.index % BALANCES_PER_LEAF)
  const found = new DataView(leaf.buffer, leaf.byteOffset, 32).getBigUint64(offset, true)
  if (found !== claim.balanceGwei) return fault('balance-not-in-leaf')
  return climb(claim, leaf, balanceLeafGindex)
}

/** Checks that `index` is the proposer of the header, by its own field and by the proof. Never throws. */
export function verifyProposer(claim: ProposerClaim): ProofVerdict {
  if (!indexInRange(claim.index)) return fault('index-out-of-range')
  if (claim.header.proposerIndex !== claim.index) return fault('proposer-not-in-header')
  return climb(claim, BeaconBlockHeaderType.fields.proposerIndex.hashTreeRoot(claim.index), proposerGindex)
}

/** Pubkey, credentials and balance of one validator under one root: the three proofs that count together. */
export type ValidatorFacts = {
  header: BeaconBlockHeader
  index: bigint
  pubkey: { value: Hex; proof: readonly string[] }
  credentials: { value: Hex; proof: readonly string[] }
  balance: { balanceGwei: Gwei; leaf: Hex; proof: readonly string[] }
}

/** Checks all three proofs of one validator against the same header and index. Never throws. */
export function verifyValidator(facts: ValidatorFacts): ProofVerdict {
  const at = { header: facts.header, index: facts.index }
  const pubkey = verifyValidatorPubkey({ ...at, ...facts.pubkey })
  if (!pubkey.ok) return pubkey
  const credentials = verifyValidatorCredentials({ ...at, ...facts.credentials })
  if (!credentials.ok) return credentials
  return verifyValidatorBalance({ ...at, ...facts.balance })
}

/** What stands in a validator's container beside its key and its credentials. */
export type ValidatorFields = Omit<Validator, 'pubkey' | 'withdrawalCredentials'>

const { effectiveBalance, slashed, ...others } = ValidatorType.fields
const { activationEligibilityEpoch, activationEpoch, exitEpoch, withdrawableEpoch } = others

/** The second hash of a pubkey's proof is the root of these two fields of its validator. */
const AmountType = new ContainerType({ effectiveBalance, slashed })

/** The third is the root of these four, in their order. */
const EpochsType = new ContainerType({
  activationEligibilityEpoch,
  activationEpoch,
  exitEpoch,
  withdrawableEpoch,
})

/**
 * Checks that a validator has exactly these further fields, by the pubkey proof of the same validator. No endpoint
 * proves an epoch, and none has to: the other fields hang beside the key in the validator's own small tree, so the
 * second and the third hash of the key's proof are made of nothing else. It counts only for a proof that holds
 * (`verifyValidatorPubkey`). Never throws.
 */
export function verifyValidatorFields(claim: {
  fields: ValidatorFields
  pubkeyProof: readonly string[]
}): ProofVerdict {
  const { fields, pubkeyProof } = claim
  const { effectiveBalanceGwei, slashed, activationEligibilityEpoch, activationEpoch } = fields
  const { exitEpoch, withdrawableEpoch } = fields
  const epochs = { activationEligibilityEpoch, activationEpoch, exitEpoch, withdrawableEpoch }
  if (![effectiveBalanceGwei, ...Object.values(epochs)].every(fitsUint64)) return fault('value-malformed')
  const amount = { effectiveBalance: effectiveBalanceGwei, slashed }
  const same =
    sameHex(pubkeyProof[1] ?? '', bytesToHex(AmountType.hashTreeRoot(amount))) &&
    sameHex(pubkeyProof[2] ?? '', bytesToHex(EpochsType.hashTreeRoot(epochs)))
  return same ? { ok: true } : fault('fields-not-in-proof')
}

function climb(
  claim: { header: BeaconBlockHeader; index: bigint; proof: readonly string[] },
  leaf: Uint8Array,
  gindexOf: (index: bigint) => bigint,
): ProofVerdict {
  if (!indexInRange(claim.index)) return fault('index-out-of-range')
  const gindex = gindexOf(claim.index)
  if (claim.proof.length !== proofLength(gindex)) return fault('wrong-number-of-hashes')
  if (!claim.proof.every((hash) => isHex(hash, 32))) return fault('hash-malformed')
  const root = rootOf(claim.header)
  if (root === undefined) return fault('header-malformed')
  const reached = rootFromProof(leaf, gindex, claim.proof.map(hexToBytes))
  return sameHex(Buffer.from(reached).toString('hex'), root.slice(2))
    ? { ok: true }
    : fault('does-not-reach-the-root')
}

function indexInRange(index: bigint): boolean {
  return index >= 0n && index < REGISTRY_LIMIT
}

function rootOf(header: BeaconBlockHeader): Hex | undefined {
  try {
    return headerRoot(header)
  } catch {
    return undefined
  }
}

function fault(reason: ProofFault): ProofVerdict {
  return { ok: false, reason }
}
