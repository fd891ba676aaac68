import { type Decoder, list, record, refuse, uint } from '../../format/decode.ts'
import { type BlockHeader, decodeBlockHeader, engineHeight } from './block-header.ts'
import { engineHash } from './fields.ts'

/** A header and who signed it. The signatures are claims of the node: their curve work is not done here. */
export type SignedHeader = {
  header: BlockHeader
  commit: { height: bigint; blockHash: string; signers: Signer[] }
}

type Signer = { flag: number; address: string; signatureCharacters: number }

/** Empty for a validator that did not sign. */
const address: Decoder<string> = (value, path) =>
  typeof value === 'string' && /^(?:[0-9A-F]{40})?$/.test(value)
    ? value
    : refuse(path, '20 bytes of upper-case hex, or nothing', value)

const characters: Decoder<number> = (value, path) => {
  if (value === null || value === undefined) return 0
  return typeof value === 'string' && value.length <= 400 ? value.length : refuse(path, 'base64', value)
}

const signer: Decoder<Signer> = (value, path) => {
  const read = record({ block_id_flag: uint, validator_address: address, signature: characters })(value, path)
  return {
    flag: Number(read.block_id_flag),
    address: read.validator_address,
    signatureCharacters: read.signature,
  }
}

const fields = record({
  header: decodeBlockHeader,
  commit: record({
    height: engineHeight,
    block_id: record({ hash: engineHash }),
    signatures: list(signer),
  }),
})

/** Reads a signed header; the commit must be of the header's own height. */
export const decodeSignedHeader: Decoder<SignedHeader> = (value, path) => {
  const { header, commit } = fields(value, path)
  if (commit.height !== header.height)
    refuse(`${path}.commit.height`, String(header.height), String(commit.height))
  return {
    header,
    commit: { height: commit.height, blockHash: commit.block_id.hash, signers: commit.signatures },
  }
}
