import {
  decodeWhole,
  exactRecord,
  FieldFault,
  list,
  optional,
  text,
} from '../../src/core/base/format/decode.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { JsonFault, parseStrictJson } from '../../src/core/base/format/strict-json.ts'
import type { ValidatorStatus } from '../../src/core/chain/consensus/state.ts'
import type { NodeClient } from '../../src/core/clients/node/client.ts'
import { postValidatorBalances, postValidators } from '../../src/core/clients/node/validators.ts'
import { type Route, stateId } from './route-of.ts'

type Question = { parts: readonly string[]; body: string | undefined }

const filter = exactRecord({ ids: optional(list(text)), statuses: optional(list(text)) })

/** The call for a POST whose body the call can send; undefined for any other. */
export function postRoute(client: NodeClient, { parts, body }: Question): Route {
  const path = parts.join('/')
  const [, id, kind] = /^eth\/v1\/beacon\/states\/([^/]+)\/(validators|validator_balances)$/.exec(path) ?? []
  const state = stateId(id)
  if (state === undefined) return undefined
  if (kind === 'validators') {
    const read = readBody(body, filter)
    if (read === undefined) return undefined
    const { ids, statuses } = read as { ids?: Hex[]; statuses?: ValidatorStatus[] }
    const args = {
      state,
      ...(ids === undefined ? {} : { ids }),
      ...(statuses === undefined ? {} : { statuses }),
    }
    return { name: 'posted validators', ask: () => postValidators(client, args) }
  }
  const ids = readBody(body, list(text)) as Hex[] | undefined
  if (ids === undefined) return undefined
  return { name: 'posted balances', ask: () => postValidatorBalances(client, { state, ids }) }
}

function readBody<T>(body: string | undefined, decode: (value: unknown, path: string) => T): T | undefined {
  try {
    return decodeWhole(decode, parseStrictJson(body ?? ''))
  } catch (thrown) {
    if (thrown instanceof JsonFault || thrown instanceof FieldFault) return undefined
    throw thrown
  }
}
