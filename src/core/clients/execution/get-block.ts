import { type Decoder, hex, nullable, optional, quantity, quantity64, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { type BlockRef, encodeBlockRef } from './block-ref.ts'
import type { ExecutionClient } from './client.ts'

export type ExecutionBlock = {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** Unix seconds. */
  timestamp: bigint
  /** Wei per gas. */
  baseFeePerGas: bigint | undefined
  /** Root of the beacon block before it (EIP-4788); zero on a rehearsal network. */
  parentBeaconBlockRoot: Hex | undefined
  /** Where the fees of the block went. */
  miner: Hex | undefined
}

const decodeBlock: Decoder<ExecutionBlock | undefined> = nullable(
  record({
    number: quantity64,
    hash: hex(32),
    parentHash: hex(32),
    timestamp: quantity64,
    baseFeePerGas: optional(quantity),
    parentBeaconBlockRoot: optional(hex(32)),
    miner: optional(hex(20)),
  }),
)

/**
 * A block without its transactions, or undefined when the endpoint does not know it (`eth_getBlockByNumber`,
 * `eth_getBlockByHash`). Throws a `ClientError`.
 */
export function getBlock(
  client: ExecutionClient,
  args: { block: BlockRef },
): Promise<ExecutionBlock | undefined> {
  const { block } = args
  if (typeof block === 'object') {
    const params = [block.blockHash, false]
    return client.rpc({ method: 'eth_getBlockByHash', params, decode: decodeBlock })
  }
  const params = [encodeBlockRef(block), false]
  return client.rpc({ method: 'eth_getBlockByNumber', params, decode: decodeBlock })
}
