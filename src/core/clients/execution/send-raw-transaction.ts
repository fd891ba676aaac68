import { hex } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { BROADCAST } from '../limits.ts'
import type { ExecutionClient } from './client.ts'

/**
 * Hands a signed transaction to the endpoint, once and never again by itself, and gives the hash that it answers
 * (`eth_sendRawTransaction`). An error proves nothing: the transaction may have been taken.
 * Throws a `ClientError`.
 */
export function sendRawTransaction(client: ExecutionClient, args: { rawTransaction: Hex }): Promise<Hex> {
  const call = {
    method: 'eth_sendRawTransaction',
    params: [args.rawTransaction],
    decode: hex(32),
    limits: BROADCAST,
  }
  return client.rpc(call)
}
