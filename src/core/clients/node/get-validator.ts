import { ClientError } from '../../errors/client.ts'
import { record, refuse } from '../../format/decode.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import type { NodeClient } from './client.ts'
import { encodeStateId, type StateId } from './state-id.ts'
import { decodeValidatorRecord, type ValidatorRecord } from './validator-record.ts'

const fields = record({ data: decodeValidatorRecord })

/**
 * One validator by pubkey or index, or undefined when that state does not know it (`states/{id}/validators/{id}`).
 * A slot that this node does not have looks the same, so absence counts only at a head that is fresh
 *. An answer about another validator is refused. Throws a `ClientError`.
 */
export async function getValidator(
  client: NodeClient,
  args: { state: StateId; id: Hex | number },
): Promise<ValidatorRecord | undefined> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'validators', String(args.id)]
  try {
    return await client.ask({ path, decode: (value, at) => checked(fields(value, at).data, args.id) })
  } catch (thrown) {
    if (thrown instanceof ClientError && thrown.fault === 'not-found') return undefined
    throw thrown
  }
}

function checked(found: ValidatorRecord, id: Hex | number): ValidatorRecord {
  if (typeof id === 'number')
    return found.index === id ? found : refuse('data.index', String(id), found.index)
  const { pubkey } = found.validator
  return sameHex(pubkey, id) ? found : refuse('data.validator.pubkey', id, pubkey)
}
