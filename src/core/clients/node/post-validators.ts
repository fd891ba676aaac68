import { list, record } from '../../format/decode.ts'
import { LIST } from '../limits.ts'
import type { NodeClient } from './client.ts'
import type { ValidatorFilter } from './get-validators.ts'
import { encodeStateId } from './state-id.ts'
import { decodeValidatorRecord, type ValidatorRecord } from './validator-record.ts'

const fields = record({ data: list(decodeValidatorRecord) })

/**
 * The validators that a filter names, asked for by POST with the ids and statuses in the body: for more of them
 * than a URL holds (`states/{id}/validators`). It still only reads. Throws a `ClientError`.
 */
export function postValidators(client: NodeClient, args: ValidatorFilter): Promise<ValidatorRecord[]> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'validators']
  const body = {
    ...(args.ids === undefined ? {} : { ids: args.ids.map(String) }),
    ...(args.statuses === undefined ? {} : { statuses: args.statuses }),
  }
  return client.ask({ path, body, decode: (value, at) => fields(value, at).data, limits: LIST })
}
