import type { ConsensusState } from './state.ts'

/** The whole validator set as one answer, at one slot. */
export type Survey = {
  consensus: ConsensusState
  /** Time of the block of that slot, Unix seconds: decides which fork's rules count. */
  timestampSeconds: bigint
  /** True when the state was recomputed here and its root anchored in the execution chain. */
  proven: boolean
}
