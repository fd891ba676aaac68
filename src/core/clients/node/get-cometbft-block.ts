import { type Decoder, list, record, refuse } from '../../format/decode.ts'
import { type BlockHeader, decodeBlockHeader } from '../engine/block-header.ts'
import { STATE } from '../limits.ts'
import type { NodeClient } from './client.ts'

/** An engine block: its header, and how large each of its parts is (beacon block and blobs, as base64). */
export type CometBlock = { header: BlockHeader; transactionCharacters: number[] }

const characters: Decoder<number> = (value, path) =>
  typeof value === 'string' ? value.length : refuse(path, 'base64', value)

const fields = record({
  data: record({ header: decodeBlockHeader, data: record({ txs: list(characters) }) }),
})

/** An engine block through the node API (`/cometbft/v1/block/{height}`). Throws a `ClientError`. */
export function getCometBlock(client: NodeClient, args: { height: bigint }): Promise<CometBlock> {
  const decode: Decoder<CometBlock> = (value, path) => {
    const { data } = fields(value, path)
    return { header: data.header, transactionCharacters: data.data.txs }
  }
  return client.ask({ path: ['cometbft', 'v1', 'block', String(args.height)], decode, limits: STATE })
}
