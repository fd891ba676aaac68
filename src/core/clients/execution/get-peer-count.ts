import { quantityIndex } from '../../format/decode.ts'
import type { ExecutionClient } from './client.ts'

/** How many peers the execution client has (`net_peerCount`). Throws a `ClientError`. */
export function getPeerCount(client: ExecutionClient): Promise<number> {
  return client.rpc({ method: 'net_peerCount', params: [], decode: quantityIndex })
}
