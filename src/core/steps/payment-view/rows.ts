import type { Setup } from '../../facts.ts'
import { formatWei } from '../../format/amount.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import type { Hex } from '../../format/hex.ts'
import {
  draftOf,
  endedOf,
  handedTo,
  includedOf,
  liveOf,
  newestBytes,
  paymentBytes,
  signedOf,
  timesSent,
} from '../payment/candidates.ts'
import type { Found, PaymentState } from '../payment/payment.ts'
import { exportedOf, isAsked, isUnsignedExport } from '../payment/sign-again.ts'
import { factRow } from '../rows.ts'
import type { Explain, FactRow } from '../view.ts'
import { handedText, mostFee, toldText } from './told.ts'

function plainRow(
  row: Pick<FactRow, 'id' | 'label' | 'value'> & Partial<FactRow>,
  what: string,
  explain: Partial<Explain> = {},
): FactRow {
  const by = { who: 'This computer.', later: 'No.' }
  return { mark: 'proven', source: 'this computer', ...row, explain: { what, ...by, ...explain } }
}

/** The rows of a payment that was agreed to: the transaction, where it stands, where it was found. */
export function paymentRows(
  state: PaymentState,
  setup: Setup,
  words: { valueSource: string; valueExplain: string },
): FactRow[] {
  return [
    ...draftRows(state, setup, words),
    ...exportRows(state),
    ...handOverRows(state, setup),
    ...replaceRows(state, setup),
    ...chainRows(state),
  ]
}

function draftRows(
  state: PaymentState,
  { network }: Setup,
  words: { valueSource: string; valueExplain: string },
): FactRow[] {
  const draft = draftOf(state)
  if (draft === undefined) return []
  const { transaction, signer } = draft
  const { token } = network.names
  const later = isUnsignedExport(state) ? EXPORTED : 'Not any more: the transaction is signed.'
  const value = `${formatWei(transaction.valueWei)} ${token}`
  const feeWei = transaction.gasLimit * transaction.maxFeePerGasWei
  const sum = { id: 'value', label: 'value', value, source: words.valueSource }
  const rows = [plainRow({ ...sum, mark: 'given' }, words.valueExplain, { later })]
  if (signer === 'contract') return rows
  const fee = {
    id: 'fee',
    label: 'nonce, max fee',
    value: `${transaction.nonce} · ${formatWei(feeWei)} ${token}`,
    source: 'the transaction',
  }
  return [...rows, plainRow(fee, NONCE_AND_FEE, { later })]
}

const NONCE_AND_FEE =
  'The nonce (the number of the transaction in its account), and the most that it can cost besides the stake.'
const EXPORTED = 'Not any more: the transaction is exported.'

/** The rows that a person compares with the wallet's own screen. */
function exportRows(state: PaymentState): FactRow[] {
  const transaction = exportedOf(state)
  const draft = draftOf(state)
  const { shown } = state.watch
  if (transaction === undefined || draft === undefined || shown === undefined) return []
  const row = (id: string, label: string, value: string, long: Hex, what: string): FactRow =>
    plainRow({ id, mark: 'given', label, value, long, source: 'the transaction' }, what, { later: EXPORTED })
  const { from, signer } = draft
  if (signer === 'contract') {
    return [
      row('from', 'account', 'a contract account', from, 'Its owners carry the call out.'),
      row('receiver', 'to', 'compare in the app', transaction.to, 'The receiver of the call.'),
      row('calldata', 'calldata', 'compare in the app', transaction.data, 'What is called, byte by byte.'),
    ]
  }
  const what =
    'The hash that the wallet signs. It stands for every field: if it is equal, nothing was changed.'
  return [
    row('from', 'account', 'must sign', from, 'The account whose key must sign.'),
    row('receiver', 'to', 'compare on the device', transaction.to, 'The receiver, as a wallet shows it.'),
    row('digest', 'digest', 'compare, where it is shown', shown.digest, what),
  ]
}

/** The signed bytes: what they are, how often they were sent, and what each endpoint did with the newest ones. */
function handOverRows(state: PaymentState, setup: Setup): FactRow[] {
  const bytes = paymentBytes(state)
  if (bytes === undefined) return []
  const times = timesSent(state)
  const often = times === 1 ? 'sent once' : `sent ${times} times`
  const sent = times === 0 ? 'not sent yet' : often
  const signed = plainRow(
    { id: 'hash', label: 'transaction', value: `signed and saved, ${sent}`, long: bytes.hash },
    'The hash (fingerprint) of the signed bytes, which are saved in the journal. They count once, however often they are sent.',
  )
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
  const single = handedTo(state, endpointName(execution), bytes.hash)
  const isTold = single === undefined || single.result === 'taken' || state.watch.inMempool
  if (secondExecution === undefined && isTold) return []
  const places = [
    { label: secondExecution === undefined ? 'endpoint' : 'first endpoint', url: execution },
    ...(secondExecution === undefined ? [] : [{ label: 'second endpoint', url: secondExecution }]),
  ]
  return places.map(({ label, url }, at): FactRow => {
    const source = endpointName(url)
    const row = { id: `handed.${at}`, label, source, ...handedText(handedTo(state, source, bytes.hash)) }
    return plainRow(
      row,
      'Whether this endpoint was given the signed bytes, and what it answered. Each endpoint that lacks them is given them again every few slots.',
      {
        who: 'The connection to the endpoint, and its own answer.',
        later: 'Yes, with each attempt. The same bytes count once.',
      },
    )
  })
}

