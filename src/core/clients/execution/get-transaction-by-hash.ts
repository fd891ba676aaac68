import {
  type Decoder,
  hex,
  nullable,
  quantity,
  quantity64,
  quantityIndex,
  record,
} from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { ExecutionClient } from './client.ts'

export type FoundTransaction = {
  hash: Hex
  from: Hex
  to: Hex | undefined
  nonce: number
  valueWei: bigint
  input: Hex
  /** undefined while it is in no block. */
  blockNumber: bigint | undefined
  blockHash: Hex | undefined
}

const fields = record({
  hash: hex(32),
  from: hex(20),
  to: nullable(hex(20)),
  nonce: quantityIndex,
  value: quantity,
  input: hex(),
  blockNumber: nullable(quantity64),
  blockHash: nullable(hex(32)),
})

const decodeTransaction: Decoder<FoundTransaction | undefined> = nullable((value, path) => {
  const { value: valueWei, ...rest } = fields(value, path)
  return { ...rest, valueWei }
})

/**
 * A transaction by its hash, whether in a block or in the endpoint's pool, or undefined when this endpoint does not
 * know it, which does not mean that nobody does (`eth_getTransactionByHash`). Throws a `ClientError`.
 */
export function getTransactionByHash(
  client: ExecutionClient,
  args: { hash: Hex },
): Promise<FoundTransaction | undefined> {
  return client.rpc({ method: 'eth_getTransactionByHash', params: [args.hash], decode: decodeTransaction })
}
