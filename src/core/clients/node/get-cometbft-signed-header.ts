import { record } from '../../format/decode.ts'
import { decodeSignedHeader, type SignedHeader } from '../engine/signed-header.ts'
import { LIST } from '../limits.ts'
import type { NodeClient } from './client.ts'

const reply = record({ data: decodeSignedHeader })

/**
 * The header of an engine block with its commit, through the node API (`/cometbft/v1/signed_header/{height}`).
 * Throws a `ClientError`.
 */
export function getCometSignedHeader(client: NodeClient, args: { height: bigint }): Promise<SignedHeader> {
  const path = ['cometbft', 'v1', 'signed_header', String(args.height)]
  return client.ask({ path, decode: (value, at) => reply(value, at).data, limits: LIST })
}
