import { gatherContenders, stateOfContenders } from '../consensus/contenders.ts'
import type { Survey } from '../consensus/survey.ts'
import { ClientError } from '../errors/client.ts'
import { getBlock } from './execution/get-block.ts'
import { getHeader } from './node/get-headers.ts'
import { getPendingPartialWithdrawals } from './node/get-pending-partial-withdrawals.ts'
import { streamValidators } from './node/stream-validators.ts'
import type { SurveyClients, SurveyOptions } from './survey-clients.ts'

/**
 * The validator set at the head as the node reports it, all parts of one slot. The cursor of the withdrawal sweep is
 * not offered by these endpoints and taken as zero: it decides when money is paid back, never who has a seat.
 * Throws a `ClientError`.
 */
export async function readReportedSurvey(
  { node, execution }: SurveyClients,
  { network, keep, unproven }: Pick<SurveyOptions, 'network' | 'keep'> & { unproven: string | undefined },
): Promise<Survey> {
  const { slot } = await getHeader(node, { block: 'head' })
  const [contenders, pendingPartialWithdrawals, block] = await Promise.all([
    streamValidators(node, {
      state: slot,
      taker: () => gatherContenders({ seats: network.spec.validatorSetCap, keep }),
    }),
    getPendingPartialWithdrawals(node, { state: slot }),
    getBlock(execution, { block: slot }),
  ])
  if (block === undefined) throw noBlock(execution.label, slot)
  return {
    consensus: stateOfContenders(contenders, {
      slot,
      pendingPartialWithdrawals,
      nextWithdrawalIndex: 0n,
      nextWithdrawalValidatorIndex: 0,
    }),
    indexes: contenders.map(({ index }) => index),
    timestampSeconds: block.timestamp,
    proof: undefined,
    uncounted: { unknown: 'only a proven state says which deposits it has counted', perhaps: [] },
    unproven,
  }
}

function noBlock(endpoint: string, slot: bigint): ClientError {
  return new ClientError('not-found', { service: 'execution RPC', endpoint, what: `block ${slot}` })
}
