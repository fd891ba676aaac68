import type { ChainSpec } from '../network/chain-spec.ts'
import { epochOfSlot, isActive } from './active-set.ts'
import { compareStake } from './compare-stake.ts'
import { nextEffectiveBalance } from './effective-balance.ts'
import { type ConsensusState, FAR_FUTURE_EPOCH, type Validator } from './state.ts'

/**
 * The epoch turn that ends the epoch of `state.slot`: registry, effective balances, cap, in this order, as
 * the node does it. The slot stays as it is. `fulu` is the fork of the state's own block.
 */
export function processEpoch(
  state: ConsensusState,
  spec: ChainSpec,
  options: { fulu: boolean },
): ConsensusState {
  const open = processEpochWithoutCap(state, spec, options)
  const validators = enforceCap(open.validators, epochOfSlot(state.slot, spec) + 1n, spec)
  return validators === open.validators ? open : { ...open, validators }
}

/** The same turn before anyone is evicted: the field that the cap then sorts. */
export function processEpochWithoutCap(
  state: ConsensusState,
  spec: ChainSpec,
  options: { fulu: boolean },
): ConsensusState {
  const epoch = epochOfSlot(state.slot, spec)
  let changed = false
  const validators = state.validators.map((validator, index) => {
    const registered = updateRegistry(validator, epoch, spec)
    const balanceGwei = state.balancesGwei[index] ?? 0n
    const next = updateEffectiveBalance(registered, balanceGwei, spec, options)
    if (next !== validator) changed = true
    return next
  })
  return changed ? { ...state, validators } : state
}

/** Sets the exit of a validator that leaves at `exitEpoch`. */
export function withExit(validator: Validator, exitEpoch: bigint, spec: ChainSpec): Validator {
  return { ...validator, exitEpoch, withdrawableEpoch: exitEpoch + spec.withdrawabilityDelayEpochs }
}

function updateRegistry(validator: Validator, epoch: bigint, spec: ChainSpec): Validator {
  if (validator.activationEligibilityEpoch === FAR_FUTURE_EPOCH) {
    if (validator.effectiveBalanceGwei < spec.activationBalanceGwei) return validator
    return { ...validator, activationEligibilityEpoch: epoch + 1n }
  }
  const due = validator.activationEligibilityEpoch <= epoch && validator.activationEpoch === FAR_FUTURE_EPOCH
  return due ? { ...validator, activationEpoch: epoch + 1n } : validator
}

function updateEffectiveBalance(
  validator: Validator,
  balanceGwei: bigint,
  spec: ChainSpec,
  options: { fulu: boolean },
): Validator {
  const { effectiveBalanceGwei } = validator
  if (balanceGwei === effectiveBalanceGwei) return validator
  const next = nextEffectiveBalance({ effectiveBalanceGwei, balanceGwei }, spec, options)
  return next === effectiveBalanceGwei ? validator : { ...validator, effectiveBalanceGwei: next }
}

function enforceCap(validators: readonly Validator[], epoch: bigint, spec: ChainSpec): readonly Validator[] {
  const active = validators.filter((validator) => isActive(validator, epoch))
  const excess = active.length - spec.validatorSetCap
  if (excess <= 0) return validators
  const evicted = new Set(active.sort(compareStake).slice(0, excess))
  return validators.map((validator) =>
    evicted.has(validator) ? withExit(validator, epoch, spec) : validator,
  )
}
