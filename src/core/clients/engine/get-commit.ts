import { record } from '../../format/decode.ts'
import { LIST } from '../limits.ts'
import type { EngineClient } from './client.ts'
import { decodeSignedHeader, type SignedHeader } from './signed-header.ts'

const fields = record({ signed_header: decodeSignedHeader })

/** A block's header with its commit, the latest unless a height is given (`/commit`). Throws a `ClientError`. */
export function getCommit(client: EngineClient, args: { height?: bigint } = {}): Promise<SignedHeader> {
  const query = args.height === undefined ? [] : ([['height', String(args.height)]] as const)
  const decode = (value: unknown, at: string) => fields(value, at).signed_header
  return client.ask({ method: 'commit', query, decode, limits: LIST })
}
