import { slotOutOfOrder } from '../../base/errors/deposit.ts'
import type { Gwei } from '../../base/format/amount.ts'
import { sameHex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import { executionAddress, hasExecutionCredentials, payWithdrawals } from './pay-withdrawals.ts'
import {
  applyDeposits,
  findValidatorIndex,
  processEpoch,
  type QueuedDeposit,
  takeDueDeposits,
  withExit,
} from './process-epoch.ts'
import {
  activeSet,
  type ConsensusBlock,
  type ConsensusState,
  type EngineUpdate,
  engineUpdates,
  epochOfSlot,
  FAR_FUTURE_EPOCH,
  isActive,
  type SlotResult,
  type Validator,
  type WithdrawalRequest,
} from './state.ts'

/**
 * Applies withdrawal requests in order (EIP-7002). One that is not allowed changes
 * nothing and is no error.
 */
function applyWithdrawalRequests(
  state: ConsensusState,
  requests: readonly WithdrawalRequest[],
  spec: ChainSpec,
): ConsensusState {
  return requests.reduce((current, request) => applyRequest(current, request, spec), state)
}

function applyRequest(state: ConsensusState, request: WithdrawalRequest, spec: ChainSpec): ConsensusState {
  const index = findValidatorIndex(state.validators, request.pubkey)
  if (index === undefined) return state
  const validator = state.validators[index]
  const epoch = epochOfSlot(state.slot, spec)
  if (validator === undefined || !mayWithdraw(validator, request, epoch)) return state
  if (request.amountGwei === 0n) return exited(state, index, validator, spec)
  return queued(state, index, request.amountGwei, spec)
}

function mayWithdraw(validator: Validator, request: WithdrawalRequest, epoch: bigint): boolean {
  if (!hasExecutionCredentials(validator.withdrawalCredentials)) return false
  if (!sameHex(executionAddress(validator.withdrawalCredentials), request.sourceAddress)) return false
  return isActive(validator, epoch) && validator.exitEpoch === FAR_FUTURE_EPOCH
}

function exited(state: ConsensusState, index: number, validator: Validator, spec: ChainSpec): ConsensusState {
  if (pendingFor(state, index) > 0n) return state
  const exitEpoch = epochOfSlot(state.slot, spec) + 1n
  return { ...state, validators: state.validators.with(index, withExit(validator, exitEpoch, spec)) }
}

function queued(state: ConsensusState, index: number, askedGwei: Gwei, spec: ChainSpec): ConsensusState {
  const effectiveBalanceGwei = state.validators[index]?.effectiveBalanceGwei ?? 0n
  const freeGwei = (state.balancesGwei[index] ?? 0n) - spec.activationBalanceGwei - pendingFor(state, index)
  if (effectiveBalanceGwei < spec.activationBalanceGwei || freeGwei <= 0n) return state
  const pending = {
    validatorIndex: index,
    amountGwei: freeGwei < askedGwei ? freeGwei : askedGwei,
    withdrawableEpoch: epochOfSlot(state.slot, spec) + 1n + spec.withdrawabilityDelayEpochs,
  }
  return { ...state, pendingPartialWithdrawals: [...state.pendingPartialWithdrawals, pending] }
}

function pendingFor(state: ConsensusState, index: number): bigint {
  let sum = 0n
  for (const pending of state.pendingPartialWithdrawals) {
    if (pending.validatorIndex === index) sum += pending.amountGwei
  }
  return sum
}

/**
 * Moves the state to the next slot and applies its block: epoch turn when the slot is the first of an epoch,
 * withdrawals, deposits, withdrawal requests.
 *
 * @throws BaseError `consensus.slot_order` when `block.slot` is not the slot after the state's.
 */
export function processSlot(state: ConsensusState, spec: ChainSpec, block: ConsensusBlock): SlotResult {
  if (block.slot !== state.slot + 1n) throw slotOutOfOrder(block.slot, state.slot + 1n)
  const turned = advanceSlot(state, spec, { fulu: block.parentFulu ?? block.fulu })
  const paid = payWithdrawals(turned.state, spec)
  const deposited = applyDeposits(paid.state, block.deposits, spec)
  return {
    state: applyWithdrawalRequests(deposited, block.withdrawalRequests, spec),
    withdrawals: paid.withdrawals,
    engineUpdates: turned.engineUpdates,
  }
}

/**
 * Returns the state at the next slot before its block: an epoch turn when that slot is the first of an epoch. `fulu` is
 * the fork of the block before.
 */
export function advanceSlot(
  state: ConsensusState,
  spec: ChainSpec,
  options: { fulu: boolean },
): { state: ConsensusState; engineUpdates: readonly EngineUpdate[] } {
  const slot = state.slot + 1n
  if (slot % spec.slotsPerEpoch !== 0n) return { state: { ...state, slot }, engineUpdates: [] }
  const epoch = epochOfSlot(slot, spec)
  const turned = processEpoch(state, spec, options)
  return {
    state: { ...turned, slot },
    engineUpdates: engineUpdates(activeSet(state, epoch - 1n), activeSet(turned, epoch)),
  }
}

/** A state and the deposits that are on their way to it, in event order. */
export type Course = {
  state: ConsensusState
  queue: readonly QueuedDeposit[]
}

/**
 * Runs blocks that bring nothing but the queued deposits until the state is at `toSlot`; a state already there is
 * given back. The fork stays the same all the way.
 */
export function runForward(
  course: Course,
  spec: ChainSpec,
  options: { toSlot: bigint; fulu: boolean },
): Course {
  const { toSlot, fulu } = options
  let { state, queue } = course
  while (state.slot < toSlot) {
    const slot = state.slot + 1n
    const { due, rest } = takeDueDeposits(queue, { slot, fulu, spec })
    queue = rest
    state = processSlot(state, spec, { slot, fulu, deposits: due, withdrawalRequests: [] }).state
  }
  return { state, queue }
}

/** Returns the slot before the next epoch turn. */
export function lastSlotOfEpoch(epoch: bigint, spec: { slotsPerEpoch: bigint }): bigint {
  return (epoch + 1n) * spec.slotsPerEpoch - 1n
}
