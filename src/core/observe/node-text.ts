import { formatCount, formatDuration } from '../base/format/amount.ts'
import type { Network } from '../chain/network/network.ts'
import type { Beside, NodeDoubt, NodeHealth, PeerCounts, Standstill } from '../chain/network/standstill.ts'
import { isAlone, mayBeOneNode } from './findings.ts'

/** Whether a node and its execution client are at one place, as a row. */
export const SAME_HEADS = 'same heads'
/** Labels whose words are ids as well: they stand apart from what is judged by these. */
export const PEERS = 'peers'
export const FINALITY = 'finality'
/** What to do with a node that hangs while the chain goes on. */
export const RESTART_NODE = 'restart the node: it hangs at this height and does not report it'
/** What to do with a key that signs elsewhere. */
export const STOP_OTHER =
  'find the node that signs, stop it and keep it from starting again, then ask anew before you start one'
/** What an engine's `catching_up` means for a validator. */
export const CATCHES_UP = 'catches up: follows blocks and does not vote on them'
/** What to do with it. */
export const AWAIT_ENGINE =
  'wait until the engine has caught up and ask again; if that does not end, restart the node'

/** Returns a standstill in words: where, for how long, and what of the chain is known beside it. */
export function standstillWords({ slot, stillMs, beside }: Standstill): string {
  return `stands still at slot ${formatCount(slot)} for ${formatDuration(stillMs)}${besideWords(beside)}`
}

/** Returns what is known of the chain, to follow a sentence about the node. */
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

const HEALTH_WORDS: Readonly<Record<NodeHealth, string>> = {
  ready: 'reports that it is ready',
  syncing: 'reports that it is syncing',
  'not-initialized': 'reports that it is not ready',
}

/** Returns a node's readiness in words. */
export function healthWords(health: NodeHealth): string {
  return HEALTH_WORDS[health]
}

/** Returns the counts in words. */
export function peersWords(counts: PeerCounts, network: Network): string {
  const { engine, node } = counts
  const parts = [
    ...(engine === undefined ? [] : [`engine ${engine}`]),
    ...(node === undefined ? [] : [`node API ${node}`]),
  ]
  const words = parts.join(', ')
  if (network.kind === 'rehearsal') return `${words}; a rehearsal has none`
  if (mayBeOneNode(network) && (engine === 0 || node === 0)) return `${words}, as in a network of one node`
  return isAlone(counts, network) ? `${words}: nobody hears this node` : words
}

/** So much slower than it is meant to be, and times that are said ahead are felt to be late. */
const SLOW = 1.5

/** Returns the time between two blocks of the engine, beside what this chain means it to be. */
export function intervalWords(
  { intervalMs, blocks }: { intervalMs: number; blocks: bigint },
  { spec: { targetSecondsPerSlot } }: Network,
): string {
  const words = `${(intervalMs / 1000).toFixed(1)} s a block, over the last ${formatCount(blocks)}`
  if (intervalMs <= SLOW * targetSecondsPerSlot * 1000) return words
  return `${words}; meant are ${targetSecondsPerSlot} s, so times said ahead come later`
}

/** Returns what the other endpoints show of the chain, as a sentence. */
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

/** Returns what a doubt waits for, and since when: the last good reply, or the last new head. */
export function awaitedOf({ is, sinceMs }: NodeDoubt): { label: string; sinceMs: number } {
  return { label: is === 'silent' ? 'for your node to answer' : 'for a new block of your node', sinceMs }
}
