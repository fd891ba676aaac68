import { slotOutOfOrder } from '../errors/consensus.ts'
import type { ChainSpec } from '../network/chain-spec.ts'
import { activeSet, engineUpdates, epochOfSlot } from './active-set.ts'
import { applyDeposits } from './apply-deposits.ts'
import { applyWithdrawalRequests } from './apply-withdrawal-requests.ts'
import type { ConsensusBlock, EngineUpdate, SlotResult } from './block.ts'
import { payWithdrawals } from './pay-withdrawals.ts'
import { processEpoch } from './process-epoch.ts'
import type { ConsensusState } from './state.ts'

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
 * The state at the next slot before its block: an epoch turn when that slot is the first of an epoch. `fulu` is
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
