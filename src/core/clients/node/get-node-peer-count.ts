import { type Decoder, decimalIndex, record } from '../../format/decode.ts'
import { OPTIONAL } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { ifOffered } from './if-offered.ts'

export type NodePeerCount = {
  connected: number
  connecting: number
  disconnected: number
  disconnecting: number
}

const fields = record({
  data: record({
    connected: decimalIndex,
    connecting: decimalIndex,
    disconnected: decimalIndex,
    disconnecting: decimalIndex,
  }),
})

const decode: Decoder<NodePeerCount> = (value, path) => fields(value, path).data

/**
 * How many peers the node has (`node/peer_count`); undefined when it does not say: the engine's `/net_info` does.
 * Throws a `ClientError`.
 */
export function getNodePeerCount(client: NodeClient): Promise<NodePeerCount | undefined> {
  return ifOffered(client.ask({ path: ['eth', 'v1', 'node', 'peer_count'], limits: OPTIONAL, decode }))
}
