import { formatCount } from '../../base/format/amount.ts'
import type { Explain, Mark } from '../../view/view.ts'
import type { BroadcastRecord, PaymentStatus, Replacement } from '../payment/payment.ts'

const SIGNED = 'Not any more: the transaction is signed.'

const EXPORTED = 'Not any more: the transaction is exported.'

const ENDPOINT = 'The execution endpoint.'

const SAME_NONCE =
  'Another transaction with the same nonce. One nonce is used once: only one of them can happen.'

/** What this computer says by itself. */
const here = (what: string, later = 'No.'): Explain => ({ what, who: 'This computer.', later })

/** A value that a person compares with the wallet's own screen. */
const compared = (label: string, value: string, what: string) => ({
  label,
  value,
  source: 'the transaction',
  explain: here(what, EXPORTED),
})

const ENDS = {
  paid: 'in a block',
  cancelled: 'in a block',
  reverted: 'refused by the contract',
  'nonce-taken': 'not found, and its nonce is used',
}

const PLAIN = {
  orphaned: 'orphaned (its block was replaced): checking again',
  'in-mempool': 'in the mempool, no block yet',
  'handed-over': 'sent, not seen yet',
  'nonce-used': 'this nonce is used, but not by our transaction: checking again',
  disagree: 'the endpoints disagree, or one does not answer: waiting',
  'deposit-there': 'a deposit for this key is on chain: waiting',
  lags: 'an endpoint lags behind: waiting',
  'others-wait': 'other transactions of the account wait before it: waiting',
  'one-silent': 'one endpoint does not answer: it is waited for before anything leaves',
  'in-use': 'another window of this program pays from the account: finish there',
  'in-pool': 'a transaction with its nonce is in the mempool: checking again',
  'deposits-unknown': 'waiting for the list of deposits for this key',
  'other-deposit': 'stop: a deposit for this key is on chain, and not the exported one',
  unused: 'not found; its nonce is unused',
  'not-there': 'not found',
  looking: 'in a block: checking again',
  'remembered-disputed': 'remembered; the endpoints disagree: waiting',
  'remembered-contradicted': 'remembered, but the chain says otherwise: checking again',
}

const REPLACEMENTS: Readonly<Record<Replacement['kind'], string>> = {
  'speed-up': 'speed-up',
  cancellation: 'cancellation',
}

const STANDS = { remembered: 'remembered', final: 'final', open: 'not final yet' }

/** Where the search for a payment stands. */
function status(what: PaymentStatus): string {
  switch (what.is) {
    case 'in-block': {
      const place = `in block ${formatCount(what.block)}${what.reverted ? ', refused by the contract' : ''}`
      return what.alone ? `${place} at this endpoint; waiting for the others` : place
    }
    case 'behind':
      return `the account is at nonce ${what.next}, the payment has ${what.nonce}: waiting`
    case 'world-unknown':
      return `before it is sent: ${what.why}`
    case 'held-back':
      return `held back: ${what.why}`
    case 'upheld':
      return what.block === undefined ? ENDS[what.outcome] : `in block ${formatCount(what.block)}`
    case 'remembered-silent':
      return `remembered; no full answer from ${what.endpoints.join(' and ')}: waiting`
    default:
      return PLAIN[what.is]
  }
}

/** What became of the bytes at an endpoint. */
function handed(over: BroadcastRecord | undefined): { mark: Mark; value: string } {
  if (over?.said !== undefined)
    return { mark: over.result === 'waits' ? 'asking' : 'unknown', value: `refused it: "${over.said}"` }
  switch (over?.result) {
    case undefined:
      return { mark: 'unasked', value: 'not sent yet' }
    case 'waits':
      return { mark: 'asking', value: 'being sent' }
    case 'taken':
      return { mark: 'proven', value: 'accepted it' }
    case 'has-it':
      return { mark: 'proven', value: 'says that it has it already' }
    case 'refused':
      return { mark: 'unknown', value: 'gave an error, may have it' }
    case 'no-reply':
      return { mark: 'unknown', value: 'no reply, may have it' }
    case 'withheld':
      return { mark: 'unasked', value: over.times === 0 ? 'not sent' : 'not sent again' }
    case 'unreachable': {
      const value = over?.times === 0 ? 'unreachable, never got it' : 'unreachable now, may have it'
      return { mark: 'unknown', value }
    }
  }
}

