import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import { sameHex } from '../../base/format/hex.ts'
import { abandonedAs } from './abandoned.ts'
import {
  bytesToBroadcast,
  candidatesOf,
  dearest,
  draftOf,
  endedOf,
  hashesOf,
  liveOf,
  paymentBytes,
  raised,
  replacementOf,
  replacementsOut,
  timesSent,
} from './candidates.ts'
import type {
  DurableBody,
  DurablePaymentEvent,
  LivePayment,
  PayingStep,
  PaymentBody,
  PaymentEvent,
  PaymentState,
  Replacement,
  WaitFor,
} from './payment.ts'

/**
 * When may it sign again?
 *  1. Nothing is signed but a draft that was agreed to and made from an open gate (`fits`, and the gate itself).
 *  2. While a payment is live, only a replacement with its own nonce: a cancellation always, a speed-up while what was
 *     agreed to holds and no cancellation exists (`mayReplace`).
 *     After the word that agrees to cancel, nothing but the cancellation leaves until a word sends the payment again
 *     (`maySendAgain`, `bytesToBroadcast`).
 *  3. A live payment ends by the chain alone (decide.ts), or it is set aside: its bytes never left this computer, or they
 *     are held back, or another signer was to make them (`mayReopen`, `mayAbandon`).
 *  4. After an end a new agreement: a top-up may follow a top-up, a first deposit follows only one that came to nothing.
 *     An end that is only remembered is none.
 *  5. What was set aside and may have left stays in `abandoned`; nothing is made while one of those was sent or may be on
 *     its way (abandoned.ts), and a new draft takes its nonce, or waits until that nonce is used (gate/nonce.ts).
 */
export function fits(state: PaymentState, event: PaymentEvent): boolean {
  const rule = (RULES as Partial<Record<string, Rule<PaymentEvent>>>)[event.type]
  return rule === undefined || rule(state, event)
}

type Rule<E> = (state: PaymentState, event: E) => boolean

/** When each event that the journal holds may happen. */
const RULES: { readonly [T in DurableBody['type']]: Rule<DurablePaymentEvent & { type: T }> } = {
  agreed: ({ payment }) => payment.phase === 'open',
  prepared: ({ payment }) => payment.phase === 'agreed',
  signed: (state) =>
    state.payment.phase === 'prepared' || (isUnsignedExport(state) && draftOf(state)?.signer === 'external'),
  abandoned: mayAbandon,
  reopened: (state, { step }) => mayReopen(state, step),
  replacing: (state, { replacement }) => mayHaveLeft(state) && mayReplaceBy(state, replacement),
  replaced: (state) => liveOf(state)?.replacement !== undefined,
  'sending-again': maySendAgain,
  'handed-over': (state) => liveOf(state) !== undefined && bytesToBroadcast(state) !== undefined,
  found: (state, event) => isOwn(state, event) || abandonedAs(state, event) !== undefined,
  included: (state, { hash }) => hashesOf(state).includes(hash),
  orphaned: (state) => liveOf(state)?.included !== undefined,
  ended: (state, { outcome: { is } }) => {
    const live = liveOf(state)
    return live !== undefined && (live.included !== undefined || (is !== 'paid' && is !== 'cancelled'))
  },
  'held-back': (state) => unincludedOf(state) !== undefined,
  contradicted: (state) => endedOf(state)?.remembered === true,
}

/** The types of what is in the journal before it is applied: decisions and money events. */
export const PAYMENT_DURABLE: readonly string[] = Object.keys(RULES)

/** The live payment while no block holds it. */
function unincludedOf(state: PaymentState): LivePayment | undefined {
  const live = liveOf(state)
  return live?.included === undefined ? live : undefined
}

/** Whether a payment was agreed to. */
export const isBegun = ({ payment }: PaymentState): boolean => payment.phase !== 'open'

/** Until something is signed, a new agreement replaces an older one: nothing of that can ever be sent. */
export function isUnsigned({ payment }: PaymentState): boolean {
  return payment.phase === 'open' || payment.phase === 'agreed' || payment.phase === 'prepared'
}

/** Whether the chain is asked about the payment: it is live, or its end is only remembered. */
export const isAsked = (state: PaymentState): boolean =>
  liveOf(state) !== undefined || endedOf(state)?.remembered === true

/** Whether an external signer, or the owners of a contract account, may still make what was exported to them. */
export function isUnsignedExport(state: PaymentState): boolean {
  const live = unincludedOf(state)
  if (live === undefined || live.draft.signer === 'keystore') return false
  return paymentBytes(state) === undefined
}

/** Whether the payment may be on the chain already, or may come there without this program. */
export function possiblyBroadcast(state: PaymentState): boolean {
  const signer = draftOf(state)?.signer
  return candidatesOf(state).length > 0 || (signer !== undefined && signer !== 'keystore')
}

const foundOf = (state: PaymentState) => candidatesOf(state).filter(({ kind }) => kind === 'found')

/**
 * Whether signed bytes may be anywhere but on this computer: at an endpoint, or with the external signer. A line is in the
 * journal before any byte leaves, so that this is known after a restart as well.
 */
