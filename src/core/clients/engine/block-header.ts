import { type Decoder, decimal, record, refuse, text, uint } from '../../format/decode.ts'
import { engineAddress, engineHash, engineTimeMs } from './fields.ts'

/** A block header of the engine. Hashes are upper-case hex without 0x; texts are not yet safe to draw. */
export type BlockHeader = {
  chainId: string
  height: bigint
  /** Unix milliseconds. */
  timeMs: number
  validatorsHash: string
  nextValidatorsHash: string
  appHash: string
  proposerAddress: string
}

/** A height: a bare number through the node API, a decimal text in the engine's own RPC. */
export const engineHeight: Decoder<bigint> = (value, path) =>
  typeof value === 'string' ? decimal(value, path) : uint(value, path)

/** The header of the very first block carries the genesis app hash, which may be empty. */
const appHash: Decoder<string> = (value, path) =>
  typeof value === 'string' && /^(?:[0-9A-F]{2}){0,64}$/.test(value)
    ? value
    : refuse(path, 'upper-case hexadecimal', value)

const fields = record({
  chain_id: text,
  height: engineHeight,
  time: engineTimeMs,
  validators_hash: engineHash,
  next_validators_hash: engineHash,
  app_hash: appHash,
  proposer_address: engineAddress,
})

/** Reads a header as the engine's `/commit` and the node API's `/cometbft/v1` write it. */
export const decodeBlockHeader: Decoder<BlockHeader> = (value, path) => {
  const read = fields(value, path)
  return {
    chainId: read.chain_id,
    height: read.height,
    timeMs: read.time,
    validatorsHash: read.validators_hash,
    nextValidatorsHash: read.next_validators_hash,
    appHash: read.app_hash,
    proposerAddress: read.proposer_address,
  }
}
