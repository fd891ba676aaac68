import { holdsWhereOffered, type Offered } from '../../network/offered.ts'
import type { NodeHealth, PeerCounts } from '../../network/vitals.ts'
import { known, type Seen } from '../observation.ts'

/** Answers about the life of the node; all but the first are of the kind that a node need not offer. */
export type LivenessAnswers = {
  node: {
    syncing: boolean
    headSlot: bigint
    executionBlock: bigint
    advanced: boolean
    secondsToAdvance: number
  }
  health: Offered<NodeHealth>
  finality: Offered<{ finalizedEpoch: bigint; headEpoch: bigint }>
  peers: Offered<PeerCounts>
}

export const LIVENESS_KEYS = ['node', 'health', 'finality', 'peers'] as const

/** How far node and execution client may be apart: consensus slot and block number are the same here. */
export const MAX_LAG_SLOTS = 5n
/** With single-slot finality only a turn between two questions can part the epochs. */
const MAX_LAG_EPOCHS = 1n

/** The distance of two heads, in slots. */
export function lagSlots(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}

/** How each answer is judged. A lack of peers is told, not refused: a new head tells more than their number. */
export const livenessJudges = {
  node: (value: LivenessAnswers['node']) =>
    !value.syncing && value.advanced && lagSlots(value.headSlot, value.executionBlock) <= MAX_LAG_SLOTS,
  health: (value: NodeHealth) => value === 'ready',
  finality: ({ finalizedEpoch, headEpoch }: { finalizedEpoch: bigint; headEpoch: bigint }) =>
    lagSlots(finalizedEpoch, headEpoch) <= MAX_LAG_EPOCHS,
}

/** Whether the node was seen to live, and says nothing else where it says anything (`safety.md` #49, #95). */
export function isLive(seen: Seen<LivenessAnswers>): boolean {
  const node = known(seen.node)
  const health = known(seen.health)
  const finality = known(seen.finality)
  if (node === undefined || health === undefined || finality === undefined) return false
  if (!livenessJudges.node(node) || !holdsWhereOffered(health, livenessJudges.health)) return false
  return holdsWhereOffered(finality, livenessJudges.finality)
}
