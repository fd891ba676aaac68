import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import { validatorStatus } from '../../chain/consensus/state.ts'
import { aheadOf } from '../../chain/key-state/ahead.ts'
import { isLost, ownRecord } from '../../chain/key-state/own.ts'
import { numberedBlock } from '../../clients/execution/blocks.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import type { HeadReplies } from '../../observe/ask-input.ts'
import { type CommandContext, clientsOf } from '../../observe/context.ts'
import { known } from '../../view/observation.ts'
import { statusAsker } from './ask-commands.ts'
import { type BlockWatch, rememberPlacings, watchBlocks } from './history-commands.ts'
import type { StatusEvent, StatusState } from './machine.ts'
import type { StatusAnswers } from './values.ts'

/** What a look heard that the own blocks rest on. */
type Counted = {
  set: SetSnapshot
  /** What the engine counts; undefined where it does not say, or there is none. */
  counted: StatusAnswers['engine'] | undefined
  head: HeadReplies['head'] | undefined
}

/**
 * Keeps where the validator stands, and once it is counted looks for its blocks and for where their fees went, look by look.
 */
export async function createBlockAsker(
  context: CommandContext<StatusEvent>,
  getState: () => StatusState,
): Promise<(counted: Counted) => Promise<void>> {
  const { execution, engine } = clientsOf(context)
  const tell = statusAsker(context)
  const stood = await rememberPlacings(context)
  let blocks: BlockWatch | undefined
  let paidSlot: bigint | undefined
  return async ({ set, counted, head }) => {
    const own = ownRecord(set, context.facts().identity?.pubkey ?? '', context.setup)
    if (own !== undefined && !isLost(own)) {
      const { place } = aheadOf(set, own.validator.pubkey, context.setup)
      if (place !== undefined) await stood({ place, epoch: own.epoch })
    }
    const isActive = own !== undefined && validatorStatus(own.validator, own.epoch) === 'active_ongoing'
    if (engine === undefined) await context.dispatch({ step: 'status', type: 'counted', isActive })
    const isCounted = engine === undefined ? isActive : (counted?.powerGwei ?? 0n) > 0n
    if (own === undefined || !isCounted) return
    const watched = blocks ?? (await watchBlocks(context, own, known(getState().observed.proposal)))
    blocks = watched
    const last = (await tell('proposal', () => watched.read(own.slot, head)))?.last
    if (last === undefined || last === paidSlot) return
    const paid = await tell('paid', () => paidIn(execution, last))
    paidSlot = paid?.slot
  }
}

/** Where the fees of a block went. The number of an execution block is its slot. */
async function paidIn(execution: ExecutionClient, slot: bigint): Promise<StatusAnswers['paid']> {
  const { miner } = await numberedBlock(execution, slot)
  return { slot, feeRecipient: miner }
}
