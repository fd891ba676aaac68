import { GUARD_TROUBLES, type GuardTroubleId } from '../../observe/picture.ts'
import { type GuardTarget, isCancelling, isOver, phaseOf } from './guard.ts'
import { cancelledBy, keptBackBy, type SendRowId } from './guard-consent.ts'
import { feeIsHigh, isBelowCap, missingGwei } from './judged.ts'
import type { GuardPicture } from './picture.ts'

/** What a guard does in a slot. */
export type GuardDecision =
  /** `keptBack`: what keeps the rung back that would go out, the rows in their order. */
  | { does: 'wait'; keptBack: readonly { id: SendRowId; held: 'no' | 'unknown' }[] }
  /** All but the dry run holds: it is asked, and decided anew in the same slot. */
  | { does: 'dry-run'; member: number }
  | { does: 'hand'; member: number; target: GuardTarget }
  | { does: 'cancel'; member: number; why: NonNullable<ReturnType<typeof cancelledBy>> }

const WAITS: GuardDecision = { does: 'wait', keptBack: [] }

/**
 * Decides what a guard does by one look at the world: nothing, hand a rung over, or cancel the one that waits. Pure. A
 * larger rung takes the place of one that waits only by a newer proven block.
 */
export function decideGuard(picture: GuardPicture): GuardDecision {
  const { state, choice, waiting, block, need, members } = picture
  const phase = phaseOf(state)
  if (phase !== 'armed' && phase !== 'handed-over') return WAITS
  if (isCancelling(state)) return WAITS
  const why = cancelledBy(picture)
  if (why !== undefined) return { does: 'cancel', member: members.length - 1, why }
  if (choice !== undefined && choice.member === waiting) return WAITS
  if (waiting !== undefined && (block === undefined || block <= (state.target?.provenBlock ?? 0n)))
    return WAITS
  const keptBack = keptBackBy(picture)
  const [first, ...rest] = keptBack
  if (first === undefined && choice !== undefined && need.is === 'out' && block !== undefined) {
    const { member, lastBlock } = choice
    return { does: 'hand', member, target: { outAtEpoch: need.outAtEpoch, lastBlock, provenBlock: block } }
  }
  const isToTry = first?.id === 'dry-run' && rest.length === 0 && picture.look.dryRun === undefined
  if (isToTry && choice !== undefined) return { does: 'dry-run', member: choice.member }
  return { does: 'wait', keptBack }
}

/** A term that ends within so many seconds is near its end. */
const TERM_NEAR_SECONDS = 7n * 86_400n
/** After so many slots in which a guard couldn't have acted it is told, and without a node API after so many more. */
export const SLOTS_UNABLE = 4
const SLOTS_UNHEARD = 10

/** Since when something holds, on our own clock; for alarms alone, nothing is sent or cancelled by it. */
export type GuardSince = { unprovenMs: number | undefined; unheardMs: number | undefined }

/** Returns what is wrong with a guard that is armed and not over, by one look and what was decided by it. */
export function guardTroubles(
  picture: GuardPicture,
  decision: GuardDecision,
  { unprovenMs, unheardMs }: GuardSince,
): readonly GuardTroubleId[] {
  const { state, look, setup, proven, need } = picture
  // What guards a place has nothing to guard once an exit is proven.
  if (isOver(state) || (phaseOf(state) === 'armed' && need.is === 'leaving')) return []
  const { slotMs } = setup.network
  const isLong = (sinceMs: number | undefined, slots: number) =>
    sinceMs !== undefined && look.atMs - sinceMs >= slots * slotMs
  const now = proven?.timestampSeconds
  const found: Readonly<Record<GuardTroubleId, boolean>> = {
    nonce: nonceIsTaken(picture),
    balance: isShort(picture),
    cap: typeof missingGwei(picture) === 'bigint',
    term: now !== undefined && now + TERM_NEAR_SECONDS > state.terms.untilSeconds,
    fee: feeIsHigh(picture),
    unproven: isLong(unprovenMs, SLOTS_UNABLE),
    blind: isLong(unheardMs, SLOTS_UNHEARD),
    fork: look.forks?.isKnown === false,
    'other-payment': look.otherPayment !== undefined,
    'cannot-send': cannotSend(picture, decision),
  }
  return GUARD_TROUBLES.filter((id) => found[id])
}

