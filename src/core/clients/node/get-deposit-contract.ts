import { type Decoder, decimalIndex, hex, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { OPTIONAL } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { ifOffered } from './if-offered.ts'

export type NodeDepositContract = { chainId: number; address: Hex }

const fields = record({ data: record({ chain_id: decimalIndex, address: hex(20) }) })

const decode: Decoder<NodeDepositContract> = (value, path) => {
  const { data } = fields(value, path)
  return { chainId: data.chain_id, address: data.address }
}

/**
 * The deposit contract that the node watches (`config/deposit_contract`); undefined when it does not say. Where it
 * does, it must be the network's. Throws a `ClientError`.
 */
export function getDepositContract(client: NodeClient): Promise<NodeDepositContract | undefined> {
  return ifOffered(
    client.ask({ path: ['eth', 'v1', 'config', 'deposit_contract'], limits: OPTIONAL, decode }),
  )
}
