import { type Decoder, decimal, hex, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import type { NodeClient } from './client.ts'

export type NodeGenesis = {
  /** Unix seconds. */
  genesisTimeSeconds: bigint
  genesisValidatorsRoot: Hex
  genesisForkVersion: Hex
}

const fields = record({
  data: record({ genesis_time: decimal, genesis_validators_root: hex(32), genesis_fork_version: hex(4) }),
})

const decode: Decoder<NodeGenesis> = (value, path) => {
  const { data } = fields(value, path)
  return {
    genesisTimeSeconds: data.genesis_time,
    genesisValidatorsRoot: data.genesis_validators_root,
    genesisForkVersion: data.genesis_fork_version,
  }
}

/**
 * What the node says of its chain's genesis (`/eth/v1/beacon/genesis`). A node that waits for its first block
 * answers `not-found`. Throws a `ClientError`.
 */
export function getGenesis(client: NodeClient): Promise<NodeGenesis> {
  return client.ask({ path: ['eth', 'v1', 'beacon', 'genesis'], decode })
}
