import type { PendingPartialWithdrawal } from '../../consensus/state.ts'
import { type Decoder, decimal, decimalIndex, list, optional, record, refuse } from '../../format/decode.ts'
import { LIST } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { encodeStateId, type StateId } from './state-id.ts'

const fields = record({
  validator_index: decimalIndex,
  amount: decimal,
  // The standard's name, and the one of older versions of this node.
  withdrawable_epoch: optional(decimal),
  withdrawal_epoch: optional(decimal),
})

const entry: Decoder<PendingPartialWithdrawal> = (value, path) => {
  const read = fields(value, path)
  const withdrawableEpoch = read.withdrawable_epoch ?? read.withdrawal_epoch
  if (withdrawableEpoch === undefined)
    return refuse(`${path}.withdrawable_epoch`, 'a decimal number', undefined)
  return { validatorIndex: read.validator_index, amountGwei: read.amount, withdrawableEpoch }
}

const reply = record({ data: list(entry) })

/**
 * The partial withdrawals that wait, in the order of the queue: they show who will sink in rank, and when
 * (`states/{id}/pending_partial_withdrawals`). Throws a `ClientError`.
 */
export function getPendingPartialWithdrawals(
  client: NodeClient,
  args: { state: StateId },
): Promise<PendingPartialWithdrawal[]> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'pending_partial_withdrawals']
  return client.ask({ path, decode: (value, at) => reply(value, at).data, limits: LIST })
}