export function mayHaveLeft(state: PaymentState): boolean {
  const live = unincludedOf(state)
  if (live === undefined || state.memory.inMempool || live.cancelAgreed === true) return true
  return live.draft.signer !== 'keystore' || timesSent(state) > 0 || foundOf(state).length > 0
}

/**
 * Whether the payment may be replaced with its own nonce: it is signed, and in no block. Once a cancellation may exist,
 * or what was agreed to holds no more, it is not sped up.
 */
export function mayReplace(state: PaymentState, kind: Replacement['kind']): boolean {
  const live = unincludedOf(state)
  if (live === undefined || paymentBytes(state) === undefined) return false
  if (kind === 'cancellation') return true
  return live.heldBack === undefined && !replacementsOut(state).some((one) => one.kind === 'cancellation')
}

/** Whether a word agreed to cancel the payment, and no cancellation is signed: then a word may send it again. */
export function maySendAgain(state: PaymentState): boolean {
  return unincludedOf(state)?.cancelAgreed === true && bytesToBroadcast(state) === undefined
}

/**
 * Whether it may be replaced by this very transaction: exactly what its kind says, with the payment's own nonce and both fees
 * raised by an eighth over everything before.
 */
export function mayReplaceBy(state: PaymentState, { kind, transaction }: Replacement): boolean {
  const { maxFeePerGasWei, maxPriorityFeePerGasWei } = transaction
  const expected = replacementOf(state, kind, { maxFeePerGasWei, maxPriorityFeePerGasWei })
  if (expected === undefined || !mayReplace(state, kind)) return false
  const before = dearest(state)
  return (
    transaction.chainId === expected.chainId &&
    transaction.nonce === expected.nonce &&
    sameHex(transaction.to, expected.to) &&
    transaction.valueWei === expected.valueWei &&
    sameHex(transaction.data, expected.data) &&
    transaction.gasLimit === expected.gasLimit &&
    maxFeePerGasWei >= raised(before.maxFeePerGasWei) &&
    maxPriorityFeePerGasWei >= raised(before.maxPriorityFeePerGasWei) &&
    maxPriorityFeePerGasWei <= maxFeePerGasWei
  )
}

/** Whether the payment may be begun anew; for the bytes of an external signer there is `mayAbandon`. */
export function mayReopen(state: PaymentState, step: PayingStep): boolean {
  const { payment } = state
  if (payment.phase === 'ended')
    return !payment.remembered && (payment.outcome.is !== 'paid' || step === 'topup')
  return maySetAside(state) && draftOf(state)?.signer === 'keystore'
}

/**
 * Whether the user may say that nobody signed, or that the signed bytes stayed where they are. It cannot be proven here,
 * so the draft is looked at again before anything else is made.
 */
export function mayAbandon(state: PaymentState): boolean {
  return isUnsignedExport(state) || (maySetAside(state) && draftOf(state)?.signer !== 'keystore')
}

function maySetAside(state: PaymentState): boolean {
  const live = unincludedOf(state)
  if (live === undefined || paymentBytes(state) === undefined) return false
  if (live.heldBack !== undefined) return true
  return live.attempts === 0 && !state.memory.inMempool && foundOf(state).length === 0
}

type FoundBody = Extract<PaymentBody, { type: 'found' }>

/**
 * Whether a found deposit is of the account of the live payment, under a new hash, with its nonce or a later one: that one
 * takes its place once the nonce is known to be lost.
 */
export function isOwn(state: PaymentState, { from, nonce, hash }: FoundBody): boolean {
  const live = liveOf(state)
  if (live === undefined || hashesOf(state).includes(hash)) return false
  return sameHex(live.draft.from, from) && nonce >= live.draft.transaction.nonce
}

/** The transaction that is exported and may be shown: a replacement of the payment, else the payment itself. */
export function exportedOf(state: PaymentState): UnsignedTransaction | undefined {
  const { replacement, draft, heldBack } = liveOf(state) ?? {}
  if (draft === undefined || draft.signer === 'keystore' || state.memory.shown === undefined) return undefined
  if (heldBack !== undefined && replacement?.kind !== 'cancellation') return undefined
  return replacement?.transaction ?? (isUnsignedExport(state) ? draft.transaction : undefined)
}

/** Whether the payment waits for a signature from an external signer. */
export function awaitsWallet(state: PaymentState): boolean {
  const live = liveOf(state)
  if (live === undefined || live.draft.signer === 'keystore') return false
  const isUnsent = live.candidates.length === 0 || state.memory.shown !== undefined
  return (isUnsignedExport(state) && isUnsent) || live.replacement !== undefined
}

/** Returns what a payment waits for now; undefined where nothing is under way. */
export function waitOf(state: PaymentState): WaitFor | undefined {
  const { phase } = state.payment
  if (phase === 'agreed') return 'checks'
  if (phase === 'prepared') return 'signature'
  if (awaitsWallet(state)) return 'wallet'
  return isAsked(state) ? 'chain' : undefined
}
