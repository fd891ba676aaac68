import type { Facts, Setup } from '../../chain/facts.ts'
import { known } from '../../view/observation.ts'
import type { ActionView, Does, StepField } from '../../view/step-view.ts'
import { type Offer, type OfferedState, replacementOffer, setAsideOffer } from '../desk/offer.ts'
import { mktxCommand, WALLET_FLAGS } from '../gate/cast.ts'
import { accountIsSaid, signsExternally } from '../gate/nonce.ts'
import { dearest, draftOf, liveOf, replacementOf, signsReplacement } from '../payment/candidates.ts'
import type { PayingEvent, PayingStep, PaymentState } from '../payment/payment.ts'
import {
  awaitsWallet,
  exportedOf,
  isUnsignedExport,
  mayAbandon,
  mayHaveLeft,
  mayReopen,
  mayReplace,
  maySendAgain,
} from '../payment/sign-again.ts'
import { PAYMENT_TEXT as TEXT } from './text.ts'
import { isHeldBack } from './view.ts'

/** Returns what can be done about a payment that waits or is stuck; nothing while all goes well. */
export function paymentActions(
  state: PaymentState,
  step: PayingStep,
  about: OfferedState,
): ActionView<PayingEvent, Offer>[] {
  const reopen = reopenOf(step, TEXT.keys.openAgain)
  const retry = retryOf(step)
  const cancel = cancelOf(step)
  const again = mayReopen(state, step)
  const isSigned = liveOf(state)?.phase === 'under-way'
  const sendAgain = maySendAgain(state) ? [sendAgainOf(state, step)] : []
  if (awaitsWallet(state)) return [...walletActions(state, step), ...sendAgain]
  if (isHeldBack(state)) {
    if (state.quote !== undefined) return replaceActions(state, step, about)
    return [
      ...(mayHaveLeft(state) && mayReplace(state, 'cancellation') ? [cancel] : []),
      ...(again ? [{ ...reopen, label: TEXT.keys.abandon }] : []),
      ...(mayAbandon(state) ? [abandonOf(state, step)] : []),
      retry,
    ]
  }
  if (sendAgain.length > 0) {
    if (state.quote !== undefined || signsReplacement(state)) return replaceActions(state, step, about)
    const aside = again ? [{ ...reopen, label: TEXT.keys.abandon }] : []
    return [{ ...cancel, label: TEXT.keys.signCancellation }, ...sendAgain, ...aside, retry]
  }
  if (isSigned && state.failure === undefined) {
    const isWaiting = state.memory.isStuck || state.memory.gapFrom !== undefined
    // What was found for it may be made up, and the wallet may never sign.
    const aside = isUnsignedExport(state) ? [abandonOf(state, step), retry] : []
    return [...replaceActions(state, step, about), ...(again && isWaiting ? [reopen] : []), ...aside]
  }
  if (mayAbandon(state)) return [abandonOf(state, step), retry]
  return again ? [reopen, ...(isSigned ? [retry] : [])] : [retry]
}

/** Makes room for another payment of the step, and asks all that decides about it. */
export const reopenOf = (step: PayingStep, label: string): ActionView<PayingEvent, Offer> => ({
  key: 'o',
  label,
  does: [
    { step, type: 'reopened' },
    { step, type: 'checkAsked' },
  ],
})

/** Asks anew. */
export const retryOf = (step: PayingStep, label = TEXT.keys.askAgain): ActionView<PayingEvent, Offer> => ({
  key: 'r',
  label,
  does: [{ step, type: 'entered' }],
})

/** Asks what it costs to cancel. */
export const cancelOf = (step: PayingStep): ActionView<PayingEvent, Offer> => ({
  key: 'x',
  label: TEXT.keys.cancel,
  does: [{ step, type: 'quoteAsked', kind: 'cancellation' }],
})

/** The keys of a payment that is stuck. */
function replaceActions(
  state: PaymentState,
  step: PayingStep,
  about: OfferedState,
): ActionView<PayingEvent, Offer>[] {
  const { quote, memory } = state
  if (signsReplacement(state)) return []
  if (quote !== undefined) {
    const isSpeedUp = quote.kind === 'speed-up'
    const leave: ActionView<PayingEvent, Offer> = {
      key: 'k',
      label: TEXT.keys.keepWaiting,
      does: [{ step, type: 'quoteLeft' }],
    }
    if (quote.price.status !== 'known') return [leave]
    const { kind } = quote
    const { transaction } = quote.price.value
    const offer = replacementOffer(state, { kind, transaction }, about)
    const agree: ActionView<PayingEvent, Offer> = {
      key: 'return',
      label: isSpeedUp ? TEXT.keys.speedUp : TEXT.keys.cancelPayment,
      typed: isSpeedUp ? TEXT.typed.speedUp : TEXT.typed.cancel,
      ...(offer === undefined ? {} : { offer }),
      anew: [{ step, type: 'quoteAsked', kind }],
      does: [{ step, type: 'replacing', replacement: { kind, transaction } }],
    }
    return [agree, leave]
  }
  if ((!memory.isStuck && memory.gapFrom === undefined) || !mayHaveLeft(state)) return []
  const speedUp: ActionView<PayingEvent, Offer> = {
    key: 'b',
    label: TEXT.keys.speedUp,
    does: [{ step, type: 'quoteAsked', kind: 'speed-up' }],
  }
  return [
    ...(memory.isStuck && mayReplace(state, 'speed-up') ? [speedUp] : []),
    ...(mayReplace(state, 'cancellation') ? [cancelOf(step)] : []),
  ]
}

