import type { Survey } from '../consensus/survey.ts'
import { proveOwnIn } from './prove-own-in.ts'
import { proveSurvey } from './prove-survey.ts'
import { readReportedSurvey } from './read-reported-survey.ts'
import type { SurveyClients, SurveyOptions } from './survey-clients.ts'

/**
 * The whole validator set as one answer, once: proven where the node offers its whole state (then one slot behind
 * the head), else as the node reports it, with the validator `keep` proven on its own. Who asks again and again uses
 * `watchSurvey`. Throws a `ClientError`, and StateMismatchError when the node's state is not the one that the chain holds.
 */
export async function readSurvey(clients: SurveyClients, options: SurveyOptions): Promise<Survey> {
  const found = await proveSurvey(clients, options)
  if ('consensus' in found) return found
  const reported = await readReportedSurvey(clients, { ...options, unproven: found.unproven })
  const { keep } = options
  if (keep === undefined) return reported
  return (await proveOwnIn(reported, clients, { ...options, keep, before: undefined })).survey
}
