import { hex } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { type BlockRef, encodeBlockRef } from './block-ref.ts'
import type { ExecutionClient } from './client.ts'

/** The code at an address, `0x` where there is none (`eth_getCode`). Throws a `ClientError`. */
export function getCode(client: ExecutionClient, args: { address: Hex; block?: BlockRef }): Promise<Hex> {
  const params = [args.address, encodeBlockRef(args.block ?? 'latest')]
  return client.rpc({ method: 'eth_getCode', params, decode: hex() })
}
