import type { Setup } from '../../facts.ts'
import { accountIsSaid, signsExternally } from '../gate/signer.ts'
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
import type { ActionView } from '../view.ts'
import { isHeldBack } from './text.ts'

/** What can be done about a payment that waits or is stuck; nothing while all goes well. */
export function paymentActions(state: PaymentState, step: Payer): ActionView[] {
  const reopen: ActionView = { id: 'reopen', key: 'o', label: 'open again' }
  const retry: ActionView = { id: 'retry', key: 'r', label: 'ask again' }
  const again = mayReopen(state, step)
  const isSigned = liveOf(state)?.phase === 'under-way'
  if (awaitsWallet(state)) return walletActions(state)
  if (isHeldBack(state)) {
    if (state.offer !== undefined) return replaceActions(state)
    return [
      ...(mayHaveLeft(state) && mayReplace(state, 'cancellation') ? [CANCEL] : []),
      ...(again ? [{ ...reopen, label: 'abandon it' }] : []),
      ...(mayAbandon(state) ? [abandonOf(state)] : []),
      retry,
    ]
  }
  if (isSigned && state.failure === undefined) {
    const isWaiting = state.watch.isStuck || state.watch.gapFrom !== undefined
    // What was found for it may be made up, and the wallet may never sign.
    const aside = isUnsignedExport(state) ? [abandonOf(state), retry] : []
    return [...replaceActions(state), ...(again && isWaiting ? [reopen] : []), ...aside]
  }
  if (mayAbandon(state)) return [abandonOf(state), retry]
  return again ? [reopen, ...(isSigned ? [retry] : [])] : [retry]
}

const CANCEL: ActionView = { id: 'cancel', key: 'x', label: 'cancel it' }

/** The keys of a payment that is stuck. */
function replaceActions(state: PaymentState): ActionView[] {
  const { offer, watch } = state
  if (offer !== undefined) {
    const isSpeedUp = offer.kind === 'speed-up'
    const agree: ActionView = {
      id: 'replace',
      key: 'return',
      label: isSpeedUp ? 'raise the fee' : 'cancel the payment',
      typed: isSpeedUp ? 'raise' : 'cancel',
    }
    const leave: ActionView = { id: 'leave', key: 'k', label: 'keep waiting' }
    return offer.price.status === 'known' ? [agree, leave] : [leave]
  }
  if ((!watch.isStuck && watch.gapFrom === undefined) || !mayHaveLeft(state)) return []
  const speedUp = { id: 'bump', key: 'b', label: 'raise the fee' }
  return [
    ...(watch.isStuck && mayReplace(state, 'speed-up') ? [speedUp] : []),
    ...(mayReplace(state, 'cancellation') ? [CANCEL] : []),
  ]
}

/** What can be done while an external signer is to sign. */
function walletActions(state: PaymentState): ActionView[] {
  const isContract = draftOf(state)?.signer === 'contract'
  const save = {
    id: 'saveCommand',
    key: 's',
    label: isContract ? 'save it for the Safe' : 'save the command',
  }
  const paste = { id: 'edit.signed', key: 'p', label: 'paste it signed' }
  const shown: ActionView[] = isContract ? [save] : [paste, save]
  return [
    ...(exportedOf(state) === undefined ? [] : shown),
    ...(mayAbandon(state) ? [abandonOf(state)] : []),
    { id: 'retry', key: 'r', label: 'look again' },
  ]
}

/** Abandoning what nobody signed: the user’s word, checked again before another transaction is made. */
function abandonOf(state: PaymentState): ActionView {
  const isContract = draftOf(state)?.signer === 'contract'
  return {
    id: 'release',
    key: 'g',
    label: 'abandon it',
    typed: isContract ? 'never carried out' : 'never signed',
  }
}

/** The choice of the signer, before the draft is made. */
export function signerChoice(state: PaymentState, setup: Setup): ActionView[] {
  const account: ActionView[] = accountIsSaid(state, setup)
    ? [{ id: 'edit.payer', key: 'u', label: 'account' }]
    : []
  if (!signsExternally(state, setup))
    return [...account, { id: 'elsewhere', key: 't', label: 'external signer' }]
  return [
    ...account,
    ...(setup.keystore === undefined ? [] : [{ id: 'here', key: 't', label: 'use the keystore' }]),
  ]
}
