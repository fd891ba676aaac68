import { text } from '../../format/decode.ts'
import type { ExecutionClient } from './client.ts'

/** The name and version of the execution client, as it gives it (`web3_clientVersion`). Not yet safe to draw. Throws a `ClientError`. */
export function getClientVersion(client: ExecutionClient): Promise<string> {
  return client.rpc({ method: 'web3_clientVersion', params: [], decode: text })
}
