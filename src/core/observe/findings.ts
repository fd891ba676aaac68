import { formatCount, formatDuration } from '../base/format/amount.ts'
import { LONGEST_BLOCK_MS, MOST_SLOTS_APART, type Network, OLDEST_HEAD_MS } from '../chain/network/network.ts'
import { BEPOLIA } from '../chain/network/presets.ts'
import type { Beside, NodeDoubt, NodeHealth, PeerCounts, Standstill } from '../chain/network/standstill.ts'

/** What is known of a node and its two clients at one moment, part by part. */
export type NodeParts = {
  /** What the node says of its readiness. */
  health: NodeHealth
  /** Up to which epoch it calls its chain final, and the epoch of its head just after that. */
  finality: { finalizedEpoch: bigint; headEpoch: bigint }
  peers: PeerCounts
  /** Whether one of its clients says that it syncs. */
  sync: { isSyncing: boolean }
  /** Whether its engine catches up; `once`: it said so, and may have just been started. */
  votes: { catchingUp: boolean | 'once' | 'twice' }
  /** The head of the node and that of its execution client. */
  heads: { slot: bigint; block: bigint }
  /** Whether its head was seen to change: the one sign of life that a stopped chain cannot give. */
  advance: { advanced: boolean }
  /** How long ago a block or a set was made, by the clock of this computer, in milliseconds. */
  age: { ageMs: number }
  /** How long a block of its engine took, on the average of the last ones, in milliseconds of chain time. */
  interval: { intervalMs: number }
}

/**
 * Whether a part of a node is as it must be; undefined where what is known settles nothing. The one rule of each: steps,
 * gate, commands and watch choose which of them they show, wait for or alarm of, and none of them judges by itself.
 */
const RULES: {
  readonly [K in keyof NodeParts]: (part: NodeParts[K], network: Network) => boolean | undefined
} = {
  health: (health) => health === 'ready',
  // With single-slot finality only a turn between two questions can part the epochs.
  finality: ({ finalizedEpoch, headEpoch }) => distance(finalizedEpoch, headEpoch) <= 1n,
  peers: (counts, network) => !isAlone(counts, network),
  sync: ({ isSyncing }) => !isSyncing,
  // One that catches up does not say how far it is, nor from when on it votes.
  votes: ({ catchingUp }) => (catchingUp === false ? true : undefined),
  // On this network consensus slot and execution block have one number.
  heads: ({ slot, block }) => distance(slot, block) <= MOST_SLOTS_APART,
  advance: ({ advanced }) => advanced,
  // Where chain time is not the wall's the clock cannot tell, and only heads can be compared.
  age: ({ ageMs }, { clockIsWall }) => !clockIsWall || Math.abs(ageMs) <= OLDEST_HEAD_MS,
  interval: ({ intervalMs }) => intervalMs <= LONGEST_BLOCK_MS,
}

/** Judges one part of a node's state by the limits of its network. */
export function judgeNode<K extends keyof NodeParts>(
  id: K,
  part: NodeParts[K],
  network: Network,
): boolean | undefined {
  return RULES[id](part, network)
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}

/** Whether a network may be one node alone: a rehearsal always is, a test network of somebody's own can be. */
export function mayBeOneNode({ kind, id }: Network): boolean {
  return kind === 'rehearsal' || (kind === 'test' && id !== BEPOLIA.id)
}

/** Whether half of a node has nobody to talk to on a network of many. */
export function isAlone({ engine, node }: PeerCounts, network: Network): boolean {
  return !mayBeOneNode(network) && (engine === 0 || node === 0)
}

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