/** Every sentence of the rows of a payment that was agreed to. Amounts come with their token. */
export const PAYMENT_ROWS_TEXT = {
  status,
  handed,
  here: 'this computer',
  value: (what: string, isExported: boolean) => ({
    label: 'value',
    explain: here(what, isExported ? EXPORTED : SIGNED),
  }),
  fee: (nonce: number, most: string, isExported: boolean) => ({
    value: `${nonce} · costs at most ${most}`,
    label: 'nonce, cost',
    source: 'the transaction',
    explain: here(
      'The nonce (the number of the transaction in its account), and the most that this transaction can cost besides the stake. The fee limit that was agreed to is higher: prices could rise until it was signed.',
      isExported ? EXPORTED : SIGNED,
    ),
  }),
  /** What the owners of a contract account compare, or who holds a wallet. */
  exported: {
    contract: {
      from: compared('account', 'a contract account', 'Its owners carry the call out.'),
      receiver: compared('to', 'compare in the app', 'The receiver of the call.'),
      calldata: compared('calldata', 'compare in the app', 'What is called, byte by byte.'),
    },
    wallet: {
      from: compared('account', 'must sign', 'The account whose key must sign.'),
      receiver: compared('to', 'compare on the device', 'The receiver, as a wallet shows it.'),
      digest: compared(
        'digest',
        'compare, where it is shown',
        'The hash that the wallet signs. It stands for every field: if it is equal, nothing was changed.',
      ),
    },
  },
  signed: (times: number) => {
    // The journal holds as many attempts as the next lower power of two: after a restart no fewer are told.
    const often = times <= 1 ? 'sent once' : `sent at least ${2 ** Math.floor(Math.log2(times))} times`
    return {
      label: 'transaction',
      value: `signed and saved, ${times === 0 ? 'not sent yet' : often}`,
      explain: here(
        'The hash (fingerprint) of the signed bytes, which are saved in the journal. They count once, however often they are sent.',
      ),
    }
  },
  endpoint: {
    labels: { only: 'endpoint', first: 'first endpoint', second: 'second endpoint' },
    explain: {
      what: 'Whether this endpoint was given the signed bytes, and what it answered. Each endpoint that lacks them is given them again every few slots.',
      who: 'The connection to the endpoint, and its own answer.',
      later: 'Yes, with each attempt. The same bytes count once.',
    },
  },
  replacement: (kind: Replacement['kind'], most: string, isSigned: boolean) => ({
    label: REPLACEMENTS[kind],
    value: `${isSigned ? 'signed' : 'waits for its signature'}, at most ${most}`,
    explain: here(SAME_NONCE),
  }),
  /** A deposit under another hash: `nonce` and `amount` where they are not the ones that were prepared. */
  found: (
    { nonce, amount }: { nonce: number | undefined; amount: string | undefined },
    isContract: boolean,
  ) => {
    const by = nonce === undefined ? 'your account, the same nonce' : `your account, nonce ${nonce}`
    const own = amount === undefined ? by : `${by}, ${amount}`
    const other =
      nonce === undefined
        ? SAME_NONCE
        : 'Another deposit of this account for the key. Another transaction uses the nonce that was prepared.'
    const carriedOut =
      'The call, carried out by the owners of the contract account. Every field is as it was exported.'
    return {
      label: 'found on chain',
      value: isContract ? 'carried out by the owners' : own,
      source: 'the chain',
      explain: {
        what: isContract ? carriedOut : other,
        who: 'The execution endpoint, by the deposits for the key.',
        later: 'No.',
      },
    }
  },
  price: {
    labels: REPLACEMENTS,
    say: (most: string, limit: string) => `at most ${most}, never above ${limit}`,
    explain: {
      what: 'Both fees are one eighth higher than before, or as high as the chain asks for now if that is more. This program sets the limit.',
      who: 'This computer, from the endpoints’ fees.',
      later: 'Yes, by speeding it up once more.',
    },
  },
  tracking: {
    label: 'on the chain',
    explain: {
      what: 'Where the transaction was found, by its hash.',
      who: ENDPOINT,
      later: 'Yes, until it is final.',
    },
  },
  block: (block: bigint, stands: keyof typeof STANDS) => ({
    label: 'block',
    value: `${formatCount(block)}, ${STANDS[stands]}`,
    source: 'the chain',
    explain: { what: 'The block that holds the transaction.', who: ENDPOINT, later: 'No.' },
  }),
}
