import { LONGEST_BLOCK_MS, MOST_SLOTS_APART, OLDEST_HEAD_MS } from '../chain/network/limits.ts'
import type { Network } from '../chain/network/network.ts'
import { BEPOLIA } from '../chain/network/presets.ts'
import type { NodeHealth, PeerCounts } from '../chain/network/standstill.ts'

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
