import { hex, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { NodeClient } from './client.ts'
import { encodeStateId, type StateId } from './state-id.ts'

const fields = record({ data: record({ root: hex(32) }) })

/** The root of a state (`states/{id}/root`). A slot in the future is `failed`. Throws a `ClientError`. */
export function getStateRoot(client: NodeClient, args: { state: StateId }): Promise<Hex> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'root']
  return client.ask({ path, decode: (value, at) => fields(value, at).data.root })
}