const NAMES = { 'speed-up': 'speed-up', cancellation: 'cancellation' } as const
const SAME_NONCE =
  'Another transaction with the same nonce. One nonce is used once: only one of them can happen.'

/** What may take the nonce of the payment: what was signed, what was found, what was agreed to, what is offered. */
function replaceRows(state: PaymentState, setup: Setup): FactRow[] {
  const { replacement } = liveOf(state) ?? {}
  const replacements = signedOf(state).flatMap((one) =>
    one.kind === 'payment' ? [] : [{ ...one, kind: one.kind }],
  )
  const signed = replacements.map(({ kind, transaction, hash }, at) =>
    plainRow(
      {
        id: `rival.${at}`,
        label: NAMES[kind],
        value: `signed, at most ${mostFee(transaction, setup)}`,
        long: hash,
      },
      SAME_NONCE,
    ),
  )
  const agreed =
    replacement === undefined
      ? []
      : [
          plainRow(
            {
              id: 'replacement',
              mark: 'asking',
              label: NAMES[replacement.kind],
              value: `waits for its signature, at most ${mostFee(replacement.transaction, setup)}`,
            },
            SAME_NONCE,
          ),
        ]
  return [...signed, ...foundRows(state), ...agreed, ...offerRows(state, setup)]
}

const CARRIED_OUT =
  'The call, carried out by the owners of the contract account. Every field is as it was exported.'

function foundRows(state: PaymentState): FactRow[] {
  const nonce = draftOf(state)?.transaction.nonce
  const { payment } = state
  const all = 'candidates' in payment ? payment.candidates : []
  return all
    .filter((one): one is Found => one.kind === 'found')
    .map((one, at) => {
      const isContract = draftOf(state)?.signer === 'contract'
      const isSame = one.nonce === nonce
      const own = isSame ? 'your account, the same nonce' : `your account, nonce ${one.nonce}`
      const value = isContract ? 'carried out by the owners' : own
      const instead =
        'Another deposit of this account for the key. Another transaction uses the nonce that was prepared.'
      const replaced = isSame ? SAME_NONCE : instead
      const explained = isContract ? CARRIED_OUT : replaced
      return plainRow(
        { id: `stray.${at}`, label: 'found on chain', value, long: one.hash, source: 'the chain' },
        explained,
        { who: 'The execution endpoint, by the deposits for the key.' },
      )
    })
}

function offerRows({ offer }: PaymentState, setup: Setup): FactRow[] {
  if (offer === undefined) return []
  const { token } = setup.network.names
  return [
    factRow({
      id: 'offer',
      label: NAMES[offer.kind],
      observation: offer.price,
      judge: () => true,
      say: ({ transaction, limitWei }) =>
        `at most ${mostFee(transaction, setup)}, never above ${formatWei(limitWei)} ${token}`,
      explain: {
        what: 'Both fees are one eighth higher than before, or as high as the chain asks for now if that is more. This program sets the limit.',
        who: 'This computer, from the endpoints’ fees.',
        later: 'Yes, by speeding it up once more.',
      },
    }),
  ]
}

function chainRows(state: PaymentState): FactRow[] {
  const ended = endedOf(state)
  const live = liveOf(state)
  const rows: FactRow[] = []
  if (paymentBytes(state) !== undefined || state.tracking.status !== 'unasked') {
    rows.push(
      factRow({
        id: 'tracking',
        label: 'on the chain',
        observation: state.tracking,
        judge: () => ended === undefined || ended.outcome.is === 'paid',
        say: toldText,
        long: () => state.watch.otherDeposit?.hash,
        explain: {
          what: 'Where the transaction was found, by its hash.',
          who: 'The execution endpoint.',
          later: 'Yes, until it is final.',
        },
      }),
    )
  }
  const included = includedOf(state)
  if (included === undefined) return rows
  const end = ended?.remembered === true ? 'remembered' : 'final'
  const stands = live === undefined ? end : 'not final yet'
  const mark = isAsked(state) ? 'asking' : 'proven'
  const value = `${included.blockNumber}, ${stands}`
  const what = 'The block that holds the transaction.'
  const row = { id: 'mined', mark, label: 'block', value, source: 'the chain' } as const
  return [...rows, plainRow(row, what, { who: 'The execution endpoint.' })]
}
