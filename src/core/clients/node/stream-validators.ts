import type { ValidatorStatus } from '../../consensus/state.ts'
import { cutJson } from '../../format/cut-json.ts'
import { type Decoder, record, refuse } from '../../format/decode.ts'
import type { Intake } from '../intake.ts'
import { decodeEntry } from '../json-rpc.ts'
import { REGISTRY } from '../limits.ts'
import { emptied } from '../unless-silent.ts'
import { encodeStateId, type StateId } from './chain.ts'
import type { NodeClient } from './client.ts'
import { decodeValidatorRecord, type ValidatorRecord } from './validator-record.ts'

/** Gathers what is wanted of a registry, one validator at a time and in index order. */
export type ValidatorTaker<T> = { add(record: ValidatorRecord): void; done(): T }

export type StreamedState = { state: StateId; statuses?: readonly ValidatorStatus[] }

const left = record({ data: emptied })

/**
 * Reads every validator of a state while the reply arrives, so that a registry of a million takes the memory of a
 * few hundred plus what the taker keeps (`states/{id}/validators`). Entries must come in index order, each once;
 * without `statuses` none may be missing. `taker` is made anew for each attempt. Throws a `ClientError`.
 */
export async function streamValidators<T>(
  client: NodeClient,
  args: StreamedState & { taker: () => ValidatorTaker<T> },
): Promise<T> {
  const { state, statuses = [] } = args
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(state), 'validators']
  const query = statuses.map((status) => ['status', status] as const)
  let taker = args.taker()
  const intake = (): Intake => {
    taker = args.taker()
    return readInOrder(taker, { whole: statuses.length === 0 })
  }
  const decode: Decoder<T> = (value, at) => {
    left(value, at)
    return taker.done()
  }
  return client.ask({ path, query, decode, limits: REGISTRY, intake })
}

function readInOrder(taker: ValidatorTaker<unknown>, { whole }: { whole: boolean }): Intake {
  let next = 0
  return cutJson({
    data: (entries, first) => {
      for (const [offset, entry] of entries.entries()) {
        const read = decodeEntry(decodeValidatorRecord, entry, { list: 'data', at: first + offset })
        if (read.index < next || (whole && read.index !== next))
          refuse(`data[${first + offset}].index`, whole ? `${next}` : `${next} or more`, String(read.index))
        next = read.index + 1
        taker.add(read)
      }
    },
  })
}
