import { type Decoder, decimalIndex, hex, list, record, refuse } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { STATE } from '../limits.ts'
import type { NodeClient } from './client.ts'
import type { StateId } from './state-id.ts'

/** A blob is 131,072 bytes: only its length is kept, for nothing here depends on what it holds. */
export type BlobSidecar = { index: number; blobBytes: number; kzgCommitment: Hex; kzgProof: Hex }

const BLOB_BYTES = 131_072
const HEX = /^0x(?:[0-9a-f]{2})*$/i

const blobBytes: Decoder<number> = (value, path) => {
  const whole = typeof value === 'string' && value.length === 2 + 2 * BLOB_BYTES && HEX.test(value)
  return whole ? BLOB_BYTES : refuse(path, `${BLOB_BYTES} bytes of 0x hexadecimal`, value)
}

const entry: Decoder<BlobSidecar> = (value, path) => {
  const read = record({ index: decimalIndex, blob: blobBytes, kzg_commitment: hex(48), kzg_proof: hex(48) })(
    value,
    path,
  )
  return {
    index: read.index,
    blobBytes: read.blob,
    kzgCommitment: read.kzg_commitment,
    kzgProof: read.kzg_proof,
  }
}
const fields = record({ data: list(entry) })

/** The blobs of a block, or those with the given indices (`blob_sidecars/{id}`). Throws a `ClientError`. */
export function getBlobSidecars(
  client: NodeClient,
  args: { block: StateId; indices?: readonly number[] },
): Promise<BlobSidecar[]> {
  const path = ['eth', 'v1', 'beacon', 'blob_sidecars', String(args.block)]
  const query = (args.indices ?? []).map((index) => ['indices', String(index)] as const)
  return client.ask({ path, query, decode: (value, at) => fields(value, at).data, limits: STATE })
}
