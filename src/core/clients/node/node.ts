import { ClientError } from '../../base/errors/client.ts'
import { bool, type Decoder, decimal, decimalIndex, record, text } from '../../base/format/decode.ts'
import type { NodeHealth } from '../../chain/network/standstill.ts'
import { OPTIONAL } from '../json-rpc.ts'
import type { NodeClient } from './client.ts'

/**
 * The answer, or undefined when this node does not offer the question: no fault of its own, for a node need not have
 * every endpoint of the standard. Every other failure is thrown on.
 */
export async function ifOffered<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply
  } catch (thrown) {
    if (thrown instanceof ClientError && thrown.fault === 'not-offered') return undefined
    throw thrown
  }
}

const nodeVersionFields = record({ data: record({ version: text }) })

/** The node's own name and version, as it gives them; not yet safe to draw (`node/version`). Throws a `ClientError`. */
export function getNodeVersion(client: NodeClient): Promise<string> {
  const decodedNodeSyncing = (value: unknown, at: string) => nodeVersionFields(value, at).data.version
  return client.ask({ path: ['eth', 'v1', 'node', 'version'], decode: decodedNodeSyncing })
}

export type NodeSyncing = { headSlot: bigint; syncDistance: bigint; isSyncing: boolean }

// el_offline is always false here, whatever the execution client does: it is not read.
const nodeSyncingFields = record({
  data: record({ head_slot: decimal, sync_distance: decimal, is_syncing: bool }),
})

const decodedNodeSyncing: Decoder<NodeSyncing> = (value, path) => {
  const { data } = nodeSyncingFields(value, path)
  return { headSlot: data.head_slot, syncDistance: data.sync_distance, isSyncing: data.is_syncing }
}

/**
 * Returns what the node says of its sync (`node/syncing`). A stopped chain and a node without its first block say "not
 * syncing" too: only the age of the head tells. Throws a `ClientError`.
 */
export function getNodeSyncing(client: NodeClient): Promise<NodeSyncing> {
  return client.ask({ path: ['eth', 'v1', 'node', 'syncing'], decode: decodedNodeSyncing })
}

/**
 * What the status of `node/health` says: 200, 206 and 503 by the standard, with any body or none; undefined when the
 * node does not offer it. Says nothing of a chain that stands still. Throws a `ClientError`.
 */
export async function getNodeHealth(client: NodeClient): Promise<NodeHealth | undefined> {
  const question = {
    path: ['eth', 'v1', 'node', 'health'],
    decode: (): NodeHealth => 'ready',
    limits: OPTIONAL,
  }
  try {
    return await client.ask(question)
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    if (thrown.fault === 'not-offered') return undefined
    // A reply without a body is the usual one here; only its status speaks.
    if (thrown.fault === 'says-nothing' && thrown.status === 200) return 'ready'
    if (thrown.status === 206) return 'syncing'
    if (thrown.status === 503) return 'not-initialized'
    throw thrown
  }
}

export type NodePeerCount = {
  connected: number
  connecting: number
  disconnected: number
  disconnecting: number
}

const nodePeerCountFields = record({
  data: record({
    connected: decimalIndex,
    connecting: decimalIndex,
    disconnected: decimalIndex,
    disconnecting: decimalIndex,
  }),
})

const decodedNodePeerCount: Decoder<NodePeerCount> = (value, path) => nodePeerCountFields(value, path).data

/**
 * How many peers the node has (`node/peer_count`); undefined when it does not say: the engine's `/net_info` does.
 * Throws a `ClientError`.
 */
export function getNodePeerCount(client: NodeClient): Promise<NodePeerCount | undefined> {
  return ifOffered(
    client.ask({ path: ['eth', 'v1', 'node', 'peer_count'], limits: OPTIONAL, decode: decodedNodePeerCount }),
  )
}
