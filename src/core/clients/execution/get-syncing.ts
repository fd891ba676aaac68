import { type Decoder, quantity64, record } from '../../format/decode.ts'
import type { ExecutionClient } from './client.ts'

/** undefined: the client says that it is not syncing. One that says more may follow the chain all the same. */
export type SyncProgress = { currentBlock: bigint; highestBlock: bigint } | undefined

/**
 * Whether the client knows of a higher block than its own. After a start an archive client tells for a minute how far
 * it has indexed old blocks, with a highest block of 0, while it takes every new one: that is not behind.
 */
export function isBehind(progress: SyncProgress): progress is NonNullable<SyncProgress> {
  return progress !== undefined && progress.highestBlock > progress.currentBlock
}

const progress = record({ currentBlock: quantity64, highestBlock: quantity64 })

const decodeSyncing: Decoder<SyncProgress> = (value, path) =>
  value === false ? undefined : progress(value, path)

/** Whether the execution client still catches up, and how far it is (`eth_syncing`). Throws a `ClientError`. */
export function getSyncing(client: ExecutionClient): Promise<SyncProgress> {
  return client.rpc({ method: 'eth_syncing', params: [], decode: decodeSyncing })
}
