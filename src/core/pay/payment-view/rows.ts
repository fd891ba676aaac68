import { formatWei } from '../../base/format/amount.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import type { Setup } from '../../chain/facts.ts'
import { factRow } from '../../view/rows.ts'
import type { FactRow, Mark } from '../../view/view.ts'
import {
  broadcastTo,
  candidatesOf,
  draftOf,
  endedOf,
  includedOf,
  liveOf,
  newestBytes,
  paymentBytes,
  signedOf,
  standsAt,
  timesSent,
} from '../payment/candidates.ts'
import type { EndedPayment, PaymentState, PaymentStatus, Replacement } from '../payment/payment.ts'
import { exportedOf, isAsked, isUnsignedExport } from '../payment/sign-again.ts'
import { PAYMENT_ROWS_TEXT } from './rows-text.ts'

/** What a step says of the value of its payment. */
export type ValueText = { source: string; explain: string }

const plainRow = (row: Omit<FactRow, 'mark' | 'source'> & Partial<FactRow>): FactRow => ({
  mark: 'proven',
  source: PAYMENT_ROWS_TEXT.here,
  ...row,
})

/** Returns the rows of a payment that was agreed to: the transaction, where it stands, where it was found. */
export function paymentRows(state: PaymentState, setup: Setup, value: ValueText): FactRow[] {
  return [
    ...draftRows(state, setup, value),
    ...exportRows(state),
    ...broadcastRows(state, setup),
    ...replaceRows(state, setup),
    ...chainRows(state),
  ]
}

/** The most that a transaction may cost besides its value, in tokens. */
function mostFee({ gasLimit, maxFeePerGasWei }: Replacement['transaction'], { network }: Setup): string {
  return `${formatWei(gasLimit * maxFeePerGasWei)} ${network.names.token}`
}

function draftRows(state: PaymentState, setup: Setup, { source, explain }: ValueText): FactRow[] {
  const draft = draftOf(state)
  if (draft === undefined) return []
  const { transaction, signer } = draft
  const isExported = isUnsignedExport(state)
  const value = `${formatWei(transaction.valueWei)} ${setup.network.names.token}`
  const sum = plainRow({
    id: 'value',
    mark: 'given',
    value,
    source,
    consented: true,
    ...PAYMENT_ROWS_TEXT.value(explain, isExported),
  })
  if (signer === 'contract') return [sum]
  const most = mostFee(transaction, setup)
  return [sum, plainRow({ id: 'fee', ...PAYMENT_ROWS_TEXT.fee(transaction.nonce, most, isExported) })]
}

/** The rows that a person compares with the wallet's own screen. */
function exportRows(state: PaymentState): FactRow[] {
  const transaction = exportedOf(state)
  const draft = draftOf(state)
  const { shown } = state.memory
  if (transaction === undefined || draft === undefined || shown === undefined) return []
  const { to: receiver, data: calldata } = transaction
  const values = { from: draft.from, receiver, calldata, digest: shown.digest }
  const texts =
    draft.signer === 'contract' ? PAYMENT_ROWS_TEXT.exported.contract : PAYMENT_ROWS_TEXT.exported.wallet
  return Object.entries(texts).map(([id, text]) =>
    plainRow({ id, mark: 'given', ...text, long: values[id as keyof typeof values] }),
  )
}

/** The signed bytes: what they are, how often they were sent, and what each endpoint did with the newest ones. */
function broadcastRows(state: PaymentState, setup: Setup): FactRow[] {
  const bytes = paymentBytes(state)
  if (bytes === undefined) return []
  const signed = plainRow({ id: 'hash', ...PAYMENT_ROWS_TEXT.signed(timesSent(state)), long: bytes.hash })
  const live = liveOf(state)
  return live !== undefined && live.included === undefined
    ? [signed, ...endpointRows(state, setup)]
    : [signed]
}

/** One endpoint alone has a row only while it is not known to have taken the bytes: the row of the chain tells the rest. */
function endpointRows(state: PaymentState, { endpoints }: Setup): FactRow[] {
  const { execution, secondExecution } = endpoints
  const bytes = newestBytes(state)
  if (bytes === undefined) return []
  const single = broadcastTo(state, endpointName(execution), bytes.hash)
  const has = single === undefined || single.result === 'taken' || single.result === 'has-it'
  const isReported = has || state.memory.inMempool
  if (secondExecution === undefined && isReported) return []
  const { labels, explain } = PAYMENT_ROWS_TEXT.endpoint
  const places =
    secondExecution === undefined
      ? [{ label: labels.only, url: execution }]
      : [
          { label: labels.first, url: execution },
          { label: labels.second, url: secondExecution },
        ]
  return places.map(({ label, url }, at) => {
    const source = endpointName(url)
    const handed = PAYMENT_ROWS_TEXT.handed(standsAt(state, source, bytes.hash))
    return plainRow({ id: `handed.${at}`, label, source, explain, ...handed })
  })
}

