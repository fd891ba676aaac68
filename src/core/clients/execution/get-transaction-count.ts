import { quantityIndex } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { type BlockRef, encodeBlockRef } from './block-ref.ts'
import type { ExecutionClient } from './client.ts'

/**
 * The next nonce of an account: `latest` counts what is mined, `pending` also what this endpoint has in its pool
 * (`eth_getTransactionCount`). Throws a `ClientError`.
 */
export function getTransactionCount(
  client: ExecutionClient,
  args: { address: Hex; block: BlockRef },
): Promise<number> {
  const params = [args.address, encodeBlockRef(args.block)]
  return client.rpc({ method: 'eth_getTransactionCount', params, decode: quantityIndex })
}
