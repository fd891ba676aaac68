import { bool, type Decoder, decimal, list, optional, record, uintIndex } from '../../base/format/decode.ts'
import type { Placing } from '../../chain/consensus/placing.ts'
import { engineSlotOf, type Own, type OwnBlocks, withEarlier } from '../../chain/key-state/own.ts'
import { watchProposals } from '../../clients/node/watch-proposals.ts'
import type { HeadReplies } from '../../observe/ask-input.ts'
import { type CommandContext, clientsOf } from '../../observe/context.ts'
import { keptFile } from '../../observe/kept-file.ts'
import { type HistoryPoint, withPlacing } from './history.ts'
import type { StatusEvent } from './machine.ts'

/** Blocks of the own validator: what earlier runs have seen, and what this one sees as the head moves on. */
export type BlockWatch = {
  /** What is known up to `headSlot`; of the block `head` the proposer is known. Throws a `ClientError`. */
  read(headSlot: bigint, head?: HeadReplies['head']): Promise<OwnBlocks>
}

/**
 * Looks for the validator's own blocks from the slot on in which the engine counts it, and keeps the first and the last
 * for runs to come. `earlier` is what this run knew when the step was left.
 */
export async function watchBlocks(
  context: CommandContext<StatusEvent>,
  own: Own,
  earlier: OwnBlocks | undefined,
): Promise<BlockWatch> {
  const file = keptFile(context, 'seen', blocksField)
  const { content: kept } = (await file?.read()) ?? {}
  const from = engineSlotOf(own.validator, context.setup.network.spec) ?? own.slot
  const proposals = watchProposals(clientsOf(context).node, { index: own.index, from })
  let written = kept
  return {
    async read(headSlot, head) {
      const blocks = withEarlier(await proposals.read(headSlot, head), earlier ?? kept, {
        from,
        to: headSlot,
      })
      const isNews = blocks.first?.slot !== written?.first?.slot || blocks.last !== written?.last
      if (file !== undefined && isNews) {
        const { first, last } = blocks
        await file.write({ firstBlock: first?.slot, isFirst: first?.isFirst, lastBlock: last })
        written = blocks
      }
      return blocks
    },
  }
}

const blocksField: Decoder<OwnBlocks> = (value, path) => {
  const fields = { firstBlock: optional(decimal), isFirst: optional(bool), lastBlock: optional(decimal) }
  const { firstBlock: slot, isFirst = false, lastBlock: last } = record(fields)(value, path)
  return { first: slot === undefined ? undefined : { slot, isFirst }, last, isWhole: false }
}

const pointField: Decoder<HistoryPoint> = (value, path) => {
  const fields = { epoch: decimal, rank: uintIndex, cutoff: optional(decimal), stake: optional(decimal) }
  const { epoch, rank, cutoff, stake } = record(fields)(value, path)
  if (cutoff === undefined || stake === undefined) return { epoch, rank }
  return { epoch, rank, cutoffGwei: cutoff, marginGwei: stake - cutoff }
}

/** Keeps where the validator stood, epoch by epoch, for runs to come, and tells it to the step. */
export async function rememberPlacings(
  context: CommandContext<StatusEvent>,
): Promise<(at: PlacingAt) => Promise<void>> {
  const file = keptFile(context, 'history', record({ points: list(pointField) }))
  let points: readonly HistoryPoint[] = (await file?.read())?.content?.points ?? []
  if (points.length > 0) await context.dispatch({ step: 'status', type: 'stood', history: points })
  return async ({ place, epoch }) => {
    const next = withPlacing(points, place, epoch)
    if (next === points) return
    points = next
    await context.dispatch({ step: 'status', type: 'stood', history: points })
    await file?.write({
      points: points.map(({ epoch, rank, cutoffGwei: cutoff, marginGwei: margin }) =>
        // The stake, not the margin: that is below zero where the validator is out of its place.
        cutoff === undefined || margin === undefined
          ? { epoch, rank }
          : { epoch, rank, cutoff, stake: cutoff + margin },
      ),
    })
  }
}

type PlacingAt = { place: Placing; epoch: bigint }
