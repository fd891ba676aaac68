import type { Wei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { HashedDeposit } from '../../chain/deposit/event.ts'
import { draftOf, endedOf, initialPayment, liveOf, paymentBytes } from './candidates.ts'
import type { Draft, PaymentBody, PaymentState } from './payment.ts'
import { depositsOf, isBy, isCallOf, nonceAt, type PaymentReply } from './round.ts'

/** What became of the drafts that were abandoned; the first that was sent, or may be, counts. */
export type AbandonedFate =
  | { is: 'unused' }
  /** Its nonce waits in a pool, or not every endpoint that answered has it. */
  | { is: 'may-be-sent' }
  /** An endpoint does not tell its deposits, or not whose transaction made one. */
  | { is: 'unknown' }
  | { is: 'sent'; draft: Draft; hash: Hex; valueWei: Wei }

type OneFate = 'unused' | 'may-be-sent' | 'unknown' | HashedDeposit

/**
 * What every endpoint that answered says of the abandoned drafts. Sent is what all of them have: one alone may have made
 * it up. A draft with the nonce of a payment whose bytes exist is no other payment: of the two only one can happen.
 */
export function fateOfAbandoned(state: PaymentState, replies: readonly PaymentReply[]): AbandonedFate {
  const current = paymentBytes(state) === undefined ? undefined : draftOf(state)
  for (const draft of state.abandoned) {
    if (liveOf(state) !== undefined && current !== undefined && sharesNonce(draft, current)) continue
    const fates = replies.map((reply) => fateAt(reply, draft, state))
    if (fates.every((fate) => fate === 'unused')) continue
    if (fates.includes('unknown')) return { is: 'unknown' }
    const [made] = fates
    if (typeof made !== 'object') return { is: 'may-be-sent' }
    if (fates.some((fate) => typeof fate !== 'object' || fate.hash !== made.hash))
      return { is: 'may-be-sent' }
    const alike = state.abandoned.filter((one) => sharesNonce(one, draft))
    const meant = alike.find((one) => isCallOf(made, one)) ?? draft
    return { is: 'sent', draft: meant, hash: made.hash, valueWei: made.valueWei }
  }
  return { is: 'unused' }
}

/** By the word of one endpoint. The calls of a contract account have no nonce that could be looked at. */
function fateAt(reply: PaymentReply, draft: Draft, state: PaymentState): OneFate {
  const isContract = draft.signer === 'contract'
  const { nonce } = draft.transaction
  const at = isContract ? undefined : nonceAt(reply, draft.from)
  if (at !== undefined && at.latest <= nonce) return at.pending > nonce ? 'may-be-sent' : 'unused'
  const [deposits] = depositsOf([reply], draft, state)
  if (deposits === undefined) return 'unknown'
  const made = deposits.find((one): one is HashedDeposit => one.hash !== undefined && isBy(one, draft))
  if (made !== undefined) return made
  if (at === undefined) return 'unused'
  if (deposits.some((one) => one.sender === undefined)) return 'unknown'
  // A block that is not final may be gone again, and with it what used the nonce.
  return (at.final ?? -1) <= nonce ? 'may-be-sent' : 'unused'
}

/** All calls of one contract account share one, which they never use. */
const sharesNonce = (one: Draft, other: Draft): boolean =>
  sameHex(one.from, other.from) && one.transaction.nonce === other.transaction.nonce

/**
 * The abandoned drafts after a new beginning: what was set aside by the user's word or held back may have left, a contract
 * account may carry the same call out once more, and that a payment came to nothing is only what endpoints said. Bytes
 * that never left the keystore's computer are forgotten.
 */
export function abandonedAfter(state: PaymentState): readonly Draft[] {
  const draft = draftOf(state)
  if (draft === undefined) return state.abandoned
  const live = liveOf(state)
  const outcome = endedOf(state)?.outcome
  const mayHappen =
    draft.signer === 'contract' ||
    (live !== undefined && (live.heldBack !== undefined || draft.signer === 'external')) ||
    (outcome !== undefined && outcome.is !== 'paid')
  return mayHappen ? [...state.abandoned, draft] : state.abandoned
}

/** Nothing of the old payment but whose wallet it is, and what may still come out of one. */
export function begunAnew(state: PaymentState, abandoned: PaymentState['abandoned']): PaymentState {
  const { ordinal, external, sender } = state
  const outcome = endedOf(state)?.outcome
  const settled = outcome?.is === 'paid' ? [...state.settled, outcome.included.hash] : state.settled
  return { ...initialPayment, ordinal: ordinal + 1, external, sender, abandoned, settled }
}

/**
 * The abandoned draft that a found deposit turns out to be. All calls of a contract account share one nonce, and one nonce
 * may have been exported twice: value and calldata tell them apart.
 */
export function abandonedAs(
  state: PaymentState,
  found: Extract<PaymentBody, { type: 'found' }>,
): Draft | undefined {
  const { from, nonce, valueWei, data } = found
  if (liveOf(state) !== undefined || endedOf(state) !== undefined) return undefined
  const alike = state.abandoned.filter(
    (draft) => sameHex(draft.from, from) && draft.transaction.nonce === nonce,
  )
  const exact = alike.find(
    ({ transaction }) =>
      transaction.valueWei === valueWei && (data === undefined || transaction.data === data),
  )
  return exact ?? alike[0]
}
