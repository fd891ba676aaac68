import { quantityIndex } from '../../format/decode.ts'
import type { ExecutionClient } from './client.ts'

/** The chain id of the network that the endpoint serves (`eth_chainId`, EIP-695). Throws a `ClientError`. */
export function getChainId(client: ExecutionClient): Promise<number> {
  return client.rpc({ method: 'eth_chainId', params: [], decode: quantityIndex })
}
