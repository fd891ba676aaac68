import type { ChainSpec } from '../network/chain-spec.ts'
import { processSlot } from './process-slot.ts'
import type { ConsensusState } from './state.ts'
import { type QueuedDeposit, takeDueDeposits } from './take-due-deposits.ts'

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

/** The slot before the next epoch turn. */
export function lastSlotOfEpoch(epoch: bigint, spec: { slotsPerEpoch: bigint }): bigint {
  return (epoch + 1n) * spec.slotsPerEpoch - 1n
}
