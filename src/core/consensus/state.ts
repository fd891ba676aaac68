import type { Hex } from '../format/hex.ts'
import type { ChainSpec } from '../network/network.ts'

/** The effective balance of a fresh balance: whole increments, at most the maximum (gwei). */
export function floorEffectiveBalance(balanceGwei: bigint, spec: ChainSpec): bigint {
  const floored = balanceGwei - (balanceGwei % spec.effectiveBalanceIncrementGwei)
  return floored < spec.maxEffectiveBalanceGwei ? floored : spec.maxEffectiveBalanceGwei
}

/**
 * The effective balance after an epoch turn, in gwei: unchanged inside the hysteresis band of the fork, else the
 * floored balance.
 */
export function nextEffectiveBalance(
  current: { effectiveBalanceGwei: bigint; balanceGwei: bigint },
  spec: ChainSpec,
  options: { fulu: boolean },
): bigint {
  const { effectiveBalanceGwei, balanceGwei } = current
  const { downGwei, upGwei } = hysteresisBand(spec, options)
  const inside =
    balanceGwei + downGwei >= effectiveBalanceGwei && effectiveBalanceGwei + upGwei >= balanceGwei
  return inside ? effectiveBalanceGwei : floorEffectiveBalance(balanceGwei, spec)
}

/** How far a balance may leave its effective balance without moving it, in gwei, under a fork's rules. */
export function hysteresisBand(
  spec: ChainSpec,
  options: { fulu: boolean },
): { downGwei: bigint; upGwei: bigint } {
  const quotient = options.fulu ? spec.hysteresisQuotientFulu : spec.hysteresisQuotient
  const upward = options.fulu ? spec.hysteresisUpwardMultiplierFulu : spec.hysteresisUpwardMultiplier
  const stepGwei = spec.effectiveBalanceIncrementGwei / quotient
  return { downGwei: stepGwei * spec.hysteresisDownwardMultiplier, upGwei: stepGwei * upward }
}

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

/** The record that a first deposit of `amountGwei` creates: effective balance floored, every epoch far away. */
export function newValidator(
  deposit: { pubkey: Hex; withdrawalCredentials: Hex; amountGwei: bigint },
  spec: ChainSpec,
): Validator {
  return {
    pubkey: deposit.pubkey,
    withdrawalCredentials: deposit.withdrawalCredentials,
    effectiveBalanceGwei: floorEffectiveBalance(deposit.amountGwei, spec),
    slashed: false,
    activationEligibilityEpoch: FAR_FUTURE_EPOCH,
    activationEpoch: FAR_FUTURE_EPOCH,
    exitEpoch: FAR_FUTURE_EPOCH,
    withdrawableEpoch: FAR_FUTURE_EPOCH,
  }
}

/** The nine statuses of the beacon API. */
export const VALIDATOR_STATUSES = [
  'pending_initialized',
  'pending_queued',
  'active_ongoing',
  'active_exiting',
  'active_slashed',
  'exited_unslashed',
  'exited_slashed',
  'withdrawal_possible',
  'withdrawal_done',
] as const

export type ValidatorStatus = (typeof VALIDATOR_STATUSES)[number]

/** The status of a validator at an epoch, from its epochs alone. */
export function validatorStatus(validator: Validator, epoch: bigint): ValidatorStatus {
  if (validator.activationEpoch > epoch) return pendingStatus(validator)
  if (validator.exitEpoch > epoch) return activeStatus(validator)
  if (validator.withdrawableEpoch > epoch) return validator.slashed ? 'exited_slashed' : 'exited_unslashed'
  return validator.effectiveBalanceGwei === 0n ? 'withdrawal_done' : 'withdrawal_possible'
}

function pendingStatus(validator: Validator): ValidatorStatus {
  return validator.activationEligibilityEpoch === FAR_FUTURE_EPOCH ? 'pending_initialized' : 'pending_queued'
}

function activeStatus(validator: Validator): ValidatorStatus {
  if (validator.exitEpoch === FAR_FUTURE_EPOCH) return 'active_ongoing'
  return validator.slashed ? 'active_slashed' : 'active_exiting'
}
