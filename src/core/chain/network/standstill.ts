import {
  LONGEST_ANSWER_MS,
  LONGEST_BLOCK_MS,
  MEASURED_SLOT_MS,
  MOST_SLOTS_APART,
  SLOTS_TO_ANSWER,
  SLOTS_TO_STAND,
} from './network.ts'

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

/**
 * Whether anybody is further than a node at `slot`: by more than heads are ever apart, or by having gone on between
 * two looks at it; it is at the same height only where it was so in both. On this network consensus slot and execution block have one number.
 */
export function executionBeside(
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

/** What a node says of its own readiness. */
export type NodeHealth = 'ready' | 'syncing' | 'not-initialized'

/** How many peers each half of a node has; undefined for one that does not say. */
export type PeerCounts = { engine: number | undefined; node: number | undefined }

/** The newest head heard of a node, since when it is that, and its last good answer; by our own clock. */
export type NewestHead = { slot: bigint; sinceMs: number; atMs: number }

/** Why what is known of the own node is not of now: it gives no answer, or its head does not change. */
export type NodeDoubt = { is: 'silent' | 'still'; slot: bigint; sinceMs: number; beside: Beside }

/** An answer may take its time; after so long, and so many slots, none is expected any more. In milliseconds. */
export function patienceOf(slotMs: number): number {
  return Math.max(LONGEST_ANSWER_MS, SLOTS_TO_ANSWER * slotMs)
}

/** So long a chain may be without a new block before it is called halted, in milliseconds: slow proposers are no halt. */
export function haltAfterMs(slotMs: number): number {
  return Math.max(LONGEST_BLOCK_MS * (slotMs / MEASURED_SLOT_MS), SLOTS_TO_STAND * slotMs)
}

/**
 * Whether a node that was heard is silent or stands still now; undefined where it is neither, or was never heard.
 * `failing`: its last answer was none. The seconds of a silence count from the last good answer.
 */
export function nodeDoubt(
  newest: NewestHead | undefined,
  now: { nowMs: number; slotMs: number; failing: boolean },
): Omit<NodeDoubt, 'beside'> | undefined {
  if (newest === undefined) return undefined
  const { slot, sinceMs, atMs } = newest
  if (now.failing || now.nowMs - atMs > patienceOf(now.slotMs)) return { is: 'silent', slot, sinceMs: atMs }
  return now.nowMs - sinceMs > SLOTS_TO_STAND * now.slotMs ? { is: 'still', slot, sinceMs } : undefined
}

/**
 * What is heard of a node after one more good answer. One that was silent has most likely been started again: it stands
 * still since its first answer.
 */
export function headAfter(
  before: NewestHead | undefined,
  { slot, atMs, doubt }: { slot: bigint; atMs: number; doubt: NodeDoubt | undefined },
): NewestHead {
  if (before === undefined || slot > before.slot) return { slot, sinceMs: atMs, atMs }
  const wasSilent = doubt?.is === 'silent' && atMs - doubt.sinceMs > LONGEST_ANSWER_MS
  return { ...before, atMs, ...(wasSilent ? { sinceMs: atMs } : {}) }
}

/** An execution endpoint that answered too late for the last rounds, `rounds` in a row, since then by the wall clock. */
export type LateEndpoint = { name: string; sinceMs: number; rounds: number }
