import { readKeyState } from '../clients/read-key-state.ts'
import type { Survey } from '../consensus/survey.ts'
import { StateUnprovenError } from '../errors/deposit.ts'
import type { Hex } from '../format/hex.ts'
import type { KeyState, Level } from '../key-state/key-state.ts'
import { isRecent } from './head-is-fresh.ts'
import { clientsOf, type World } from './world.ts'

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
  if (level.by === 'report') return 'reported (not proven)'
  if (!isRecent(world, key.block.timestampSeconds)) return `the state of slot ${key.slot} is old`
  if (level.anchors >= (second === undefined ? 1 : 2)) return undefined
  return `${second?.label ?? execution.label} does not hold the root of slot ${key.slot}`
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
  return new StateUnprovenError('The validator set is not proven', why)
}
