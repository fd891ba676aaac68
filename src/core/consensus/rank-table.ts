import type { Hex } from '../format/hex.ts'
import type { ChainSpec } from '../network/chain-spec.ts'
import { activeSet, epochOfSlot } from './active-set.ts'
import { compareStake } from './compare-stake.ts'
import { processEpochWithoutCap } from './process-epoch.ts'
import { lastSlotOfEpoch, runForward } from './run-forward.ts'
import type { ConsensusState } from './state.ts'

/** One rung of the ladder; rank 1 has the most stake. */
export type Rung = {
  rank: number
  pubkey: Hex
  /** Effective balance, in gwei. */
  stakeGwei: bigint
  /** Whether the rank is within the seats. */
  seated: boolean
}

/** All who want a seat at an epoch, best first, before the cap sends anyone away. */
export type RankTable = {
  epoch: bigint
  seats: number
  rungs: readonly Rung[]
}

/**
 * The ladder of an epoch: who is, or by what the state holds will be, active then, in the order of the cap
 * (effective balance, then pubkey, both descending). A later epoch than the state's is reached by running the
 * model with empty blocks, so queued and about-to-qualify validators and pending withdrawals are in.
 */
export function rankTable(
  state: ConsensusState,
  spec: ChainSpec,
  options: { epoch: bigint; fulu: boolean },
): RankTable {
  const { epoch, fulu } = options
  if (epoch <= epochOfSlot(state.slot, spec)) return tableOf(state, spec, epoch)
  const toSlot = lastSlotOfEpoch(epoch - 1n, spec)
  const { state: eve } = runForward({ state, queue: [] }, spec, { toSlot, fulu })
  return nextRankTable(eve, spec, { fulu })
}

/** The ladder of the next epoch as the turn that ends the state's own epoch would sort it. */
export function nextRankTable(state: ConsensusState, spec: ChainSpec, options: { fulu: boolean }): RankTable {
  return tableOf(processEpochWithoutCap(state, spec, options), spec, epochOfSlot(state.slot, spec) + 1n)
}

function tableOf(state: ConsensusState, spec: ChainSpec, epoch: bigint): RankTable {
  const ordered = activeSet(state, epoch).sort((a, b) => compareStake(b, a))
  const rungs = ordered.map((validator, index) => ({
    rank: index + 1,
    pubkey: validator.pubkey,
    stakeGwei: validator.effectiveBalanceGwei,
    seated: index < spec.validatorSetCap,
  }))
  return { epoch, seats: spec.validatorSetCap, rungs }
}
