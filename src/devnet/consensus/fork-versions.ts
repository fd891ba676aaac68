import { type ForkName, type ForkTimes, forkName } from '../../core/consensus/forks.ts'
import type { Hex } from '../../core/format/hex.ts'

const VERSIONS: Readonly<Record<ForkName, Hex>> = {
  deneb: '0x04000000',
  electra: '0x05000000',
  electra1: '0x05010000',
  fulu: '0x06000000',
}

/** The fork of a state as its `fork` field says it. */
export type StateFork = { previousVersion: Hex; currentVersion: Hex; epoch: bigint }

/** The fork field of the state of slot 0: both versions are the genesis version. */
export function genesisFork(genesisForkVersion: Hex): StateFork {
  return { previousVersion: genesisForkVersion, currentVersion: genesisForkVersion, epoch: 0n }
}

/** The fork field one slot later; it changes when the new block's timestamp is the first of another fork. */
export function nextFork(
  fork: StateFork,
  spec: ForkTimes,
  block: { parentTimestampSeconds: bigint; timestampSeconds: bigint; epoch: bigint },
): StateFork {
  const before = forkName(spec, block.parentTimestampSeconds)
  const now = forkName(spec, block.timestampSeconds)
  if (before === now) return fork
  return { previousVersion: fork.currentVersion, currentVersion: VERSIONS[now], epoch: block.epoch }
}

/** The name that the node API puts beside a state: that of the fork the network started with (ran). */
export function genesisForkName(genesisForkVersion: Hex): string {
  const known = Object.entries(VERSIONS).find(([, version]) => version === genesisForkVersion.toLowerCase())
  return known?.[0] ?? 'unknown'
}
