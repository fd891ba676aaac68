import { type Decoder, record, text } from '../../format/decode.ts'
import { LIST } from '../limits.ts'
import type { EngineClient } from './client.ts'
import { engineAddress, engineHash, engineTimeMs, height } from './fields.ts'

export type EngineBlock = {
  height: bigint
  chainId: string
  /** Unix milliseconds. */
  timeMs: number
  proposerAddress: string
  /** Upper-case hex without 0x. */
  hash: string
}

const fields = record({
  block_id: record({ hash: engineHash }),
  block: record({
    header: record({ chain_id: text, height, time: engineTimeMs, proposer_address: engineAddress }),
  }),
})

const decode: Decoder<EngineBlock> = (value, path) => {
  const { block_id, block } = fields(value, path)
  const { header } = block
  return {
    height: header.height,
    chainId: header.chain_id,
    timeMs: header.time,
    proposerAddress: header.proposer_address,
    hash: block_id.hash,
  }
}

/** A block's header, the latest unless a height is given: who proposed it, and when (`/block`). Throws a `ClientError`. */
export function getEngineBlock(client: EngineClient, args: { height?: bigint } = {}): Promise<EngineBlock> {
  const query = args.height === undefined ? [] : ([['height', String(args.height)]] as const)
  return client.ask({ method: 'block', query, decode, limits: LIST })
}
