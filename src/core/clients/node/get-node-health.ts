import { ClientError } from '../../errors/client.ts'
import type { NodeHealth } from '../../network/vitals.ts'
import { OPTIONAL } from '../limits.ts'
import type { NodeClient } from './client.ts'

/**
 * What the status of `node/health` says: 200, 206 and 503 by the standard, with any body or none; undefined when the
 * node does not offer it. Says nothing of a chain that stands still. Throws a `ClientError`.
 */
export async function getNodeHealth(client: NodeClient): Promise<NodeHealth | undefined> {
  const question = {
    path: ['eth', 'v1', 'node', 'health'],
    decode: (): NodeHealth => 'ready',
    limits: OPTIONAL,
  }
  try {
    return await client.ask(question)
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    if (thrown.fault === 'not-offered') return undefined
    // A reply without a body is the usual one here; only its status speaks.
    if (thrown.fault === 'says-nothing' && thrown.status === 200) return 'ready'
    if (thrown.status === 206) return 'syncing'
    if (thrown.status === 503) return 'not-initialized'
    throw thrown
  }
}
