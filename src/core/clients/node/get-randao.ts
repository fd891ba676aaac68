import { type Decoder, hex, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { NodeClient } from './client.ts'
import { encodeStateId, type StateId } from './state-id.ts'

/** This node gives the mix itself; the standard wraps it in a record. */
const mix: Decoder<Hex> = (value, path) =>
  typeof value === 'string' ? hex(32)(value, path) : record({ randao: hex(32) })(value, path).randao

const fields = record({ data: mix })

/** The randomness of a state, of its own epoch unless one is given (`states/{id}/randao`). Throws a `ClientError`. */
export function getRandao(client: NodeClient, args: { state: StateId; epoch?: bigint }): Promise<Hex> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'randao']
  const query = args.epoch === undefined ? [] : ([['epoch', String(args.epoch)]] as const)
  return client.ask({ path, query, decode: (value, at) => fields(value, at).data })
}
