import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import {
  type ConsensusDeposit,
  type ConsensusState,
  epochOfSlot,
  FAR_FUTURE_EPOCH,
  isActive,
  newValidator,
  nextEffectiveBalance,
  type Validator,
} from './state.ts'

/**
 * The order in which the cap looks at validators: effective balance, then pubkey bytes, both ascending. The first
 * ones are the first to go, so at equal stake the smaller pubkey loses.
 */
export function compareStake(a: Validator, b: Validator): number {
  if (a.effectiveBalanceGwei !== b.effectiveBalanceGwei) {
    return a.effectiveBalanceGwei < b.effectiveBalanceGwei ? -1 : 1
  }
  const left = a.pubkey.toLowerCase()
  const right = b.pubkey.toLowerCase()
  if (left === right) return 0
  return left < right ? -1 : 1
}

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
  balanceGwei: Gwei,
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

/**
 * Applies deposits in event order. A known pubkey only grows its
 * balance; an unknown one becomes a validator when its signature is valid, else the money is gone.
 */
export function applyDeposits(
  state: ConsensusState,
  deposits: readonly ConsensusDeposit[],
  spec: ChainSpec,
): ConsensusState {
  if (deposits.length === 0) return state
  const validators = [...state.validators]
  const balancesGwei = [...state.balancesGwei]
  for (const deposit of deposits) {
    const index = findValidatorIndex(validators, deposit.pubkey)
    if (index !== undefined) {
      balancesGwei[index] = (balancesGwei[index] ?? 0n) + deposit.amountGwei
      continue
    }
    if (!deposit.signatureValid) continue
    validators.push(newValidator(deposit, spec))
    balancesGwei.push(deposit.amountGwei)
  }
  return { ...state, validators, balancesGwei }
}

/** Returns the place of a pubkey in the registry, undefined when consensus does not know it. */
export function findValidatorIndex(validators: readonly Validator[], pubkey: string): number | undefined {
  const index = validators.findIndex((validator) => sameHex(validator.pubkey, pubkey))
  return index === -1 ? undefined : index
}

/** Before Fulu a deposit of block N takes effect in slot N + 2 (ran, follow distance 1). */
const DELAY_BEFORE_FULU_SLOTS = 2n

/** A deposit that waits, with the slot of the block whose event it is. */
export type QueuedDeposit = ConsensusDeposit & { blockSlot: bigint }

/** The first slot whose state can hold a deposit of a block, the limit per block aside. */
function landingSlot(blockSlot: bigint, options: { fulu: boolean }): bigint {
  return options.fulu ? blockSlot : blockSlot + DELAY_BEFORE_FULU_SLOTS
}

/**
 * Splits a queue of deposits in event order into those that take effect in `slot` and the rest. Before Fulu an
 * event of block N counts from slot N + 2, at most `maxDepositsPerBlock` a slot; from Fulu on in its own block,
 * without that limit.
 */
export function takeDueDeposits<Deposit extends { blockSlot: bigint }>(
  queue: readonly Deposit[],
  at: { slot: bigint; fulu: boolean; spec: { maxDepositsPerBlock: number } },
): { due: readonly Deposit[]; rest: readonly Deposit[] } {
  if (queue.length === 0) return { due: queue, rest: queue }
  const firstLater = queue.findIndex((deposit) => landingSlot(deposit.blockSlot, at) > at.slot)
  const ready = firstLater === -1 ? queue.length : firstLater
  const count = at.fulu ? ready : Math.min(ready, at.spec.maxDepositsPerBlock)
  return { due: queue.slice(0, count), rest: queue.slice(count) }
}

/**
 * What a validator will have once everything that is in blocks already is counted: its balance and the deposits for
 * its key that wait, whoever made them. In gwei; 0 for a key that nobody has paid for.
 */
export function stakeToBe(known: {
  state: ConsensusState
  uncounted?: readonly QueuedDeposit[]
  pubkey: Hex
}): Gwei {
  const index = findValidatorIndex(known.state.validators, known.pubkey)
  const countedGwei = index === undefined ? 0n : (known.state.balancesGwei[index] ?? 0n)
  return (known.uncounted ?? [])
    .filter((deposit) => sameHex(deposit.pubkey, known.pubkey))
    .reduce((sumGwei, { amountGwei }) => sumGwei + amountGwei, countedGwei)
}

/** A deposit of a genesis file; its signature is taken as valid. */
export type GenesisBalance = {
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: Gwei
}

/**
 * The state of slot 0 from the deposits of a genesis file, in order. Deposits are applied one after another, so a
 * second one for a pubkey raises its balance and leaves its effective balance; whoever then has the activation
 * balance is active from epoch 0.
 */
export function genesisState(deposits: readonly GenesisBalance[], spec: ChainSpec): ConsensusState {
  const empty: ConsensusState = {
    slot: 0n,
    validators: [],
    balancesGwei: [],
    pendingPartialWithdrawals: [],
    nextWithdrawalIndex: 0n,
    nextWithdrawalValidatorIndex: 0,
  }
  const signed = deposits.map((deposit) => ({ ...deposit, signatureValid: true }))
  const state = applyDeposits(empty, signed, spec)
  const validators = state.validators.map((validator) =>
    validator.effectiveBalanceGwei < spec.activationBalanceGwei
      ? validator
      : { ...validator, activationEligibilityEpoch: 0n, activationEpoch: 0n },
  )
  return { ...state, validators }
}
