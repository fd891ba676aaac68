import { quantity64 } from '../../format/decode.ts'
import type { ExecutionClient } from './client.ts'

/** The number of the latest block (`eth_blockNumber`). Throws a `ClientError`. */
export function getBlockNumber(client: ExecutionClient): Promise<bigint> {
  return client.rpc({ method: 'eth_blockNumber', params: [], decode: quantity64 })
}
