import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import { type Gwei, gweiToWei, type Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { encodeTopUp } from '../../chain/deposit/calldata.ts'
import type { Network } from '../../chain/network/network.ts'
import { membersOf, mostFeeOf } from './ladder.ts'

/** The validator that a guard is for, as it was proven when the guard was armed. */
type GuardedValidator = { pubkey: Hex; withdrawalCredentials: Hex; operator: Hex }

/** The chain that a guard is for: both layers by where they begin. */
type GuardChain = {
  executionChainId: number
  executionGenesisHash: Hex
  genesisValidatorsRoot: Hex
  depositContract: Hex
}

/**
 * What was agreed to when a guard was armed, whole: everything that it may ever send follows from it. Amounts in gwei and
 * wei, times in Unix seconds of the chain.
 */
export type GuardTerms = {
  chain: GuardChain
  validator: GuardedValidator
  /** The account that pays, and the one nonce that all members have. */
  from: Hex
  nonce: number
  /** What the rungs add, from the least to the cap. */
  rungsGwei: readonly Gwei[]
  /** Gas limit of each rung. */
  gasLimit: bigint
  /** No rung is handed over for a boundary whose last block is later. */
  untilSeconds: bigint
  /** Proven blocks that are left to the human once it is known that the place is lost. */
  slotsToHuman: number
  /** Who signed the members. */
  signer: 'keystore' | 'external'
}

/** A member of a guard: a rung, or the cancellation that empties the nonce. */
export type GuardMember = { kind: 'rung' | 'cancellation'; transaction: UnsignedTransaction }

/** A member with its signed bytes. */
export type SignedMember = GuardMember & { raw: Hex; hash: Hex }

/** The most slots before the last block that counts at which the human's time is over, whatever was agreed to. */
const LATEST_SLOTS_BEFORE = 40n

/** Returns how many slots before the last block that counts a rung goes out at the latest; fewer where an epoch is shorter. */
export function latestSlotsBefore({ spec }: Pick<Network, 'spec'>): bigint {
  return spec.slotsPerEpoch < LATEST_SLOTS_BEFORE ? spec.slotsPerEpoch : LATEST_SLOTS_BEFORE
}

/** The most that a guard adds. */
export const capOf = ({ rungsGwei }: Pick<GuardTerms, 'rungsGwei'>): Gwei => rungsGwei.at(-1) ?? 0n

/** Returns the most fee that any member may cost, in wei. */
export const mostFeeWei = ({ rungsGwei, gasLimit }: GuardTerms): Wei => mostFeeOf(rungsGwei.length, gasLimit)

/** Returns all members of a guard, the least rung first and the cancellation last; they follow from the terms alone. */
export function ladderOf(terms: GuardTerms): readonly GuardMember[] {
  const { chain, from, nonce, rungsGwei, gasLimit, validator } = terms
  return membersOf({
    chainId: chain.executionChainId,
    nonce,
    from,
    to: chain.depositContract,
    data: encodeTopUp({ pubkey: validator.pubkey }),
    gasLimit,
    valuesWei: rungsGwei.map((amountGwei) => gweiToWei(amountGwei)),
  })
}