/** What can be done while an external signer is to sign. */
function walletActions(state: PaymentState, step: PayingStep): ActionView<PayingEvent, Offer>[] {
  const isContract = draftOf(state)?.signer === 'contract'
  const save: ActionView<PayingEvent, Offer> = {
    key: 's',
    label: isContract ? TEXT.keys.saveBatch : TEXT.keys.saveCommand,
    does: [{ step, type: 'saveAsked' }],
  }
  const paste: ActionView<PayingEvent, Offer> = {
    key: 'p',
    label: TEXT.keys.import,
    does: { edit: 'signed' },
  }
  const shown: ActionView<PayingEvent, Offer>[] = isContract ? [save] : [paste, save]
  return [
    ...(exportedOf(state) === undefined ? [] : shown),
    ...(mayAbandon(state) ? [abandonOf(state, step)] : []),
    retryOf(step, TEXT.keys.lookAgain),
  ]
}

/** Abandoning what nobody signed: the user’s word, checked again before another transaction is made. */
function abandonOf(state: PaymentState, step: PayingStep): ActionView<PayingEvent, Offer> {
  const isContract = draftOf(state)?.signer === 'contract'
  const offer = setAsideOffer(state)
  return {
    key: 'g',
    label: TEXT.keys.abandon,
    typed: isContract ? TEXT.typed.neverCarriedOut : TEXT.typed.neverSigned,
    ...(offer === undefined ? {} : { offer }),
    anew: [{ step, type: 'entered' }],
    does: [
      { step, type: 'abandoned' },
      { step, type: 'checkAsked' },
    ],
  }
}

/** Sending again what a word had agreed to cancel. */
function sendAgainOf(state: PaymentState, step: PayingStep): ActionView<PayingEvent, Offer> {
  const offer = setAsideOffer(state)
  return {
    key: 'a',
    label: TEXT.keys.sendAgain,
    typed: TEXT.typed.sendAgain,
    ...(offer === undefined ? {} : { offer }),
    anew: [{ step, type: 'entered' }],
    does: [{ step, type: 'sending-again' }],
  }
}

/** Returns the choice of the signer, before the draft is made. */
export function signerChoice(
  state: PaymentState,
  step: PayingStep,
  setup: Setup,
): ActionView<PayingEvent, Offer>[] {
  const choice = (external: boolean): Does<PayingEvent> => [{ step, type: 'signerChosen', external }]
  const account: ActionView<PayingEvent, Offer>[] = accountIsSaid(state, setup)
    ? [{ key: 'u', label: TEXT.keys.account, does: { edit: 'sender' } }]
    : []
  if (!signsExternally(state, setup))
    return [...account, { key: 't', label: TEXT.keys.external, does: choice(true) }]
  return [
    ...account,
    ...(setup.keystore === undefined ? [] : [{ key: 't', label: TEXT.keys.keystore, does: choice(false) }]),
  ]
}

/** The command for the external signer, once it may be shown, or the one that ends a gap before the payment’s nonce. */
export function walletCommands(state: PaymentState): string[] {
  const draft = draftOf(state)
  const { gapFrom } = state.memory
  const transaction = gapFrom === undefined ? exportedOf(state) : emptyTransfer(state, gapFrom)
  if (transaction === undefined || draft === undefined || draft.signer === 'contract') return []
  return [mktxCommand(transaction, draft.from, WALLET_FLAGS[0])]
}

/** An empty transfer with the first nonce that is missing. */
function emptyTransfer(state: PaymentState, nonce: number) {
  const empty = replacementOf(state, 'cancellation', dearest(state))
  return empty === undefined ? undefined : { ...empty, nonce }
}

/** Returns the field that takes the paying account before the draft is made, or the signed bytes afterwards. */
export function walletFields(
  state: PaymentState,
  step: PayingStep,
  facts: Facts,
  setup: Setup,
): StepField<PayingEvent>[] {
  if (exportedOf(state) !== undefined)
    return draftOf(state)?.signer === 'contract' ? [] : [signedField(state, step)]
  if (state.payment.phase !== 'open' || !accountIsSaid(state, setup)) return []
  const { sender, senderError, observed } = state
  const isExternal = signsExternally(state, setup)
  const otherwise = isExternal ? facts.deposit?.from : known(observed.sender)?.address
  const text = isExternal ? TEXT.fields.external : TEXT.fields.keystore(observed.sender.status !== 'failed')
  return [
    {
      id: 'sender',
      takes: { step, type: 'senderTyped' },
      ...text,
      value: sender ?? otherwise ?? '',
      ...(senderError === undefined ? {} : { error: senderError }),
    },
  ]
}

/** The field that must be filled before anything can be asked; undefined when none is. */
export function neededField(state: PaymentState, facts: Facts, setup: Setup): string | undefined {
  const { payment, sender, observed } = state
  if (payment.phase !== 'open' || sender !== undefined) return undefined
  if (signsExternally(state, setup)) return facts.deposit === undefined ? 'sender' : undefined
  const unnamed = observed.sender.status === 'failed' && observed.sender.error.code === 'wallet.no-account'
  return unnamed ? 'sender' : undefined
}

function signedField({ failure }: PaymentState, step: PayingStep): StepField<PayingEvent> {
  const refused = failure === undefined ? undefined : [failure.shortMessage, ...failure.details].join(' ')
  return {
    id: 'signed',
    takes: { step, type: 'imported' },
    ...TEXT.fields.signed,
    value: '',
    ...(refused === undefined ? {} : { error: refused }),
  }
}
