import type { Hex } from '../format/hex.ts'

/** An epoch that never comes: 2^64 − 1. */
export const FAR_FUTURE_EPOCH = 18446744073709551615n

/** A validator record of the beacon state. Amounts in gwei, epochs as numbers of epochs. */
export type Validator = {
  pubkey: Hex
  withdrawalCredentials: Hex
  effectiveBalanceGwei: bigint
  slashed: boolean
  activationEligibilityEpoch: bigint
  activationEpoch: bigint
  exitEpoch: bigint
  withdrawableEpoch: bigint
}

export type PendingPartialWithdrawal = {
  validatorIndex: number
  amountGwei: bigint
  withdrawableEpoch: bigint
}

/** The part of the beacon state that decides about validators and their money. Treated as immutable. */
export type ConsensusState = {
  slot: bigint
  validators: readonly Validator[]
  /** Same order as `validators`, gwei. */
  balancesGwei: readonly bigint[]
  pendingPartialWithdrawals: readonly PendingPartialWithdrawal[]
  nextWithdrawalIndex: bigint
  nextWithdrawalValidatorIndex: number
}
