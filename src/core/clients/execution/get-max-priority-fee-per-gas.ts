import { quantity } from '../../format/decode.ts'
import type { ExecutionClient } from './client.ts'

/** The tip the endpoint suggests, in wei per gas (`eth_maxPriorityFeePerGas`). Throws a `ClientError`. */
export function getMaxPriorityFeePerGas(client: ExecutionClient): Promise<bigint> {
  return client.rpc({ method: 'eth_maxPriorityFeePerGas', params: [], decode: quantity })
}
