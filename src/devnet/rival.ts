import { epochOfSlot, isActive } from '../core/consensus/active-set.ts'
import type { ConsensusState } from '../core/consensus/state.ts'
import type { RehearsalExecution } from './execution/types.ts'
import { sendTopUp } from './others-deposits.ts'
import type { Plan } from './plan.ts'

/**
 * The rival of a scenario, if it has one. It adds to its own validator once, in the first block of an epoch: from there
 * it takes three epochs until somebody loses a place by it, the most time that there can be for an answer.
 */
export function createRival(plan: Plan, execution: RehearsalExecution) {
  const { spec, fresh, rival } = plan
  let waits = rival !== undefined
  return {
    /** Acts, if its time has come, so that its deposit is in the block of `slot`. */
    async actBefore(slot: bigint, state: ConsensusState): Promise<void> {
      if (!waits || rival === undefined || slot % spec.slotsPerEpoch !== 0n) return
      const user = state.validators.find(({ pubkey }) => pubkey === fresh.pubkey)
      if (user === undefined || !isActive(user, epochOfSlot(slot, spec) - 1n)) return
      waits = false
      await sendTopUp(execution, plan, rival)
    },
  }
}
