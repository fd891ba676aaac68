import { readReportedSurvey } from '../../clients/read-reported-survey.ts'
import { topUpAfterEntry } from '../../consensus/forecast-entry.ts'
import { isFulu } from '../../consensus/forks.ts'
import { waitingDeposits } from '../../consensus/survey.ts'
import { clientsOf } from '../clients-of.ts'
import { proveSet } from '../prove-set.ts'
import type { GateAnswers } from '../sending/state.ts'
import type { World } from '../world.ts'
import type { DepositEvent } from './machine.ts'

/**
 * What the signed deposit needs on top of it for a place in the active set, by the proven set, or by the reported one
 * where the node does not offer its state. Throws as `proveSet`, and a `ClientError`.
 */
export async function readWholeWay(world: World<DepositEvent>): Promise<GateAnswers['way']> {
  const { identity, signature } = world.facts()
  const { network } = world.setup
  if (identity === undefined || signature === undefined) return { topUpGwei: undefined, reported: true }
  const proven = await proveSet(world)
  const asked = { network, keep: identity.pubkey, unproven: undefined }
  const survey = proven ?? (await readReportedSurvey(clientsOf(world), asked))
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
  return { topUpGwei, reported: proven === undefined }
}
