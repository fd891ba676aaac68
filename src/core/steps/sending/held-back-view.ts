import type { ActionView, Problem } from '../view.ts'
import { releaseOf } from './outside-view.ts'
import { isOpen, mayHaveLeft, mayRelease } from './phases.ts'
import { mayReplace } from './replace.ts'
import { replaceActions } from './replace-view.ts'
import type { SendState } from './state.ts'

/** Whether signed bytes stay here, as what was agreed to holds no more. */
export function isHeldBack(state: SendState): boolean {
  const isCancelling = state.replacement?.kind === 'cancel' || state.rivals.at(-1)?.kind === 'cancel'
  return isOpen(state) && state.withheld !== undefined && !isCancelling
}

/** Why a signed payment stays here, where it may be all the same, and the way on. */
export function heldBackProblem(state: SendState): Problem {
  const isOut = mayHaveLeft(state)
  return {
    title: 'The chain has changed since you agreed. The payment is held back.',
    money: isOut ? 'unknown' : 'untouched',
    values: state.hash === undefined ? [] : [{ label: 'transaction', value: state.hash }],
    lines: [
      state.withheld ?? '',
      isOut
        ? 'An endpoint or your wallet may have it. If it is sent from there, it is found on chain and counts once.'
        : 'It never left this computer.',
    ],
    next: [
      ...(isOut ? ['x cancels it, which makes sure of it'] : []),
      `${mayRelease(state) ? 'g' : 'o'} abandons it; what you agree to next has the same nonce, so that only one can happen`,
    ],
  }
}

/** The safe way first: cancelling what may have left, then a new beginning with the same nonce. */
export function heldBackActions(
  state: SendState,
  { reopen, mayReopen }: { reopen: ActionView; mayReopen: boolean },
): ActionView[] {
  if (state.offer !== undefined) return replaceActions(state)
  const cancel = mayHaveLeft(state) && mayReplace(state, 'cancel')
  return [
    ...(cancel ? [{ id: 'cancel', key: 'x', label: 'cancel it' }] : []),
    ...(mayReopen ? [{ ...reopen, label: 'abandon it' }] : []),
    ...(mayRelease(state) ? [releaseOf(state)] : []),
    { id: 'retry', key: 'r', label: 'ask again' },
  ]
}
