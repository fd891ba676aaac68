import type { ValidatorStatus } from '../../consensus/validator-status.ts'
import { list, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { LIST } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { encodeStateId, type StateId } from './state-id.ts'
import { streamValidators, type ValidatorTaker } from './stream-validators.ts'
import { decodeValidatorRecord, type ValidatorRecord } from './validator-record.ts'

export type ValidatorFilter = {
  state: StateId
  /** Pubkeys or indexes. Those that the state does not know are left out of the answer. */
  ids?: readonly (Hex | number)[]
  statuses?: readonly ValidatorStatus[]
}

const fields = record({ data: list(decodeValidatorRecord) })

/**
 * The validators of a state in index order, all of them or those that the filter names (`states/{id}/validators`,
 * with `id` and `status` repeated: this node takes no comma lists). Without ids the reply may be of any size and is
 * read while it arrives; who does not need every record uses `streamValidators`. Throws a `ClientError`.
 */
export function getValidators(client: NodeClient, args: ValidatorFilter): Promise<ValidatorRecord[]> {
  const { ids = [] } = args
  if (ids.length === 0) return streamValidators(client, { ...args, taker: gatherAll })
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'validators']
  const statuses = (args.statuses ?? []).map((status) => ['status', status] as const)
  const query = [...ids.map((id) => ['id', String(id)] as const), ...statuses]
  return client.ask({ path, query, decode: (value, at) => fields(value, at).data, limits: LIST })
}

function gatherAll(): ValidatorTaker<ValidatorRecord[]> {
  const records: ValidatorRecord[] = []
  return { add: (record) => records.push(record), done: () => records }
}
