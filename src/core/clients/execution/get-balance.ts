import { quantity } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { type BlockRef, encodeBlockRef } from './block-ref.ts'
import type { ExecutionClient } from './client.ts'

/** The balance of an account in wei at a block (`eth_getBalance`). Throws a `ClientError`. */
export function getBalance(
  client: ExecutionClient,
  args: { address: Hex; block?: BlockRef },
): Promise<bigint> {
  const params = [args.address, encodeBlockRef(args.block ?? 'latest')]
  return client.rpc({ method: 'eth_getBalance', params, decode: quantity })
}
