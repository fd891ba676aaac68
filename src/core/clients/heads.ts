import type { Clock } from '../base/effects/effects.ts'
import { ClientError } from '../base/errors/client.ts'
import { endpointName } from '../base/format/endpoint-url.ts'
import type { Offers } from '../chain/network/offered.ts'
import {
  type Beside,
  type ExecutionHead,
  executionBeside,
  type NewestHead,
  type NodeDoubt,
  nodeDoubt,
} from '../chain/network/standstill.ts'
import { askOptional } from './ask-as-service.ts'
import { getBlockNumber } from './execution/blocks.ts'
import type { ExecutionClient } from './execution/client.ts'
import type { NodeClient } from './node/client.ts'
import { getEventStream } from './node/get-event-stream.ts'

/** Returns the heads of the execution endpoints that answer. A silent one is left out. */
export async function askExecutionHeads({
  execution,
  second,
}: {
  execution: ExecutionClient
  second: ExecutionClient | undefined
}): Promise<readonly ExecutionHead[]> {
  const ask = async (client: ExecutionClient | undefined, other: boolean): Promise<ExecutionHead[]> => {
    if (client === undefined) return []
    try {
      const block = await getBlockNumber(client)
      return [{ name: endpointName(client.label), block, other }]
    } catch (thrown) {
      if (thrown instanceof ClientError) return []
      throw thrown
    }
  }
  return (await Promise.all([ask(execution, false), ask(second, true)])).flat()
}

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
      const wake = Promise.all([hearsHead(either), clock.sleep(slotMs / MOST_LOOKS_A_SLOT, either)])
      let cutShort = false
      const sooner = wake.then(([isHead]) => {
        cutShort = isHead
        return isHead ? undefined : slot
      })
      try {
        await Promise.race([slot, sooner])
      } finally {
        over.abort()
        await Promise.allSettled([slot, wake, sooner])
      }
      misses = cutShort ? 0 : misses + 1
    },
  }
}

/** What somebody else hears of the own node; `failing` when its last answer was none. */
export type Hearing = { newest: NewestHead | undefined; failing: boolean }

type WatchNodeInput = {
  execution: ExecutionClient
  second: ExecutionClient | undefined
  clock: Clock
  slotMs: number
  hearing(): Hearing
  /** Whether nobody waits for the node any more. */
  over(): boolean
  /** Told in every slot of a doubt, and once when it is over. */
  tell(doubt: NodeDoubt | undefined): Promise<void>
}

/**
 * Looks once a slot, by our own clock, whether the node is still heard and its head changes, however long an answer
 * takes. Only while it is in doubt the execution endpoints are asked for their heads. Ends once it is
 * over, or with its clock and its clients.
 */
export async function watchNode(input: WatchNodeInput): Promise<void> {
  const { clock, slotMs, hearing, over, tell } = input
  const doubtNow = () => {
    const { newest, failing } = hearing()
    return nodeDoubt(newest, { nowMs: clock.monotonicMs(), slotMs, failing })
  }
  let before: readonly ExecutionHead[] = []
  let beside: Beside | undefined
  for (;;) {
    await clock.sleep(slotMs)
    if (over()) return
    const doubt = doubtNow()
    if (doubt !== undefined) {
      await tell({ ...doubt, beside: beside ?? { is: 'unknown' } })
      const now = await askExecutionHeads(input)
      beside = executionBeside(doubt.slot, { before, now })
      before = before.length === 0 ? now : before
      const still = doubtNow()
      if (still !== undefined) await tell({ ...still, beside })
    } else if (beside !== undefined) {
      before = []
      beside = undefined
      await tell(undefined)
    }
  }
}
