import type { ValidatorStatus } from '../../core/consensus/validator-status.ts'
import { badUsage } from '../../core/errors/usage.ts'
import { decodeWhole, FieldFault, list, optional, record, text } from '../../core/format/decode.ts'
import type { Hex } from '../../core/format/hex.ts'
import { JsonFault, parseStrictJson } from '../../core/format/strict-json.ts'
import { statusOf, validatorIdOf } from './path-parts.ts'

type Filter = { ids?: (Hex | number)[]; statuses?: ValidatorStatus[] }

const filter = record({ ids: optional(list(text)), statuses: optional(list(text)) })

/** The JSON of --body: a filter `{ids, statuses}`, or a list of ids. Throws `usage.option` that names the field. */
export function readPostBody(body: string | undefined, kind: 'filter' | 'ids'): Filter {
  try {
    const json = parseStrictJson(body ?? '')
    if (kind === 'ids') return { ids: decodeWhole(list(text), json).map(validatorIdOf) }
    const { ids, statuses } = decodeWhole(filter, json)
    return {
      ...(ids === undefined ? {} : { ids: ids.map(validatorIdOf) }),
      ...(statuses === undefined ? {} : { statuses: statuses.map(statusOf) }),
    }
  } catch (thrown) {
    if (!(thrown instanceof JsonFault) && !(thrown instanceof FieldFault)) throw thrown
    const next = kind === 'ids' ? 'Give a list such as ["0"].' : 'Give a record such as {"ids":["0"]}.'
    throw badUsage({ sentence: '--body is not what this endpoint takes.', found: thrown.message, next })
  }
}
