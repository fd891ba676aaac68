import type { Clock } from '../base/effects/effects.ts'
import { ClientError } from '../base/errors/client.ts'
import { endpointName } from '../base/format/endpoint-url.ts'
import {
  type Beside,
  type ExecutionHead,
  executionBeside,
  type NewestHead,
  type NodeDoubt,
  nodeDoubt,
} from '../chain/network/standstill.ts'
import { getBlockNumber } from './execution/blocks.ts'
import type { ExecutionClient } from './execution/client.ts'

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
