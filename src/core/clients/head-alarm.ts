import type { Clock } from '../effects/effects.ts'
import type { Offers } from '../network/offered.ts'
import { askOptional } from './ask-optional.ts'
import type { NodeClient } from './node/client.ts'
import { getEventStream } from './node/get-event-stream.ts'

/** Ends the pauses of somebody who looks at the chain again and again. */
export type HeadAlarm = {
  /** Resolves after a slot, or sooner on a new head. Rejects with the signal's reason when aborted. */
  wait(signal: AbortSignal): Promise<void>
}

/** However fast a node tells of heads, nobody looks more often than this many times a slot. */
const MOST_LOOKS_A_SLOT = 4
/** A stream that had nothing to tell in so many pauses running is not listened to any more. */
const MOST_MISSES = 3

/**
 * Pauses of one slot, cut short by the node's `head` event where it offers events. What an event says is not read: it
 * only makes the next look come sooner, and a stream that is silent, broken or at its end leaves the pause as it is.
 */
export function createHeadAlarm(
  { node, offers }: { node: NodeClient; offers: { node: Offers } },
  { clock, slotMs }: { clock: Clock; slotMs: number },
): HeadAlarm {
  let misses = 0

  async function hearsHead(signal: AbortSignal): Promise<boolean> {
    if (misses >= MOST_MISSES) return false
    try {
      const stream = await askOptional(offers.node, 'events', () => getEventStream(node, { signal }))
      return stream.offer === 'yes' && stream.value.kind === 'event' && stream.value.event === 'head'
    } catch {
      return false
    }
  }

  return {
    async wait(signal) {
      const over = new AbortController()
      const either = AbortSignal.any([signal, over.signal])
      const slot = clock.sleep(slotMs, either)
      const heard = Promise.all([hearsHead(either), clock.sleep(slotMs / MOST_LOOKS_A_SLOT, either)])
      let cutShort = false
      const sooner = heard.then(([isHead]) => {
        cutShort = isHead
        return isHead ? undefined : slot
      })
      try {
        await Promise.race([slot, sooner])
      } finally {
        over.abort()
        await Promise.allSettled([slot, heard, sooner])
      }
      misses = cutShort ? 0 : misses + 1
    },
  }
}
