import { type Decoder, decimal, decimalIndex, record } from '../../format/decode.ts'
import type { NodeClient } from './client.ts'
import type { StateId } from './state-id.ts'

/** What a node says of the rewards of a block. This node always says 1 everywhere: never shown as an income. */
export type BlockRewards = {
  proposerIndex: number
  total: bigint
  attestations: bigint
  syncAggregate: bigint
  proposerSlashings: bigint
  attesterSlashings: bigint
}

const fields = record({
  data: record({
    proposer_index: decimalIndex,
    total: decimal,
    attestations: decimal,
    sync_aggregate: decimal,
    proposer_slashings: decimal,
    attester_slashings: decimal,
  }),
})

const decode: Decoder<BlockRewards> = (value, path) => {
  const { data } = fields(value, path)
  return {
    proposerIndex: data.proposer_index,
    total: data.total,
    attestations: data.attestations,
    syncAggregate: data.sync_aggregate,
    proposerSlashings: data.proposer_slashings,
    attesterSlashings: data.attester_slashings,
  }
}

/** Rewards of a block by the words of the standard (`rewards/blocks/{id}`). Throws a `ClientError`. */
export function getBlockRewards(client: NodeClient, args: { block: StateId }): Promise<BlockRewards> {
  const path = ['eth', 'v1', 'beacon', 'rewards', 'blocks', String(args.block)]
  return client.ask({ path, decode })
}
