import type { Survey } from '../consensus/survey.ts'
import { ClientError } from '../errors/client.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getBlock } from './execution/get-block.ts'
import type { NodeClient } from './node/client.ts'
import { getHeader } from './node/get-headers.ts'
import { getPendingPartialWithdrawals } from './node/get-pending-partial-withdrawals.ts'
import { getValidators } from './node/get-validators.ts'

/**
 * The whole validator set at the head, all parts of one slot. The cursor of the withdrawal sweep is not offered by
 * these endpoints and taken as zero: it decides when money is paid back, never who has a seat.
 * Throws a `ClientError`.
 */
export async function readSurvey(node: NodeClient, execution: ExecutionClient): Promise<Survey> {
  const { slot } = await getHeader(node, { block: 'head' })
  const [records, pendingPartialWithdrawals, block] = await Promise.all([
    getValidators(node, { state: slot }),
    getPendingPartialWithdrawals(node, { state: slot }),
    getBlock(execution, { block: slot }),
  ])
  if (block === undefined) {
    throw new ClientError('not-found', {
      service: 'execution RPC',
      endpoint: execution.label,
      what: `block ${slot}`,
    })
  }
  return {
    consensus: {
      slot,
      validators: records.map((record) => record.validator),
      balancesGwei: records.map((record) => record.balanceGwei),
      pendingPartialWithdrawals,
      nextWithdrawalIndex: 0n,
      nextWithdrawalValidatorIndex: 0,
    },
    timestampSeconds: block.timestamp,
    proven: false,
  }
}
