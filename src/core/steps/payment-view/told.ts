import type { Setup } from '../../facts.ts'
import { formatWei } from '../../format/amount.ts'
import { draftOf, endedOf } from '../payment/candidates.ts'
import type { HandOver, PaymentState, Replacement, WaitFor } from '../payment/payment.ts'
import { waitOf } from '../payment/sign-again.ts'
import type { Told } from '../payment/watch.ts'
import type { Mark, Waiting } from '../view.ts'

const ENDS = {
  paid: 'in a block',
  cancelled: 'in a block',
  reverted: 'refused by the contract',
  'nonce-taken': 'not found, and its nonce is used',
} as const

const PLAIN = {
  orphaned: 'orphaned (its block was replaced): checking again',
  'in-mempool': 'in the mempool, no block yet',
  'handed-over': 'handed over, not seen yet',
  'nonce-used': 'this nonce is used, but not by our transaction: checking again',
  disagree: 'the endpoints disagree, or one does not answer: waiting',
  'deposit-there': 'a deposit for this key is on chain: waiting',
  lags: 'an endpoint lags behind: waiting',
  'others-wait': 'other transactions of the account wait before it: waiting',
  'one-silent': 'one endpoint does not answer: nothing is shown before it does',
  'in-use': 'another window of this program pays from the account: finish there',
  'in-pool': 'a transaction with its nonce is in the mempool: checking again',
  'deposits-unknown': 'waiting for the list of deposits for this key',
  'other-deposit': 'stop: a deposit for this key is on chain, and not the exported one',
  unused: 'not found; its nonce is unused',
  'not-there': 'not found',
  looking: 'in a block: checking again',
  'remembered-disputed': 'remembered; the endpoints disagree: waiting',
  'remembered-contradicted': 'remembered, but the chain says otherwise: checking again',
} as const

/** Where the search for a payment stands, in words. */
export function toldText(told: Told): string {
  switch (told.is) {
    case 'in-block': {
      const place = `in block ${told.block}${told.reverted ? ', refused by the contract' : ''}`
      return told.alone ? `${place} at this endpoint; waiting for the others` : place
    }
    case 'behind':
      return `the account is at nonce ${told.next}, the payment has ${told.nonce}: waiting`
    case 'world-unknown':
      return `before it is sent: ${told.why}`
    case 'held-back':
      return `held back: ${told.why}`
    case 'upheld':
      return told.block === undefined ? ENDS[told.outcome] : `in block ${told.block}`
    case 'remembered-silent':
      return `remembered; no full answer from ${told.endpoints.join(' and ')}: waiting`
    default:
      return PLAIN[told.is]
  }
}

/** What became of the bytes at an endpoint. */
export function handedText(handed: HandOver | undefined): { mark: Mark; value: string } {
  switch (handed?.result) {
    case undefined:
      return { mark: 'unasked', value: 'not sent yet' }
    case 'waits':
      return { mark: 'asking', value: 'being sent' }
    case 'taken':
      return { mark: 'proven', value: 'accepted it' }
    case 'refused':
      return { mark: 'unknown', value: 'gave an error, may have it' }
    case 'no-reply':
      return { mark: 'unknown', value: 'no reply, may have it' }
    case 'unreachable': {
      const value = handed?.times === 0 ? 'unreachable, never got it' : 'unreachable now, may have it'
      return { mark: 'unknown', value }
    }
  }
}

/** What a payment waits for, in words, and since when: one wait goes on however often it is looked at. */
export function paymentWaiting(state: PaymentState, setup: Setup): Waiting | undefined {
  const what = waitOf(state)
  if (what === undefined) return undefined
  // The command that notes the time begins right after the event that the wait began with.
  const sinceMs = state.wait?.what === what ? state.wait.sinceMs : undefined
  return { label: waitText(what, state, setup), sinceMs }
}

function waitText(what: WaitFor, state: PaymentState, setup: Setup): string {
  const isContract = draftOf(state)?.signer === 'contract'
  switch (what) {
    case 'checks':
      return 'for the checks; then the transaction is made'
    case 'signature':
      return setup.passwordDescriptor === undefined ? 'for the password of the keystore' : 'for the signature'
    case 'wallet':
      return isContract ? 'for the owners of the account' : 'for the signature of your wallet'
    case 'chain':
      return endedOf(state) === undefined ? 'for the chain' : 'for the chain to confirm the journal'
  }
}

/** The most that a transaction may cost besides its value, in tokens. */
export function mostFee(
  { gasLimit, maxFeePerGasWei }: Replacement['transaction'],
  { network }: Setup,
): string {
  return `${formatWei(gasLimit * maxFeePerGasWei)} ${network.names.token}`
}
