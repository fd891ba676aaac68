import { type Decoder, list, record, text } from '../../format/decode.ts'
import type { NodeClient } from './client.ts'
import { ifOffered } from './if-offered.ts'

/** Who the node is to its peers. Texts are not yet safe to draw. */
export type NodeIdentity = {
  peerId: string
  enr: string
  p2pAddresses: string[]
  discoveryAddresses: string[]
}

const fields = record({
  data: record({ peer_id: text, enr: text, p2p_addresses: list(text), discovery_addresses: list(text) }),
})

const decode: Decoder<NodeIdentity> = (value, path) => {
  const { data } = fields(value, path)
  return {
    peerId: data.peer_id,
    enr: data.enr,
    p2pAddresses: data.p2p_addresses,
    discoveryAddresses: data.discovery_addresses,
  }
}

/** The node's names in the peer network (`node/identity`); undefined when it does not say. Throws a `ClientError`. */
export function getNodeIdentity(client: NodeClient): Promise<NodeIdentity | undefined> {
  return ifOffered(client.ask({ path: ['eth', 'v1', 'node', 'identity'], decode }))
}
