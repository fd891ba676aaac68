import type { EngineUpdate } from './block.ts'
import type { ConsensusState, Validator } from './state.ts'

/** Whether a validator has a seat at an epoch. */
export function isActive(validator: Validator, epoch: bigint): boolean {
  return validator.activationEpoch <= epoch && epoch < validator.exitEpoch
}

/** The validators with a seat at an epoch, in index order. */
export function activeSet(state: ConsensusState, epoch: bigint): Validator[] {
  return state.validators.filter((validator) => isActive(validator, epoch))
}

/** The epoch that a slot belongs to. */
export function epochOfSlot(slot: bigint, spec: { slotsPerEpoch: bigint }): bigint {
  return slot / spec.slotsPerEpoch
}

/**
 * What the engine is told at an epoch turn: members that are new or whose power changed in index order, then the
 * removed ones with power 0 in index order (the node names these in no fixed order). The engine applies it two
 * blocks later (facts).
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
