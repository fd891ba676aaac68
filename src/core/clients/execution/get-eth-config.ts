import { type Decoder, hex, optional, quantityIndex, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { ExecutionClient } from './client.ts'

export type EthConfig = {
  chainId: number
  /** The deposit contract that the client itself watches, where it says so. */
  depositContract: Hex | undefined
}

const fields = record({
  current: record({
    chainId: quantityIndex,
    systemContracts: optional(record({ DEPOSIT_CONTRACT_ADDRESS: optional(hex(20)) })),
  }),
})

const decodeConfig: Decoder<EthConfig> = (value, path) => {
  const { current } = fields(value, path)
  return { chainId: current.chainId, depositContract: current.systemContracts?.DEPOSIT_CONTRACT_ADDRESS }
}

/**
 * What the execution client is configured for (`eth_config`, EIP-7910). Many clients do not offer it: then a
 * `ClientError` with `not-offered`, which is no fault of theirs.
 */
export function getEthConfig(client: ExecutionClient): Promise<EthConfig> {
  return client.rpc({ method: 'eth_config', params: [], decode: decodeConfig })
}
