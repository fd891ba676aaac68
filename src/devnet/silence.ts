import { epochOfSlot, isActive } from '../core/consensus/active-set.ts'
import type { ConsensusState } from '../core/consensus/state.ts'
import type { LoopbackServer } from './loopback-server.ts'
import type { Plan } from './plan.ts'

/**
 * The node of a scenario that stops answering once the user's validator has been active for an epoch, and answers again
 * some slots later. The chain goes on meanwhile, and its execution client answers all along.
 */
export function createSilence({ spec, fresh, silentSlots }: Plan, servers: readonly LoopbackServer[]) {
  let waits = silentSlots !== undefined
  let endsAt: bigint | undefined
  return {
    /** Acts, if its time has come, before the block of `slot`. */
    actBefore(slot: bigint, state: ConsensusState): void {
      if (endsAt !== undefined && slot >= endsAt) {
        endsAt = undefined
        for (const server of servers) server.resume()
      }
      if (!waits || silentSlots === undefined || slot % spec.slotsPerEpoch !== 0n) return
      const user = state.validators.find(({ pubkey }) => pubkey === fresh.pubkey)
      if (user === undefined || !isActive(user, epochOfSlot(slot, spec) - 1n)) return
      waits = false
      endsAt = slot + BigInt(silentSlots)
      for (const server of servers) server.pause()
    },
  }
}
