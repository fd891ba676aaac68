import { type Decoder, decimalIndex, hex, optional, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { NodeClient } from './client.ts'

/** The facts of `config/spec` that matter; this node gives five keys, no limits, and the chain as network id only. */
export type NodeConfigSpec = {
  depositContract: Hex | undefined
  depositChainId: number | undefined
  depositNetworkId: number | undefined
}

const fields = record({
  data: record({
    DEPOSIT_CONTRACT_ADDRESS: optional(hex(20)),
    DEPOSIT_CHAIN_ID: optional(decimalIndex),
    DEPOSIT_NETWORK_ID: optional(decimalIndex),
  }),
})

const decode: Decoder<NodeConfigSpec> = (value, path) => {
  const { data } = fields(value, path)
  return {
    depositContract: data.DEPOSIT_CONTRACT_ADDRESS,
    depositChainId: data.DEPOSIT_CHAIN_ID,
    depositNetworkId: data.DEPOSIT_NETWORK_ID,
  }
}

/** Deposit contract and execution chain id that the node is configured for (`config/spec`). Throws a `ClientError`. */
export function getConfigSpec(client: NodeClient): Promise<NodeConfigSpec> {
  return client.ask({ path: ['eth', 'v1', 'config', 'spec'], decode })
}
