import {
  type Decoder,
  hex,
  list,
  nullable,
  optional,
  quantity,
  quantity64,
  quantityIndex,
  record,
  refuse,
} from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { ExecutionClient } from './client.ts'
import { decodeLog, type Log } from './log.ts'

export type Receipt = {
  transactionHash: Hex
  /** `reverted` is status 0: mined, but without effect. */
  status: 'success' | 'reverted'
  blockNumber: bigint
  blockHash: Hex
  transactionIndex: number
  from: Hex
  to: Hex | undefined
  gasUsed: bigint
  /** Wei per gas that was paid. */
  effectiveGasPrice: bigint | undefined
  logs: Log[]
}

const status: Decoder<Receipt['status']> = (value, path) => {
  if (value === '0x1') return 'success'
  return value === '0x0' ? 'reverted' : refuse(path, '0x1 or 0x0', value)
}

const decodeReceipt: Decoder<Receipt | undefined> = nullable(
  record({
    transactionHash: hex(32),
    status,
    blockNumber: quantity64,
    blockHash: hex(32),
    transactionIndex: quantityIndex,
    from: hex(20),
    to: nullable(hex(20)),
    gasUsed: quantity64,
    effectiveGasPrice: optional(quantity),
    logs: list(decodeLog),
  }),
)

/**
 * The receipt of a mined transaction, or undefined while this endpoint has none (`eth_getTransactionReceipt`). A
 * receipt of another hash is refused. Throws a `ClientError`.
 */
export function getTransactionReceipt(
  client: ExecutionClient,
  args: { hash: Hex },
): Promise<Receipt | undefined> {
  const decode: Decoder<Receipt | undefined> = (value, path) => {
    const receipt = decodeReceipt(value, path)
    if (receipt === undefined || receipt.transactionHash === args.hash.toLowerCase()) return receipt
    return refuse(`${path}.transactionHash`, args.hash, receipt.transactionHash)
  }
  return client.rpc({ method: 'eth_getTransactionReceipt', params: [args.hash], decode })
}
