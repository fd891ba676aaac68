import { depositError } from '../../base/errors/deposit.ts'
import type { ChainSpec } from '../network/network.ts'
import { payWithdrawals } from './pay-withdrawals.ts'
import { applyDeposits, processEpoch, type QueuedDeposit, takeDueDeposits } from './process-epoch.ts'
import {
  activeSet,
  type ConsensusBlock,
  type ConsensusState,
  type EngineUpdate,
  engineUpdates,
  epochOfSlot,
  type SlotResult,
} from './state.ts'
import { applyWithdrawalRequests } from './withdrawal-request.ts'

/**
 * Moves the state to the next slot and applies its block: epoch turn when the slot is the first of an epoch,
 * withdrawals, deposits, withdrawal requests.
 *
 * @throws BaseError `consensus.slot_order` when `block.slot` is not the slot after the state's.
 */
export function processSlot(state: ConsensusState, spec: ChainSpec, block: ConsensusBlock): SlotResult {
  if (block.slot !== state.slot + 1n) throw depositError('consensus.slot_order', block.slot, state.slot + 1n)
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
