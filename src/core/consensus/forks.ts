import type { ChainSpec } from '../network/chain-spec.ts'

/** Forks that the rules in this folder tell apart. */
export type ForkName = 'deneb' | 'electra' | 'electra1' | 'fulu'

/** The times of a chain spec at which forks begin, Unix seconds. */
export type ForkTimes = Pick<ChainSpec, 'electraTimeSeconds' | 'electraOneTimeSeconds' | 'fuluTimeSeconds'>

/** The fork in force at a block's timestamp in Unix seconds. */
export function forkName(spec: ForkTimes, timestampSeconds: bigint): ForkName {
  if (timestampSeconds >= spec.fuluTimeSeconds) return 'fulu'
  if (timestampSeconds >= spec.electraOneTimeSeconds) return 'electra1'
  if (timestampSeconds >= spec.electraTimeSeconds) return 'electra'
  return 'deneb'
}

/** Whether Fulu's rules hold at a block's timestamp in Unix seconds. */
export function isFulu(spec: ForkTimes, timestampSeconds: bigint): boolean {
  return timestampSeconds >= spec.fuluTimeSeconds
}
