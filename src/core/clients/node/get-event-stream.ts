import { ClientError } from '../../errors/client.ts'
import type { CallOptions } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { ifOffered } from './if-offered.ts'

/** `open`: the node keeps the connection open, as a stream does. `ended`: a stream that came to an end. */
export type EventStream = 'open' | 'ended'

const LISTEN = { deadlineMs: 3000, maxBytes: 64 * 1024, retries: 0 }

/**
 * Whether the node has the stream of events (`events?topics=head`), found by listening for three seconds; undefined
 * when it does not offer it. Nothing depends on its events: heads are polled, for a stream that has gone silent looks
 * like a chain that stands still. Throws a `ClientError`.
 */
export async function getEventStream(
  client: NodeClient,
  options?: CallOptions,
): Promise<EventStream | undefined> {
  const question = {
    path: ['eth', 'v1', 'events'],
    query: [['topics', 'head']] as const,
    decode: (): EventStream => 'ended',
    limits: LISTEN,
  }
  try {
    return await ifOffered(client.ask(question, options))
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    if (thrown.fault === 'timeout' || thrown.fault === 'too-large') return 'open'
    const isStream = thrown.details.some((text) => text.startsWith('content type: text/event-stream'))
    if (isStream) return 'ended'
    throw thrown
  }
}
