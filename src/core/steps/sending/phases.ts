import type { Hex } from '../../format/hex.ts'
import { timesSent } from './handed.ts'
import { isReplacement, mayReplace } from './replace.ts'
import type { Payer, SendEvent, SendPhase, SendState } from './state.ts'

/** Phases in which bytes may be on their way: nothing may be planned, prepared or signed again. */
const OPEN: readonly SendPhase[] = ['signed', 'sending', 'seen', 'mined']

/** Phases that nothing leads out of but a new beginning. */
export const ENDED: readonly SendPhase[] = ['final', 'cancelled', 'reverted', 'foreign']

/** Whether signed bytes exist whose fate is not settled. */
export const isOpen = (state: SendState): boolean => OPEN.includes(state.phase)

/** Whether the chain is watched for the payment: its bytes may be on their way, from here or from a wallet elsewhere. */
export const isWatched = (state: SendState): boolean => isOpen(state) || state.phase === 'external'

/** Whether the chain is asked about the payment: it is watched, or its end is only remembered. */
export const isAsked = (state: SendState): boolean => isWatched(state) || state.remembered

/** A payment as it was in the journal: how it ended is a memory. */
export const asRemembered = (state: SendState): SendState =>
  ENDED.includes(state.phase) ? { ...state, remembered: true } : state

/** Whether the payment may be on the chain already, or may come there without this program. */
export function mayBeOut({ hash, prepared, strays }: SendState): boolean {
  return hash !== undefined || strays.length > 0 || prepared?.elsewhere === true
}

/**
 * Whether signed bytes may be anywhere but on this computer: at an endpoint, or with the wallet elsewhere that signed
 * them. A line is in the journal before any byte leaves, so that this is known after a restart as well.
 */
export function mayHaveLeft(state: SendState): boolean {
  const { phase, prepared, strays } = state
  if (!isOpen(state) || phase === 'seen' || phase === 'mined') return true
  return prepared?.elsewhere === true || strays.length > 0 || timesSent(state) > 0
}

/** The hashes under which the payment, or what takes its place, may be found. */
export function hashesOf({ hash, rivals, strays }: SendState): Hex[] {
  const signed = hash === undefined ? [] : [hash]
  return [...signed, ...rivals.map((rival) => rival.hash), ...strays.map((stray) => stray.hash)]
}

/**
 * Whether the payment may be begun anew: it has ended without effect, or its bytes never left this computer. A top-up
 * that is final may be followed by another one; a first deposit never. What is only remembered is no end yet.
 */
export function mayReopen(state: SendState, step: Payer): boolean {
  if (state.remembered) return false
  if (state.phase === 'final') return step === 'topup'
  return ENDED.includes(state.phase) || (maySetAside(state) && state.prepared?.elsewhere !== true)
}

/**
 * Whether the user may say that nobody signed, or that the signed bytes stayed where they are. It cannot be proven
 * here, so the number is looked at again before anything else is prepared.
 */
export function mayRelease(state: SendState): boolean {
  return state.phase === 'external' || (maySetAside(state) && state.prepared?.elsewhere === true)
}

/** Whether signed bytes may be set aside: they never left, or they must not leave any more and are in no block. */
function maySetAside(state: SendState): boolean {
  if (isUnsent(state)) return true
  return state.withheld !== undefined && isOpen(state) && state.phase !== 'mined'
}

const isUnsent = ({ phase, attempts }: SendState): boolean => phase === 'signed' && attempts === 0

/** Until something is signed, a new consent replaces an older one: nothing of that can ever be sent. */
export function isUnsigned({ phase }: SendState): boolean {
  return phase === 'idle' || phase === 'confirmed' || phase === 'prepared'
}

/**
 * Whether an event fits what is going on right now. Stricter than the transition, which must also read a journal in
 * which a crash or a failure left an unsigned attempt behind.
 */
export function fitsPhase(state: SendState, event: SendEvent): boolean {
  switch (event.type) {
    case 'confirmed':
      return state.phase === 'idle'
    case 'prepared':
      return state.phase === 'confirmed'
    case 'signed':
      return state.phase === 'prepared' || state.phase === 'external'
    case 'released':
      return mayRelease(state)
    case 'replacing':
      return (
        (state.withheld === undefined || event.replacement.kind === 'cancel') &&
        mayHaveLeft(state) &&
        mayReplace(state, event.replacement.kind) &&
        isReplacement(state, event.replacement)
      )
    case 'replaced':
      return isOpen(state) && state.replacement !== undefined
    case 'found':
      return isOwn(state, event) || releasedAs(state, event) !== undefined
    case 'reopened':
      return mayReopen(state, event.step)
    case 'disproved':
      return state.remembered
    case 'withheld':
      return isWatched(state) && state.phase !== 'mined'
    default:
      return true
  }
}

type Found = Extract<SendEvent, { type: 'found' }>

/**
 * Whether a found deposit is of the account of the payment that is watched, under a new hash, with its number or a later
 * one: that one takes its place once the number is known to be lost.
 */
export function isOwn(state: SendState, { from, nonce, hash }: Found): boolean {
  const { prepared } = state
  if (!isWatched(state) || prepared === undefined || hashesOf(state).includes(hash)) return false
  return prepared.from.toLowerCase() === from.toLowerCase() && nonce >= prepared.transaction.nonce
}

/**
 * The released transaction that a found one turns out to be. All calls of a contract account share one number, and one
 * number may have been handed out twice: value and calldata tell them apart.
 */
export function releasedAs(
  state: SendState,
  { from, nonce, valueWei, data }: Found,
): SendState['released'][number] | undefined {
  if (!isUnsigned(state)) return undefined
  const alike = state.released.filter(
    ({ prepared }) =>
      prepared.from.toLowerCase() === from.toLowerCase() && prepared.transaction.nonce === nonce,
  )
  const exact = alike.find(
    ({ plan }) => plan.valueWei === valueWei && (data === undefined || plan.data === data),
  )
  return exact ?? alike[0]
}
