import { type Decoder, hex, quantity64, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { NodeClient } from './client.ts'
import { encodeStateId, type StateId } from './state-id.ts'

export type NodeFork = { previousVersion: Hex; currentVersion: Hex; epoch: bigint }

const fields = record({
  // The one number of /eth/v1 that this node writes in hex.
  data: record({ previous_version: hex(4), current_version: hex(4), epoch: quantity64 }),
})

const decode: Decoder<NodeFork> = (value, path) => {
  const { data } = fields(value, path)
  return { previousVersion: data.previous_version, currentVersion: data.current_version, epoch: data.epoch }
}

/** The fork of a state (`states/{id}/fork`). Throws a `ClientError`. */
export function getFork(client: NodeClient, args: { state: StateId }): Promise<NodeFork> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'fork']
  return client.ask({ path, decode })
}
