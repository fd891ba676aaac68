import type { Clock } from '../effects/effects.ts'
import { doubtOf, type Heard, type NodeDoubt } from '../network/node-doubt.ts'
import { type Beside, besideOf, type ExecutionHead } from '../network/standstill.ts'
import { askExecutionHeads } from './ask-execution-heads.ts'
import type { ExecutionClient } from './execution/client.ts'

/** What somebody else hears of the own node; `failing` when its last answer was none. */
export type Hearing = { heard: Heard | undefined; failing: boolean }

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
    const { heard, failing } = hearing()
    return doubtOf(heard, { nowMs: clock.monotonicMs(), slotMs, failing })
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
      beside = besideOf(doubt.slot, { before, now })
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
