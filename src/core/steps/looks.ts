import { type ExecutionBlock, getBlock, getBlockNumber } from '../clients/execution/blocks.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import { readKeyState } from '../clients/read-key-state.ts'
import type { Survey } from '../consensus/survey.ts'
import { StateUnprovenError } from '../errors/deposit.ts'
import type { Hex } from '../format/hex.ts'
import type { KeyState, Level } from '../key-state/key-state.ts'
import { STEP_TEXT } from './text.ts'
import { clientsOf, type World } from './world.ts'

const OLDEST_HEAD_MS = 30_000
const SLOTS_TO_WAIT = 10

type Asking = Pick<World<never>, 'effects' | 'setup' | 'offers'>

/**
 * What the chain knows of a key in this moment, by all endpoints of the setup. Throws StateMismatchError, or a
 * `ClientError` where the first execution endpoint does not answer.
 */
export function lookAtKey(world: Asking, pubkey: Hex): Promise<KeyState> {
  const { node, execution, second } = clientsOf(world)
  const { network } = world.setup
  return readKeyState({ node, execution, second }, { network, pubkey, clock: world.effects.clock })
}

/**
 * Why what vouches for a part of a key's state does not do for a decision about money: not every execution endpoint
 * holds the proof, or it is not of now. undefined where it does.
 */
export function doubtOf(world: Asking, key: KeyState, level: Level): string | undefined {
  const { execution, second } = clientsOf(world)
  if (level.by === 'report') return STEP_TEXT.doubt.reported
  if (!isRecent(world, key.block.timestampSeconds)) return STEP_TEXT.doubt.old(key.slot)
  if (level.anchors >= (second === undefined ? 1 : 2)) return undefined
  return STEP_TEXT.doubt.noRoot(second?.label ?? execution.label, key.slot)
}

/**
 * The validator set of the same look, for a decision about money: a list can leave out who outbids you.
 * undefined where the node does not offer its state. Throws a StateUnprovenError where it does and nothing is proven.
 */
export function provenSetOf(world: Asking, key: KeyState): Survey | undefined {
  const { set } = key
  if ('unknown' in set) {
    if (set.outOfReach) return undefined
    throw unproven(set.unknown)
  }
  const doubt = doubtOf(world, key, { by: 'proof', anchors: set.proof?.anchors ?? 0 })
  if (doubt !== undefined) throw unproven(doubt)
  return set
}

function unproven(why: string): StateUnprovenError {
  return new StateUnprovenError(STEP_TEXT.doubt.set, why)
}

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
function isRecent(
  { effects, setup }: Pick<World<never>, 'effects' | 'setup'>,
  timestampSeconds: bigint,
): boolean {
  if (!setup.network.clockIsWall) return true
  return Math.abs(effects.clock.nowMs() - Number(timestampSeconds) * 1000) <= OLDEST_HEAD_MS
}
