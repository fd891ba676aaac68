import { bool, type Decoder, decimalIndex, record } from '../../format/decode.ts'
import type { EngineClient } from './client.ts'

export type NetInfo = { listening: boolean; peerCount: number }

const fields = record({ listening: bool, n_peers: decimalIndex })

const decode: Decoder<NetInfo> = (value, path) => {
  const read = fields(value, path)
  return { listening: read.listening, peerCount: read.n_peers }
}

/** How many peers the engine has (`/net_info`). Throws a `ClientError`. */
export function getNetInfo(client: EngineClient): Promise<NetInfo> {
  return client.ask({ method: 'net_info', decode })
}
