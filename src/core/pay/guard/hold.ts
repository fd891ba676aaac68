import type { Setup } from '../../chain/facts.ts'
import type { GuardTroubleId } from '../../observe/picture.ts'
import type { Limits } from '../payment/payment-picture.ts'
import { type GuardDecision, type GuardSince, unableBy } from './decide.ts'
import { type GuardState, type GuardTarget, isCancelling, phaseOf } from './guard.ts'
import { hasLeft, isFinalEverywhere } from './judged.ts'
import { type GuardLook, type GuardPicture, guardPicture } from './picture.ts'

/** What whoever holds a guard remembers from one look to the next; never in its journal. */
export type HoldMemory = GuardSince & {
  /** The proven block in which the danger was first seen, while it lasts. */
  since: bigint | undefined
}

export const NOTHING_SEEN: HoldMemory = { since: undefined, unprovenMs: undefined, unheardMs: undefined }

/** Returns what a look shows to whoever remembers the looks before it. */
export const seenBy = (
  state: GuardState,
  look: GuardLook,
  { memory, setup }: { memory: HoldMemory; setup: Setup },
): GuardPicture => guardPicture(state, look, { setup, since: memory.since })

/** The memory after a look. What is known to be over is not forgotten by a look that could not see. */
export function memoryAfter(
  memory: HoldMemory,
  picture: GuardPicture,
  { isHeard }: { isHeard: boolean },
): HoldMemory {
  const { look, need, since } = picture
  return {
    since: need.is === 'unknown' ? memory.since : since,
    unprovenMs: unableBy(picture).length > 0 ? (memory.unprovenMs ?? look.atMs) : undefined,
    unheardMs: isHeard ? undefined : (memory.unheardMs ?? look.atMs),
  }
}

/**
 * How long what is looked at counts for the payment that a member has become: a guard looks at the world in each slot, and
 * no byte is given out again by a look before the newest one.
 */
export const limitsOfGuard = (limits: Limits): Limits => ({ ...limits, look: 0 })

/** What is written down of a slot before anything leaves. */
export type GuardAct =
  | { do: 'nothing' | 'void' | 'given-up' }
  | { do: 'hand'; member: number; target: GuardTarget | undefined }

/** Returns what follows from a decision, or from the word of the owner, who takes the guard back. Pure. */
export function actOf(
  picture: GuardPicture,
  decision: GuardDecision,
  { isTakenBack }: { isTakenBack: boolean },
): GuardAct {
  const { state, members } = picture
  const phase = phaseOf(state)
  if (phase === 'armed' && isUsedForGood(picture)) return { do: 'void' }
  if (phase === 'armed' && hasLeft(picture)) return { do: 'given-up' }
  const mayCancel = (phase === 'armed' || phase === 'handed-over') && !isCancelling(state)
  if (mayCancel && isTakenBack) return { do: 'hand', member: members.length - 1, target: undefined }
  if (decision.does === 'hand') return { do: 'hand', member: decision.member, target: decision.target }
  if (decision.does === 'cancel') return { do: 'hand', member: decision.member, target: undefined }
  return { do: 'nothing' }
}

/** The nonce is used in a block that is final at every endpoint, and nothing of ours was handed over. */
function isUsedForGood({ look, state }: GuardPicture): boolean {
  if (look.facts !== undefined && look.facts.nonce > state.terms.nonce) return true
  const finals = look.endpoints.map((said) => ('unknown' in said ? undefined : said.nonce.final))
  return isFinalEverywhere(finals, state.terms.nonce)
}

/** Whether the set is proven anew with every block: the place is in danger, not known, or a rung waits. */
export const isUrgentNow = ({ need, state }: GuardPicture): boolean =>
  need.is !== 'kept' || phaseOf(state) === 'handed-over'

/** What keeps endpoints from serving a guard, each by name with its cause; `isNodeSilent`: no node API answers. */
export type Lacking = { causes: readonly string[]; isNodeSilent: boolean }

/** What is said of a guard that is held, look by look. */
export type GuardSaid = {
  picture: GuardPicture
  decision: GuardDecision
  troubles: readonly GuardTroubleId[]
  /** What is missing for the guard to act; undefined where it could. */
  lacking?: Lacking | undefined
}
