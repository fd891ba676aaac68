import type { Hex } from '../../format/hex.ts'
import { holdsWhereOffered, type Offered } from '../../network/offered.ts'
import { type Beside, MOST_SLOTS_APART } from '../../network/standstill.ts'
import type { NodeHealth, PeerCounts } from '../../network/vitals.ts'
import { known, type Seen } from '../observation.ts'

/** Answers about the life of the node; all but the first two are of the kind that a node need not offer. */
export type LivenessAnswers = {
  node: {
    syncing: boolean
    headSlot: bigint
    executionBlock: bigint
    advanced: boolean
    secondsToAdvance: number
    /** What others showed of the chain in that time. */
    beside: Beside
  }
  /** An engine that catches up in two looks, a slot apart, follows blocks that it does not vote on. */
  engine: { pubkey: Hex; catchingUp: false | 'once' | 'twice' }
  health: Offered<NodeHealth>
  finality: Offered<{ finalizedEpoch: bigint; headEpoch: bigint }>
  peers: Offered<PeerCounts>
}

export const LIVENESS_KEYS = ['node', 'engine', 'health', 'finality', 'peers'] as const

/** With single-slot finality only a turn between two questions can part the epochs. */
const MAX_LAG_EPOCHS = 1n

/** The distance of two heads, in slots. */
export function lagSlots(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}

/** How each answer is judged. A lack of peers is told, not refused: a new head tells more than their number. */
export const livenessJudges = {
  node: (value: LivenessAnswers['node']) =>
    !value.syncing && value.advanced && lagSlots(value.headSlot, value.executionBlock) <= MOST_SLOTS_APART,
  engine: ({ catchingUp }: LivenessAnswers['engine']) => (catchingUp === false ? true : undefined),
  health: (value: NodeHealth) => value === 'ready',
  finality: ({ finalizedEpoch, headEpoch }: { finalizedEpoch: bigint; headEpoch: bigint }) =>
    lagSlots(finalizedEpoch, headEpoch) <= MAX_LAG_EPOCHS,
}

/** Whether the node was seen to live, and says nothing else where it says anything. */
export function isLive(seen: Seen<LivenessAnswers>): boolean {
  const node = known(seen.node)
  const health = known(seen.health)
  const finality = known(seen.finality)
  const engine = known(seen.engine)
  if (engine === undefined || livenessJudges.engine(engine) !== true) return false
  if (node === undefined || health === undefined || finality === undefined) return false
  if (!livenessJudges.node(node) || !holdsWhereOffered(health, livenessJudges.health)) return false
  return holdsWhereOffered(finality, livenessJudges.finality)
}
