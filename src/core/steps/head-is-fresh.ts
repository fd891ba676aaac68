import { type ExecutionBlock, getBlock, getBlockNumber } from '../clients/execution/blocks.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import type { World } from './world.ts'

const OLDEST_HEAD_MS = 30_000
const SLOTS_TO_WAIT = 10

/**
 * Whether the execution chain is alive. Where chain time is the wall's, the head must be younger than 30 s;
 * elsewhere a newer block must appear within ten slots on our own clock. Nothing else reveals a stopped chain.
 */
export async function headIsFresh(
  world: Pick<World<never>, 'effects' | 'setup' | 'signal'>,
  execution: ExecutionClient,
  head: ExecutionBlock,
): Promise<boolean> {
  const { clock } = world.effects
  const { network } = world.setup
  if (network.clockIsWall) return isRecent(world, head.timestamp)
  const deadline = clock.monotonicMs() + SLOTS_TO_WAIT * network.slotMs
  while (clock.monotonicMs() < deadline) {
    if ((await getBlockNumber(execution)) > head.number) return true
    await clock.sleep(network.slotMs / 2)
  }
  return false
}

/** Whether the latest block of an endpoint is of now, as `isRecent` says. Throws a `ClientError`. */
export async function latestIsRecent(
  world: Pick<World<never>, 'effects' | 'setup'>,
  execution: ExecutionClient,
): Promise<boolean> {
  const latest = await getBlock(execution, { block: 'latest' })
  return latest !== undefined && isRecent(world, latest.timestamp)
}

/**
 * Whether something of this chain time (Unix seconds) is of now: at most 30 s from our own clock. Where chain time is
 * not the wall's the clock cannot tell, and only heads can be compared.
 */
export function isRecent(
  { effects, setup }: Pick<World<never>, 'effects' | 'setup'>,
  timestampSeconds: bigint,
): boolean {
  if (!setup.network.clockIsWall) return true
  return Math.abs(effects.clock.nowMs() - Number(timestampSeconds) * 1000) <= OLDEST_HEAD_MS
}
