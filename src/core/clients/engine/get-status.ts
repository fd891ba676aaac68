import { bool, type Decoder, decimal, decimalIndex, record, text } from '../../format/decode.ts'
import { type EngineKey, engineAddress, engineKeyField, engineTimeMs, height } from './blocks.ts'
import type { EngineClient } from './client.ts'

/** What the engine says of itself. Texts are not yet safe to draw. */
export type EngineStatus = {
  /** Engine chain id. */
  network: string
  moniker: string
  version: string
  latestHeight: bigint
  /** Unix milliseconds of the chain's clock. */
  latestBlockTimeMs: number
  catchingUp: boolean
  /** The key this node signs with, whether it is in the set or not. */
  address: string
  publicKey: EngineKey
  /** Effective balance in gwei; 0 when not in the set. */
  votingPowerGwei: bigint
}

const statusFields = record({
  node_info: record({ network: text, moniker: text, version: text }),
  sync_info: record({ latest_block_height: height, latest_block_time: engineTimeMs, catching_up: bool }),
  validator_info: record({ address: engineAddress, pub_key: engineKeyField, voting_power: decimal }),
})

/** Reads the `/status` result; the node tool's `status` prints the same. */
export const decodeEngineStatus: Decoder<EngineStatus> = (value, path) => {
  const { node_info: node, sync_info: sync, validator_info: own } = statusFields(value, path)
  return {
    network: node.network,
    moniker: node.moniker,
    version: node.version,
    latestHeight: sync.latest_block_height,
    latestBlockTimeMs: sync.latest_block_time,
    catchingUp: sync.catching_up,
    address: own.address,
    publicKey: own.pub_key,
    votingPowerGwei: own.voting_power,
  }
}

/** The engine's `/status`. `catchingUp` stays false on a stopped chain: look at the time. Throws a `ClientError`. */
export function getEngineStatus(client: EngineClient): Promise<EngineStatus> {
  return client.ask({ method: 'status', decode: decodeEngineStatus })
}

export type NetInfo = { listening: boolean; peerCount: number }

const netInfoFields = record({ listening: bool, n_peers: decimalIndex })

const decode: Decoder<NetInfo> = (value, path) => {
  const read = netInfoFields(value, path)
  return { listening: read.listening, peerCount: read.n_peers }
}

/** How many peers the engine has (`/net_info`). Throws a `ClientError`. */
export function getNetInfo(client: EngineClient): Promise<NetInfo> {
  return client.ask({ method: 'net_info', decode })
}
