import { formatCount, formatDuration } from '../format/amount.ts'
import { LONGEST_ANSWER_MS, MOST_SLOTS_APART, SLOTS_TO_ANSWER, SLOTS_TO_STAND } from './limits.ts'
import type { Network } from './network.ts'
import { BEPOLIA } from './presets.ts'

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
  return `stands still at slot ${formatCount(slot)} for ${formatDuration(stillMs)}${besideWords(beside)}`
}

/** What is known of the chain, to follow what is said of the node. */
export function besideWords(beside: Beside): string {
  switch (beside.is) {
    case 'ahead':
      return `, while ${beside.name} went on to block ${formatCount(beside.block)}`
    case 'same':
      return `, and so does ${beside.name}`
    case 'unknown':
      return '; whether the chain goes on is not known'
  }
}

/** What a node says of its own readiness. */
export type NodeHealth = 'ready' | 'syncing' | 'not-initialized'

/** How many peers each half of a node has; undefined for one that does not say. */
export type PeerCounts = { engine: number | undefined; node: number | undefined }

const HEALTH_WORDS: Readonly<Record<NodeHealth, string>> = {
  ready: 'reports that it is ready',
  syncing: 'reports that it is syncing',
  'not-initialized': 'reports that it is not ready',
}

/** A node's readiness in words. */
export function healthWords(health: NodeHealth): string {
  return HEALTH_WORDS[health]
}

/** Whether a network may be one node alone: a rehearsal always is, a test network of somebody's own can be. */
function mayBeOneNode({ kind, id }: Network): boolean {
  return kind === 'rehearsal' || (kind === 'test' && id !== BEPOLIA.id)
}

/** Whether half of a node has nobody to talk to on a network of many. */
export function isAlone({ engine, node }: PeerCounts, network: Network): boolean {
  return !mayBeOneNode(network) && (engine === 0 || node === 0)
}

/** The counts in words. */
export function peersWords(counts: PeerCounts, network: Network): string {
  const { engine, node } = counts
  const parts = [
    ...(engine === undefined ? [] : [`engine ${engine}`]),
    ...(node === undefined ? [] : [`node API ${node}`]),
  ]
  const said = parts.join(', ')
  if (network.kind === 'rehearsal') return `${said}; a rehearsal has none`
  if (mayBeOneNode(network) && (engine === 0 || node === 0)) return `${said}, as in a network of one node`
  return isAlone(counts, network) ? `${said}: nobody hears this node` : said
}

/** The newest head heard of a node, since when it is that, and its last good answer; by our own clock. */
export type Heard = { slot: bigint; sinceMs: number; atMs: number }

/** Why what is known of the own node is not of now: it gives no answer, or its head does not change. */
export type NodeDoubt = { is: 'silent' | 'still'; slot: bigint; sinceMs: number; beside: Beside }

/** An answer may take its time; after so long, and so many slots, none is expected any more. In milliseconds. */
export function patienceOf(slotMs: number): number {
  return Math.max(LONGEST_ANSWER_MS, SLOTS_TO_ANSWER * slotMs)
}

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
  if (now.failing || now.nowMs - atMs > patienceOf(now.slotMs)) return { is: 'silent', slot, sinceMs: atMs }
  return now.nowMs - sinceMs > SLOTS_TO_STAND * now.slotMs ? { is: 'still', slot, sinceMs } : undefined
}

/**
 * What is heard of a node after one more good answer. One that was silent has most likely been started again: it stands
 * still since its first answer.
 */
export function heardAfter(
  before: Heard | undefined,
  { slot, atMs, doubt }: { slot: bigint; atMs: number; doubt: NodeDoubt | undefined },
): Heard {
  if (before === undefined || slot > before.slot) return { slot, sinceMs: atMs, atMs }
  const wasSilent = doubt?.is === 'silent' && atMs - doubt.sinceMs > LONGEST_ANSWER_MS
  return { ...before, atMs, ...(wasSilent ? { sinceMs: atMs } : {}) }
}

/** What the other endpoints show of the chain, as a sentence. */
export function chainSentence(beside: Beside): string {
  switch (beside.is) {
    case 'ahead':
      return `The chain goes on: ${beside.name} is at block ${formatCount(beside.block)}.`
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
