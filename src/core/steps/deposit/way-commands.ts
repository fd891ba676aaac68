import { readSurvey } from '../../clients/read-survey.ts'
import { topUpAfterEntry } from '../../consensus/forecast-entry.ts'
import { isFulu } from '../../consensus/forks.ts'
import { waitingDeposits } from '../../consensus/survey.ts'
import { clientsOf } from '../clients-of.ts'
import type { GateAnswers } from '../gate/answers.ts'
import type { World } from '../world.ts'
import type { DepositEvent } from './machine.ts'

/**
 * What the signed deposit needs on top of it for a place in the active set, by the proven set, or by the reported one
 * where the whole state is not to be had. Throws as `readSurvey`.
 */
export async function readWholeWay(world: World<DepositEvent>): Promise<GateAnswers['way']> {
  const { identity, signature } = world.facts()
  const { network } = world.setup
  if (identity === undefined || signature === undefined) return { topUpGwei: undefined, reported: true }
  const { node, execution, second } = clientsOf(world)
  const asked = { network, keep: identity.pubkey, clock: world.effects.clock }
  const survey = await readSurvey({ node, execution, second }, asked)
  const { consensus: state, timestampSeconds } = survey
  const { spec, minimumDepositGwei } = network
  const proposal = topUpAfterEntry({
    state,
    spec,
    fulu: isFulu(spec, timestampSeconds),
    pubkey: identity.pubkey,
    withdrawalCredentials: signature.withdrawalCredentials,
    amountGwei: signature.amountGwei,
    currentSlot: state.slot,
    uncounted: waitingDeposits(survey),
    minimumDepositGwei,
  })
  const topUpGwei = 'impossible' in proposal ? undefined : proposal.addGwei
  return { topUpGwei, reported: survey.proof === undefined }
}