/** What may take the nonce of the payment: what was signed, what was found, what was agreed to, what it would cost. */
function replaceRows(state: PaymentState, setup: Setup): FactRow[] {
  const { replacement } = liveOf(state) ?? {}
  const signed = signedOf(state).flatMap(({ kind, transaction, hash }) =>
    kind === 'payment' || kind === 'rung'
      ? []
      : [{ ...PAYMENT_ROWS_TEXT.replacement(kind, mostFee(transaction, setup), true), long: hash }],
  )
  const agreed =
    replacement &&
    PAYMENT_ROWS_TEXT.replacement(replacement.kind, mostFee(replacement.transaction, setup), false)
  return [
    ...signed.map((row, at) => plainRow({ id: `replaced.${at}`, ...row })),
    ...foundRows(state, setup),
    ...(agreed === undefined ? [] : [plainRow({ id: 'replacement', mark: 'asking', ...agreed })]),
    ...priceRows(state, setup),
  ]
}

function foundRows(state: PaymentState, { network }: Setup): FactRow[] {
  const { transaction, signer } = draftOf(state) ?? {}
  const found = candidatesOf(state).flatMap((one) => (one.kind === 'found' ? [one] : []))
  return found.map(({ nonce, hash, valueWei }, at) => {
    const other = {
      nonce: nonce === transaction?.nonce ? undefined : nonce,
      amount:
        valueWei === transaction?.valueWei ? undefined : `${formatWei(valueWei)} ${network.names.token}`,
    }
    const mark = other.amount === undefined ? 'proven' : 'refused'
    return plainRow({
      id: `found.${at}`,
      mark,
      ...PAYMENT_ROWS_TEXT.found(other, signer === 'contract'),
      long: hash,
    })
  })
}

function priceRows({ quote }: PaymentState, setup: Setup): FactRow[] {
  if (quote === undefined) return []
  const { token } = setup.network.names
  return [
    factRow({
      id: 'quote',
      label: PAYMENT_ROWS_TEXT.price.labels[quote.kind],
      observation: quote.price,
      judge: () => true,
      say: ({ transaction, limitWei }) =>
        PAYMENT_ROWS_TEXT.price.say(mostFee(transaction, setup), `${formatWei(limitWei)} ${token}`),
      explain: PAYMENT_ROWS_TEXT.price.explain,
    }),
  ]
}

/** What is told of a search that has not found the payment in a block: it waits, is in doubt, or refuses to go on. */
const STATUS_MARKS: Readonly<Record<Exclude<PaymentStatus['is'], 'in-block' | 'upheld'>, Mark>> = {
  'in-mempool': 'asking',
  'handed-over': 'asking',
  behind: 'asking',
  lags: 'asking',
  'others-wait': 'asking',
  'in-use': 'asking',
  looking: 'asking',
  unused: 'asking',
  'not-there': 'asking',
  orphaned: 'unknown',
  'nonce-used': 'unknown',
  'in-pool': 'unknown',
  disagree: 'unknown',
  'one-silent': 'unknown',
  'deposit-there': 'unknown',
  'deposits-unknown': 'unknown',
  'world-unknown': 'unknown',
  'remembered-silent': 'unknown',
  'remembered-disputed': 'unknown',
  'remembered-contradicted': 'unknown',
  'held-back': 'unknown',
  'other-deposit': 'refused',
}

/** The mark of where the search stands. An end counts before the way to it, unless it is only remembered. */
function statusMark(status: PaymentStatus, ended: EndedPayment | undefined): Mark {
  if (ended !== undefined && (status.is === 'upheld' || !ended.remembered))
    return ended.outcome.is === 'paid' ? 'proven' : 'refused'
  if (status.is === 'upheld') return status.outcome === 'paid' ? 'proven' : 'refused'
  if (status.is !== 'in-block') return STATUS_MARKS[status.is]
  if (status.reverted) return 'refused'
  return status.alone ? 'asking' : 'proven'
}

/** Where the payment was found. What waits for the chain comes with time, whoever is asked. */
function trackingRow(state: PaymentState, ended: EndedPayment | undefined): FactRow {
  const row = factRow({
    id: 'tracking',
    ...PAYMENT_ROWS_TEXT.tracking,
    observation: state.tracking,
    judge: () => true,
    say: PAYMENT_ROWS_TEXT.status,
    long: () => state.memory.otherDeposit?.hash,
  })
  if (state.tracking.status !== 'known') return row
  const mark = statusMark(state.tracking.value, ended)
  return { ...row, mark, ...(mark === 'asking' || mark === 'unknown' ? { waits: true } : {}) }
}

function chainRows(state: PaymentState): FactRow[] {
  const ended = endedOf(state)
  const included = includedOf(state)
  const isSought = paymentBytes(state) !== undefined || state.tracking.status !== 'unasked'
  const end = ended?.remembered === true ? 'remembered' : 'final'
  const stands = liveOf(state) === undefined ? end : 'open'
  const mark = isAsked(state) ? 'asking' : 'proven'
  return [
    ...(isSought ? [trackingRow(state, ended)] : []),
    ...(included === undefined
      ? []
      : [plainRow({ id: 'mined', mark, ...PAYMENT_ROWS_TEXT.block(included.blockNumber, stands) })]),
  ]
}
