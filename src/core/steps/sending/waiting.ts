import type { Setup } from '../../facts.ts'
import type { Waiting } from '../view.ts'
import { awaitsWallet, walletWaiting } from './outside-view.ts'
import { isAsked } from './phases.ts'
import type { SendState, WaitFor } from './state.ts'

/** What a payment waits for now; undefined where nothing is under way. */
export function waitOf(state: SendState): WaitFor | undefined {
  if (state.phase === 'confirmed') return 'checks'
  if (state.phase === 'prepared') return 'signature'
  if (awaitsWallet(state)) return 'wallet'
  return isAsked(state) ? 'chain' : undefined
}

/** What a payment waits for, in words, and since when: one wait goes on however often it is looked at. */
export function paymentWaiting(state: SendState, setup: Setup): Waiting | undefined {
  const what = waitOf(state)
  if (what === undefined) return undefined
  // The command that notes the time begins right after the event that the wait began with.
  const sinceMs = state.wait?.what === what ? state.wait.sinceMs : undefined
  return { label: labelOf(what, state, setup), sinceMs }
}

function labelOf(what: WaitFor, state: SendState, setup: Setup): string {
  switch (what) {
    case 'checks':
      return 'for the checks; then the transaction is made'
    case 'signature':
      return setup.passwordDescriptor === undefined ? 'for the password of the keystore' : 'for the signature'
    case 'wallet':
      return walletWaiting(state)
    case 'chain':
      return state.remembered ? 'for the chain to confirm what is remembered' : 'for the chain'
  }
}
