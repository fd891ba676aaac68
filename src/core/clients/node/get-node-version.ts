import { record, text } from '../../format/decode.ts'
import type { NodeClient } from './client.ts'

const fields = record({ data: record({ version: text }) })

/** The node's own name and version, as it gives them; not yet safe to draw (`node/version`). Throws a `ClientError`. */
export function getNodeVersion(client: NodeClient): Promise<string> {
  const decode = (value: unknown, at: string) => fields(value, at).data.version
  return client.ask({ path: ['eth', 'v1', 'node', 'version'], decode })
}