/**
 * Returns which troubles a look shows not to be there. What an endpoint that is asked didn't say, or what rests on a set that
 * isn't proven, is neither: an alarm of it stays as it is.
 */
export function ruledOutTroubles(
  { proven, need, look, replies }: GuardPicture,
  troubles: readonly GuardTroubleId[],
): readonly GuardTroubleId[] {
  const isHeard = look.endpoints.every((said) => !('unknown' in said))
  const isJudged: Readonly<Record<GuardTroubleId, boolean>> = {
    nonce: isHeard,
    balance: isHeard || (look.facts !== undefined && replies.length > 0),
    cap: need.is !== 'unknown',
    term: proven !== undefined,
    fee: isHeard,
    unproven: proven !== undefined,
    blind: proven !== undefined,
    fork: look.forks !== undefined,
    'other-payment': true,
    'cannot-send': need.is !== 'unknown' && proven !== undefined,
  }
  return GUARD_TROUBLES.filter((id) => isJudged[id] && !troubles.includes(id))
}

/** Whether a proven set has a part of the stake waiting: no rung goes out until it is paid. */
const partWaits = (picture: GuardPicture): boolean =>
  keptBackBy(picture).some(({ id, held }) => id === 'no-partial' && held === 'no')

/** Some endpoint says that something else has used the nonce, or waits with it. */
function nonceIsTaken({ replies, state, waiting }: GuardPicture): boolean {
  if (phaseOf(state) !== 'armed' || waiting !== undefined) return false
  const { nonce } = state.terms
  return replies.some(({ nonce: { latest, pending } }) => latest > nonce || pending > nonce)
}

/** Some endpoint says that the account cannot pay the cap with its fee. */
function isShort(picture: GuardPicture): boolean {
  const { replies, state } = picture
  return phaseOf(state) === 'armed' && replies.some(({ balanceWei }) => isBelowCap(picture, balanceWei))
}

/**
 * A part waits to be paid out, in danger or not. Or a rung is due and needed, or none keeps the place, and something keeps it
 * back that no other trouble says.
 */
function cannotSend(picture: GuardPicture, decision: GuardDecision): boolean {
  if (phaseOf(picture.state) === 'armed' && partWaits(picture)) return true
  if (decision.does !== 'wait' || typeof missingGwei(picture) === 'bigint') return false
  const waits = ({ id, held }: (typeof decision.keptBack)[number]) =>
    id === 'needed' || (id === 'due' && held === 'no')
  return decision.keptBack.length > 0 && !decision.keptBack.some(waits)
}

/** What must hold for an armed guard to act, whether or not the place is in danger. */
const ACTS_ONLY_IF: readonly SendRowId[] = ['proven', 'credentials', 'operator', 'chain', 'contract', 'nonce']

/**
 * What keeps a guard from acting by one look, the place in danger or not: the rows of its table, and `rules` where nobody tells
 * which are in force. A nonce that an endpoint calls used is a trouble of its own.
 */
export function unableBy(picture: GuardPicture): readonly { id: SendRowId; held: 'no' | 'unknown' }[] {
  const phase = phaseOf(picture.state)
  const rows = phase === 'armed' ? ACTS_ONLY_IF : ACTS_ONLY_IF.slice(0, 1)
  const found = keptBackBy(picture).filter(
    ({ id, held }) => rows.includes(id) && (id !== 'nonce' || held === 'unknown'),
  )
  const isWithoutRules = phase === 'armed' && picture.look.forks === undefined
  return isWithoutRules ? [...found, { id: 'rules', held: 'unknown' }] : found
}

/** What must hold before a guard is armed: all that is not about a danger of now. */
const ARMS_ONLY_IF: readonly SendRowId[] = [...ACTS_ONLY_IF, 'no-partial', 'active', 'alone']

/** Why a guard may not be armed now; undefined where it may. */
export function notArmedBy(picture: GuardPicture): SendRowId | undefined {
  return keptBackBy(picture).find(({ id }) => ARMS_ONLY_IF.includes(id))?.id
}
