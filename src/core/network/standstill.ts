import { formatDuration } from '../format/duration.ts'

/** The head of an execution endpoint; `other` where it is not the one of the own node. */
export type ExecutionHead = { name: string; block: bigint; other: boolean }

/** What the execution endpoints show of the chain while the own node stands still. */
export type Beside =
  | { is: 'ahead'; name: string; block: bigint }
  /** Another endpoint stands at the same height: the chain itself makes no block. */
  | { is: 'same'; name: string }
  /** Nobody else was asked, or answered. */
  | { is: 'unknown' }

/** A node whose head does not change, though it answers; `stillMs` by our own clock. */
export type Standstill = { slot: bigint; stillMs: number; beside: Beside }

/** How far the heads of one node may be apart: consensus slot and execution block have one number here. */
export const MOST_SLOTS_APART = 5n
/** After so many slots without a new head a node stands still. */
export const SLOTS_TO_STAND = 10

/** What to do with a node that hangs while the chain goes on. */
export const RESTART_NODE = 'restart the node: it hangs at this height and does not report it'
/** What an engine's `catching_up` means for a validator. */
export const CATCHES_UP = 'catches up: follows blocks and does not vote on them'
/** What to do with it. */
export const AWAIT_ENGINE =
  'wait until the engine has caught up and ask again; if that does not end, restart the node'

/**
 * Whether anybody is further than a node at `slot`: by more than heads are ever apart, or by having gone on between
 * two looks at it; it is at the same height only where it was so in both. On this network consensus slot and execution block have one number.
 */
export function besideOf(
  slot: bigint,
  { before, now }: { before: readonly ExecutionHead[]; now: readonly ExecutionHead[] },
): Beside {
  const earlierOf = ({ name }: ExecutionHead) => before.find((head) => head.name === name)?.block
  const wentOn = (head: ExecutionHead) => {
    const earlier = earlierOf(head)
    return head.block > slot + 1n && earlier !== undefined && head.block > earlier
  }
  const [ahead] = now
    .filter((head) => head.block > slot + MOST_SLOTS_APART || wentOn(head))
    .toSorted((a, b) => Number(b.block - a.block))
  if (ahead !== undefined) return { is: 'ahead', name: ahead.name, block: ahead.block }
  const same = now.find((head) => head.other && head.block <= slot + 1n && earlierOf(head) === head.block)
  return same === undefined ? { is: 'unknown' } : { is: 'same', name: same.name }
}

/** A standstill in words: where, for how long, and what of the chain is known beside it. */
export function standstillWords({ slot, stillMs, beside }: Standstill): string {
  return `stands still at slot ${slot} for ${formatDuration(stillMs)}${besideWords(beside)}`
}

/** What is known of the chain, to follow what is said of the node. */
export function besideWords(beside: Beside): string {
  switch (beside.is) {
    case 'ahead':
      return `, while ${beside.name} went on to block ${beside.block}`
    case 'same':
      return `, and so does ${beside.name}`
    case 'unknown':
      return '; whether the chain goes on is not known'
  }
}
