import { type Beside, SLOTS_TO_STAND } from './standstill.ts'

/** The newest head heard of a node, since when it is that, and its last good answer; by our own clock. */
export type Heard = { slot: bigint; sinceMs: number; atMs: number }

/** Why what is known of the own node is not of now: it gives no answer, or its head does not change. */
export type NodeDoubt = { is: 'silent' | 'still'; slot: bigint; sinceMs: number; beside: Beside }

/** An answer may take its time; after so long, and so many slots, none is expected any more. */
const LONGEST_ANSWER_MS = 6_000
const SLOTS_TO_ANSWER = 3

/**
 * Whether a node that was heard is silent or stands still now; undefined where it is neither, or was never heard.
 * `failing`: its last answer was none. The seconds of a silence count from the last good answer.
 */
export function doubtOf(
  heard: Heard | undefined,
  now: { nowMs: number; slotMs: number; failing: boolean },
): Omit<NodeDoubt, 'beside'> | undefined {
  if (heard === undefined) return undefined
  const { slot, sinceMs, atMs } = heard
  const patienceMs = Math.max(LONGEST_ANSWER_MS, SLOTS_TO_ANSWER * now.slotMs)
  if (now.failing || now.nowMs - atMs > patienceMs) return { is: 'silent', slot, sinceMs: atMs }
  return now.nowMs - sinceMs > SLOTS_TO_STAND * now.slotMs ? { is: 'still', slot, sinceMs } : undefined
}

/** What the other endpoints show of the chain, as a sentence. */
export function chainSentence(beside: Beside): string {
  switch (beside.is) {
    case 'ahead':
      return `The chain goes on: ${beside.name} is at block ${beside.block}.`
    case 'same':
      return `${beside.name} is no further: the chain makes no block.`
    case 'unknown':
      return 'Whether the chain goes on is not known.'
  }
}

/** What is waited for, and since when: the last good answer, or the last new head. */
export function awaitedOf({ is, sinceMs }: NodeDoubt): { label: string; sinceMs: number } {
  return { label: is === 'silent' ? 'for your node to answer' : 'for a new block of your node', sinceMs }
}
