import { quantity64 } from '../../format/decode.ts'
import { type CallRequest, encodeCallRequest } from './call-request.ts'
import type { ExecutionClient } from './client.ts'

/** The gas a transaction would use now (`eth_estimateGas`). Throws a `ClientError`, `reverted` with the reason. */
export function estimateGas(client: ExecutionClient, args: CallRequest): Promise<bigint> {
  return client.rpc({ method: 'eth_estimateGas', params: [encodeCallRequest(args)], decode: quantity64 })
}
