import { bool, type Decoder, decimal, record } from '../../format/decode.ts'
import type { NodeClient } from './client.ts'

export type NodeSyncing = { headSlot: bigint; syncDistance: bigint; isSyncing: boolean }

// el_offline is always false here, whatever the execution client does: it is not read.
const fields = record({ data: record({ head_slot: decimal, sync_distance: decimal, is_syncing: bool }) })

const decode: Decoder<NodeSyncing> = (value, path) => {
  const { data } = fields(value, path)
  return { headSlot: data.head_slot, syncDistance: data.sync_distance, isSyncing: data.is_syncing }
}

/**
 * What the node says of its sync (`node/syncing`). A stopped chain and a node without its first block say "not
 * syncing" too: only the age of the head tells. Throws a `ClientError`.
 */
export function getNodeSyncing(client: NodeClient): Promise<NodeSyncing> {
  return client.ask({ path: ['eth', 'v1', 'node', 'syncing'], decode })
}
