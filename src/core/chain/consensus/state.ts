import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'

/** Returns the effective balance of a fresh balance: whole increments, at most the maximum (gwei). */
export function floorEffectiveBalance(balanceGwei: Gwei, spec: ChainSpec): Gwei {
  const floored = balanceGwei - (balanceGwei % spec.effectiveBalanceIncrementGwei)
  return floored < spec.maxEffectiveBalanceGwei ? floored : spec.maxEffectiveBalanceGwei
}

/**
 * The effective balance after an epoch turn, in gwei: unchanged inside the hysteresis band of the fork, else the
 * floored balance.
 */
export function nextEffectiveBalance(
  current: { effectiveBalanceGwei: Gwei; balanceGwei: Gwei },
  spec: ChainSpec,
  options: { fulu: boolean },
): Gwei {
  const { effectiveBalanceGwei, balanceGwei } = current
  const { downGwei, upGwei } = hysteresisBand(spec, options)
  const inside =
    balanceGwei + downGwei >= effectiveBalanceGwei && effectiveBalanceGwei + upGwei >= balanceGwei
  return inside ? effectiveBalanceGwei : floorEffectiveBalance(balanceGwei, spec)
}

/** Returns how far a balance may leave its effective balance without moving it, in gwei, under a fork's rules. */
export function hysteresisBand(
  spec: ChainSpec,
  options: { fulu: boolean },
): { downGwei: Gwei; upGwei: Gwei } {
  const quotient = options.fulu ? spec.hysteresisQuotientFulu : spec.hysteresisQuotient
  const upward = options.fulu ? spec.hysteresisUpwardMultiplierFulu : spec.hysteresisUpwardMultiplier
  const stepGwei = spec.effectiveBalanceIncrementGwei / quotient
  return { downGwei: stepGwei * spec.hysteresisDownwardMultiplier, upGwei: stepGwei * upward }
}

/** An epoch that never comes: 2^64 − 1. */
export const FAR_FUTURE_EPOCH = 18446744073709551615n

/** Returns an epoch of a record, or undefined where the record leaves it open. */
export function setEpoch(epoch: bigint): bigint | undefined {
  return epoch === FAR_FUTURE_EPOCH ? undefined : epoch
}

/** A validator record of the beacon state. Amounts in gwei, epochs as numbers of epochs. */
export type Validator = {
  pubkey: Hex
  withdrawalCredentials: Hex
  effectiveBalanceGwei: Gwei
  slashed: boolean
  activationEligibilityEpoch: bigint
  activationEpoch: bigint
  exitEpoch: bigint
  withdrawableEpoch: bigint
}

export type PendingPartialWithdrawal = {
  validatorIndex: number
  amountGwei: Gwei
  withdrawableEpoch: bigint
}

/** The part of the beacon state that decides about validators and their money. Treated as immutable. */
export type ConsensusState = {
  slot: bigint
  validators: readonly Validator[]
  /** Same order as `validators`, gwei. */
  balancesGwei: readonly Gwei[]
  pendingPartialWithdrawals: readonly PendingPartialWithdrawal[]
  nextWithdrawalIndex: bigint
  nextWithdrawalValidatorIndex: number
}

/** Returns the record that a first deposit of `amountGwei` creates: effective balance floored, every epoch far away. */
export function newValidator(
  deposit: { pubkey: Hex; withdrawalCredentials: Hex; amountGwei: Gwei },
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

/** Returns the status of a validator at an epoch, from its epochs alone. */
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

/** A deposit as the beacon state sees it. `signatureValid` stands for the BLS check over the deposited amount. */
export type ConsensusDeposit = {
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: Gwei
  signatureValid: boolean
}

/** A withdrawal request of the execution layer (EIP-7002). Amount 0 asks for a full exit. */
export type WithdrawalRequest = {
  sourceAddress: Hex
  pubkey: Hex
  amountGwei: Gwei
}

/** What a block brings that matters to validators and their money. */
export type ConsensusBlock = {
  slot: bigint
  /** Whether Fulu's rules hold at this block's timestamp. */
  fulu: boolean
  /**
   * The same for the block before: an epoch turn still runs on the rules of the state it starts from, so the two
   * differ in the first block of Fulu. Left out, it equals `fulu`.
   */
  parentFulu?: boolean
  /** Deposits that take effect in this slot, in event order. */
  deposits: readonly ConsensusDeposit[]
  withdrawalRequests: readonly WithdrawalRequest[]
}

/** One payment to an execution address. */
export type ConsensusWithdrawal = {
  index: bigint
  validatorIndex: number
  address: Hex
  amountGwei: Gwei
}

/** A change of the engine's validator set; power 0 removes. */
export type EngineUpdate = {
  pubkey: Hex
  powerGwei: Gwei
}

/** The state after a slot and what left it. */
export type SlotResult = {
  state: ConsensusState
  /** Payments of the slot without the inflation entry that heads every payload. */
  withdrawals: readonly ConsensusWithdrawal[]
  /** Empty in a slot that turns no epoch. */
  engineUpdates: readonly EngineUpdate[]
}

/** Whether a validator has a place at an epoch. */
export function isActive(
  validator: Pick<Validator, 'activationEpoch' | 'exitEpoch'>,
  epoch: bigint,
): boolean {
  return validator.activationEpoch <= epoch && epoch < validator.exitEpoch
}

/** Returns the validators with a place at an epoch, in index order. */
export function activeSet(state: ConsensusState, epoch: bigint): Validator[] {
  return state.validators.filter((validator) => isActive(validator, epoch))
}

/** Returns the epoch that a slot belongs to. */
export function epochOfSlot(slot: bigint, spec: { slotsPerEpoch: bigint }): bigint {
  return slot / spec.slotsPerEpoch
}

/**
 * What the engine is told at an epoch turn: members that are new or whose power changed in index order, then the
 * removed ones with power 0 in index order (the node names these in no fixed order). The engine applies it two
 * blocks later.
 */
export function engineUpdates(before: readonly Validator[], after: readonly Validator[]): EngineUpdate[] {
  const powers = new Map(before.map((validator) => [validator.pubkey, validator.effectiveBalanceGwei]))
  const updates: EngineUpdate[] = []
  for (const { pubkey, effectiveBalanceGwei } of after) {
    if (powers.get(pubkey) !== effectiveBalanceGwei) updates.push({ pubkey, powerGwei: effectiveBalanceGwei })
    powers.delete(pubkey)
  }
  for (const pubkey of powers.keys()) updates.push({ pubkey, powerGwei: 0n })
  return updates
}
