import type { Told } from '../payment/round.ts'

const ENDS = {
  paid: 'in a block',
  cancelled: 'in a block',
  reverted: 'refused by the contract',
  'nonce-taken': 'not there, and its nonce is used',
} as const

const PLAIN = {
  orphaned: 'its block is gone: looking again',
  'in-mempool': 'seen, waits for a block',
  'handed-over': 'handed over, waits to be seen',
  'nonce-used': 'this nonce is used, but not by our transaction: checking again',
  disagree: 'the endpoints disagree, or one does not answer: waiting',
  'deposit-there': 'a deposit for this key is there: waiting',
  lags: 'an endpoint lags behind: waiting',
  'others-wait': 'other transactions of the account wait before it: waiting',
  'one-silent': 'one endpoint is silent: waiting before anything is shown',
  'in-use': 'another window of this program pays from the account: finish there',
  'in-pool': 'something with its nonce waits for a block: looking again',
  'deposits-unknown': 'waits for a look at the deposits for this key',
  'other-deposit': 'a deposit for this key is on the chain, not as it was exported: stop',
  unused: 'not there; its nonce is unused',
  'not-there': 'not there',
  looking: 'in a block: looking again',
  'remembered-disputed': 'remembered; the endpoints disagree: waiting',
  'remembered-contradicted': 'remembered, and the chain says otherwise: looking again',
} as const

/** Where the search for a payment stands, in words. */
export function toldText(told: Told): string {
  switch (told.is) {
    case 'in-block': {
      const place = `in block ${told.block}${told.reverted ? ', refused by the contract' : ''}`
      return told.alone ? `${place}, says this one; waiting until every endpoint says so` : place
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
