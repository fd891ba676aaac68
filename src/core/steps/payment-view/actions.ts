import type { Setup } from '../../facts.ts'
import { accountIsSaid, signsExternally } from '../gate/nonce.ts'
import { draftOf, liveOf } from '../payment/candidates.ts'
import type { Payer, PaymentState } from '../payment/payment.ts'
import {
  awaitsWallet,
  exportedOf,
  isUnsignedExport,
  mayAbandon,
  mayHaveLeft,
  mayReopen,
  mayReplace,
} from '../payment/sign-again.ts'
import type { ActionView, Does } from '../step-view.ts'
import { isHeldBack } from './text.ts'

/** What can be done about a payment that waits or is stuck; nothing while all goes well. */
export function paymentActions(state: PaymentState, step: Payer): ActionView[] {
  const reopen = reopenOf(step, 'open again')
  const retry = retryOf(step, 'ask again')
  const cancel = cancelOf(step)
  const again = mayReopen(state, step)
  const isSigned = liveOf(state)?.phase === 'under-way'
  if (awaitsWallet(state)) return walletActions(state, step)
  if (isHeldBack(state)) {
    if (state.offer !== undefined) return replaceActions(state, step)
    return [
      ...(mayHaveLeft(state) && mayReplace(state, 'cancellation') ? [cancel] : []),
      ...(again ? [{ ...reopen, label: 'abandon it' }] : []),
      ...(mayAbandon(state) ? [abandonOf(state, step)] : []),
      retry,
    ]
  }
  if (isSigned && state.failure === undefined) {
    const isWaiting = state.watch.isStuck || state.watch.gapFrom !== undefined
    // What was found for it may be made up, and the wallet may never sign.
    const aside = isUnsignedExport(state) ? [abandonOf(state, step), retry] : []
    return [...replaceActions(state, step), ...(again && isWaiting ? [reopen] : []), ...aside]
  }
  if (mayAbandon(state)) return [abandonOf(state, step), retry]
  return again ? [reopen, ...(isSigned ? [retry] : [])] : [retry]
}

/** Makes room for another payment of the step, and asks all that decides about it. */
export const reopenOf = (step: Payer, label: string): ActionView => ({
  key: 'o',
  label,
  does: [
    { step, type: 'reopened' },
    { step, type: 'checkAsked' },
  ],
})

/** Asks anew. */
export const retryOf = (step: Payer, label: string): ActionView => ({
  key: 'r',
  label,
  does: [{ step, type: 'entered' }],
})

/** Asks what it costs to cancel. */
export const cancelOf = (step: Payer): ActionView => ({
  key: 'x',
  label: 'cancel it',
  does: [{ step, type: 'priceAsked', kind: 'cancellation' }],
})

/** Whether the keystore signs a replacement that was agreed to. */
export function signsReplacement(state: PaymentState): boolean {
  return liveOf(state)?.replacement !== undefined && draftOf(state)?.signer === 'keystore'
}

/** The keys of a payment that is stuck. */
function replaceActions(state: PaymentState, step: Payer): ActionView[] {
  const { offer, watch } = state
  if (signsReplacement(state)) return []
  if (offer !== undefined) {
    const isSpeedUp = offer.kind === 'speed-up'
    const leave: ActionView = { key: 'k', label: 'keep waiting', does: [{ step, type: 'offerLeft' }] }
    if (offer.price.status !== 'known') return [leave]
    const { transaction } = offer.price.value
    const agree: ActionView = {
      key: 'return',
      label: isSpeedUp ? 'speed it up' : 'cancel the payment',
      typed: isSpeedUp ? 'speed up' : 'cancel',
      does: [{ step, type: 'replacing', replacement: { kind: offer.kind, transaction } }],
    }
    return [agree, leave]
  }
  if ((!watch.isStuck && watch.gapFrom === undefined) || !mayHaveLeft(state)) return []
  const speedUp: ActionView = {
    key: 'b',
    label: 'speed it up',
    does: [{ step, type: 'priceAsked', kind: 'speed-up' }],
  }
  return [
    ...(watch.isStuck && mayReplace(state, 'speed-up') ? [speedUp] : []),
    ...(mayReplace(state, 'cancellation') ? [cancelOf(step)] : []),
  ]
}

/** What can be done while an external signer is to sign. */
function walletActions(state: PaymentState, step: Payer): ActionView[] {
  const isContract = draftOf(state)?.signer === 'contract'
  const save: ActionView = {
    key: 's',
    label: isContract ? 'save it for the Safe' : 'save the command',
    does: [{ step, type: 'saveAsked' }],
  }
  const paste: ActionView = { key: 'p', label: 'import it signed', does: { edit: 'signed' } }
  const shown: ActionView[] = isContract ? [save] : [paste, save]
  return [
    ...(exportedOf(state) === undefined ? [] : shown),
    ...(mayAbandon(state) ? [abandonOf(state, step)] : []),
    retryOf(step, 'look again'),
  ]
}

/** Abandoning what nobody signed: the user’s word, checked again before another transaction is made. */
function abandonOf(state: PaymentState, step: Payer): ActionView {
  const isContract = draftOf(state)?.signer === 'contract'
  return {
    key: 'g',
    label: 'abandon it',
    typed: isContract ? 'never carried out' : 'never signed',
    does: [
      { step, type: 'abandoned' },
      { step, type: 'checkAsked' },
    ],
  }
}

/** The choice of the signer, before the draft is made. */
export function signerChoice(state: PaymentState, step: Payer, setup: Setup): ActionView[] {
  const choice = (external: boolean): Does => [{ step, type: 'signerChosen', external }]
  const account: ActionView[] = accountIsSaid(state, setup)
    ? [{ key: 'u', label: 'account', does: { edit: 'payer' } }]
    : []
  if (!signsExternally(state, setup))
    return [...account, { key: 't', label: 'external signer', does: choice(true) }]
  return [
    ...account,
    ...(setup.keystore === undefined ? [] : [{ key: 't', label: 'use the keystore', does: choice(false) }]),
  ]
}
