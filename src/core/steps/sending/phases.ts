import type { Payer, SendEvent, SendPhase, SendState } from './state.ts'

/** Phases in which bytes may be on their way: nothing may be planned, prepared or signed again. */
const OPEN: readonly SendPhase[] = ['signed', 'sending', 'seen', 'mined']

/** Phases that nothing leads out of but a new beginning. */
export const ENDED: readonly SendPhase[] = ['final', 'reverted', 'foreign']

/** Whether signed bytes exist whose fate is not settled. */
export const isOpen = (state: SendState): boolean => OPEN.includes(state.phase)

/**
 * Whether the payment may be begun anew: it has ended without effect, or its bytes never left this computer. A top-up
 * that is final may be followed by another one; a first deposit never.
 */
export function mayReopen(state: SendState, step: Payer): boolean {
  if (state.phase === 'final') return step === 'topup'
  return ENDED.includes(state.phase) || (state.phase === 'signed' && state.attempts === 0)
}

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
      return state.phase === 'prepared'
    case 'reopened':
      return mayReopen(state, event.step)
    default:
      return true
  }
}
