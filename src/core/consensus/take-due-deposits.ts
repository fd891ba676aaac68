import type { ConsensusDeposit } from './block.ts'

/** Before Fulu a deposit of block N takes effect in slot N + 2 (ran, follow distance 1). */
const DELAY_BEFORE_FULU_SLOTS = 2n

/** A deposit that waits, with the slot of the block whose event it is. */
export type QueuedDeposit = ConsensusDeposit & { blockSlot: bigint }

/** The first slot whose state can hold a deposit of a block, the limit per block aside. */
function landingSlot(blockSlot: bigint, options: { fulu: boolean }): bigint {
  return options.fulu ? blockSlot : blockSlot + DELAY_BEFORE_FULU_SLOTS
}

/**
 * Splits a queue of deposits in event order into those that take effect in `slot` and the rest. Before Fulu an
 * event of block N counts from slot N + 2, at most `maxDepositsPerBlock` a slot; from Fulu on in its own block,
 * without that limit.
 */
export function takeDueDeposits<Deposit extends { blockSlot: bigint }>(
  queue: readonly Deposit[],
  at: { slot: bigint; fulu: boolean; spec: { maxDepositsPerBlock: number } },
): { due: readonly Deposit[]; rest: readonly Deposit[] } {
  if (queue.length === 0) return { due: queue, rest: queue }
  const firstLater = queue.findIndex((deposit) => landingSlot(deposit.blockSlot, at) > at.slot)
  const ready = firstLater === -1 ? queue.length : firstLater
  const count = at.fulu ? ready : Math.min(ready, at.spec.maxDepositsPerBlock)
  return { due: queue.slice(0, count), rest: queue.slice(count) }
}
