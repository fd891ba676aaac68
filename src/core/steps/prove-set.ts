import { proveSurvey } from '../clients/prove-survey.ts'
import type { Survey } from '../consensus/survey.ts'
import { StateUnprovenError } from '../errors/proofs.ts'
import { clientsOf } from './clients-of.ts'
import { isRecent } from './head-is-fresh.ts'
import type { World } from './world.ts'

type Asking = Pick<World<never>, 'effects' | 'setup' | 'offers' | 'facts' | 'signal'>

/**
 * The validator set as the chain itself holds it in this moment, for a decision about money: a list can leave out who
 * outbids you (safety #83). undefined where the node does not offer its state. Throws a StateUnprovenError where it
 * does and nothing is proven, StateMismatchError, or a `ClientError`.
 */
export async function proveSet(world: Asking): Promise<Survey | undefined> {
  const { execution, second, node } = clientsOf(world)
  const { clock } = world.effects
  const asked = {
    network: world.setup.network,
    keep: world.facts().identity?.pubkey,
    rest: () => clock.sleep(0),
  }
  const found = await proveSurvey({ node, execution, second }, asked)
  if ('unproven' in found && 'outOfReach' in found) {
    if (found.outOfReach) return undefined
    throw unproven(found.unproven)
  }
  const { slot } = found.consensus
  if ((found.proof?.anchors ?? 0) < (second === undefined ? 1 : 2))
    throw unproven(`${second?.label ?? execution.label} does not hold the root of slot ${slot}`)
  if (!isRecent(world, found.timestampSeconds)) throw unproven(`the state of slot ${slot} is old`)
  return found
}

function unproven(why: string): StateUnprovenError {
  return new StateUnprovenError('The validator set is not proven', why)
}
