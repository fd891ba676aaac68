import {
  bool,
  type Decoder,
  hex,
  list,
  nullable,
  optional,
  quantity64,
  quantityIndex,
  record,
} from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'

/** An event of a contract in a mined block. */
export type Log = {
  address: Hex
  topics: Hex[]
  data: Hex
  blockNumber: bigint | undefined
  blockHash: Hex | undefined
  transactionHash: Hex | undefined
  logIndex: number | undefined
  /** True when the endpoint takes it back. */
  removed: boolean | undefined
}

export const decodeLog: Decoder<Log> = record({
  address: hex(20),
  topics: list(hex(32)),
  data: hex(),
  blockNumber: nullable(quantity64),
  blockHash: nullable(hex(32)),
  transactionHash: nullable(hex(32)),
  logIndex: nullable(quantityIndex),
  removed: optional(bool),
})
