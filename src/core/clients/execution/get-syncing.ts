import { type Decoder, quantity64, record } from '../../format/decode.ts'
import type { CallOptions } from '../limits.ts'
import type { ExecutionClient } from './client.ts'

/** undefined: the client says that it is not syncing. */
export type SyncProgress = { currentBlock: bigint; highestBlock: bigint } | undefined

const progress = record({ currentBlock: quantity64, highestBlock: quantity64 })

const decodeSyncing: Decoder<SyncProgress> = (value, path) =>
  value === false ? undefined : progress(value, path)

/** Whether the execution client still catches up, and how far it is (`eth_syncing`). Throws a `ClientError`. */
export function getSyncing(client: ExecutionClient, options?: CallOptions): Promise<SyncProgress> {
  return client.rpc({ method: 'eth_syncing', params: [], decode: decodeSyncing }, options)
}
