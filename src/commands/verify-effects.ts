import { formatCount, formatWei, weiToGwei } from '../core/base/format/amount.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../core/base/format/hex.ts'
import { DEPOSIT_SELECTOR } from '../core/chain/deposit/abi.ts'
import {
  type AccountCall,
  decodeSentDeposit,
  readSafeExecution,
  type SafeExecution,
} from '../core/chain/deposit/calldata.ts'
import { BERACHAIN_NAMES } from '../core/chain/network/presets.ts'
import { unlessSilent } from '../core/clients/ask-as-service.ts'
import { estimateGas } from '../core/clients/execution/call.ts'
import type { ExecutionClient } from '../core/clients/execution/client.ts'
import type { TransactionTerms } from '../core/clients/execution/transactions.ts'
import { readNonces } from '../core/clients/read-uncounted.ts'
import { LEAST_GAS, MOST_FEE_WEI } from '../core/pay/wallet/fees.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'
import type { DepositQuestion } from './verify-input.ts'
import type { SignedTransaction } from './verify-material.ts'
import { addressWords, signRow } from './verify-subject.ts'

/** Rows in which a transaction does more than the deposit, wherever it is. */
const MORE = ['authorizations', 'blobs', 'sent', 'refund', 'call'] as const

/** Returns whether a row says that a transaction does more than the deposit. */
export const saysMore = ({ id, mark }: ReportRow): boolean =>
  mark === 'refused' && MORE.some((more) => id === more || id.startsWith(`${more}-`))

/**
 * Everything that a transaction does besides the deposit, and what it offers for it: its kind, authorizations, blobs, access
 * list, gas, fee; of a contract account, its other calls and what it pays back. What does more than the deposit is refused;
 * what isn't understood is unknown.
 */
export function effectRows(question: DepositQuestion): ReportRow[] {
  const { transaction, execution, carriedOut } = question
  const token = question.network?.names.token ?? BERACHAIN_NAMES.token
  const rows: (ReportRow | undefined)[] = [
    ...(transaction === undefined ? [] : termRows(transaction, token)),
    ...(execution === undefined ? [] : executionRows(execution, { deposit: carriedOut, token })),
    execution !== undefined && transaction !== undefined && transaction.valueWei > 0n
      ? refused('sent', `${formatWei(transaction.valueWei)} ${token} to the account itself`)
      : undefined,
  ]
  return rows.filter((row) => row !== undefined)
}

/** What a row of this room is drawn with. */
type RowId = keyof typeof ROWS_TEXT
const row = (id: RowId, mark: ReportRow['mark'], value: string, by = 'the transaction'): ReportRow =>
  signRow(id, ROWS_TEXT[id], { mark, value, source: by })
const refused = (id: RowId, value: string): ReportRow => row(id, 'refused', value)
const unclear = (id: RowId, value: string): ReportRow => row(id, 'unknown', value)

const KINDS = ['legacy', 'EIP-2930', 'EIP-1559', 'EIP-4844', 'EIP-7702'] as const

function termRows({ terms, input }: SignedTransaction, token: string): (ReportRow | undefined)[] {
  if (terms === undefined) return [unclear('kind', 'the endpoint doesn’t say what it offers and carries')]
  const { type, gasLimit, listed, blobs, delegates } = terms
  const kind: string | undefined = KINDS[type]
  const names = delegates.map(addressWords).join(', ')
  return [
    kind === undefined ? unclear('kind', `type ${type}, not known here`) : row('kind', 'given', kind),
    delegates.length === 0
      ? undefined
      : refused('authorizations', `sets an account’s code to ${names} (EIP-7702)`),
    blobs === 0 ? undefined : refused('blobs', `${blobs}: a deposit needs none`),
    listed === 0 ? undefined : unclear('accessList', `${listed} addresses: a deposit needs none`),
    gasRow(gasLimit, input),
    feeRow(terms, token),
  ]
}

/** Gas that any transaction with this calldata uses (yellow paper, EIP-2028). */
function leastGasOf(input: Hex): bigint {
  const bytes = input.slice(2).match(/../g) ?? []
  const zeros = bytes.filter((byte) => byte === '00').length
  return 21_000n + 4n * BigInt(zeros) + 16n * BigInt(bytes.length - zeros)
}

function gasRow(gasLimit: bigint, input: Hex): ReportRow {
  const gas = formatCount(gasLimit)
  const least = leastGasOf(input)
  if (gasLimit < least)
    return refused('gas', `${gas} is too little: it needs more than ${formatCount(least)}, and fails`)
  if (gasLimit < LEAST_GAS)
    return unclear('gas', `${gas} may be too little: ${formatCount(LEAST_GAS)} are enough`)
  return row('gas', 'given', `${gas} at most`)
}

function feeRow({ gasLimit, mostFeeWei }: TransactionTerms, token: string): ReportRow {
  const most = `${formatCount(weiToGwei(mostFeeWei))} gwei per gas`
  const total = `${formatWei(gasLimit * mostFeeWei)} ${token} in all`
  return mostFeeWei > MOST_FEE_WEI
    ? refused('fee', `up to ${most}, ${total}: too high`)
    : row('fee', 'given', `at most ${total}`)
}

type Carried = { deposit: AccountCall | undefined; token: string }

function executionRows(
  { calls, refund, isCanonical }: SafeExecution,
  { deposit, token }: Carried,
): (ReportRow | undefined)[] {
  const { gasPrice, gasToken, receiver } = refund
  const to = sameHex(receiver, ZERO_ADDRESS) ? 'its sender' : addressWords(receiver)
  const paid = sameHex(gasToken, ZERO_ADDRESS) ? token : `the token ${addressWords(gasToken)}`
  const others = calls.filter((call) => call !== deposit)
  return [
    isCanonical ? undefined : unclear('encoding', 'unusual: it may hold more than is shown here'),
    gasPrice === 0n ? undefined : refused('refund', `${to} gets paid for the gas by the account, in ${paid}`),
    ...others.map((call, at) => {
      const id = `call-${at + 1}`
      const isNothing = call.valueWei === 0n && call.data === '0x'
      const mark = isNothing ? 'given' : 'refused'
      return signRow(id, ROWS_TEXT.call, { mark, value: callWords(call, token), source: 'the transaction' })
    }),
  ]
}

/** Says what a call does, and what is carried out by it. */
function callWords({ to, valueWei, data }: AccountCall, token: string): string {
  const amount = valueWei === 0n ? '' : `${formatWei(valueWei)} ${token}`
  if (data === '0x') return `sends ${amount === '' ? 'nothing' : amount} to ${addressWords(to)}`
  const nested = callsIn(data)
  if (nested !== undefined) {
    const words = nested.map((call) => callWords(call, token)).join('; ')
    return `has ${addressWords(to)} call: ${words === '' ? 'none' : words}`
  }
  const isDeposit = data.startsWith(DEPOSIT_SELECTOR)
  const what = isDeposit ? depositWords(data) : `${(data.length - 2) / 2} bytes, ${data.slice(0, 74)}`
  return `calls ${addressWords(to)}${amount === '' ? '' : ` with ${amount}`}: ${what}`
}

function depositWords(data: Hex): string {
  try {
    return `deposit for ${decodeSentDeposit(data).pubkey}`
  } catch {
    return 'a deposit that can’t be read'
  }
}

/** Calls within a call; undefined where there are none, or none that can be read. */
function callsIn(data: Hex): readonly AccountCall[] | undefined {
  try {
    return readSafeExecution(data)?.calls
  } catch {
    return undefined
  }
}

/**
 * What an endpoint says of a transaction that is in no block: whether its nonce is the next one of its account, and whether
 * its gas is enough. Throws a `ClientError`.
 */
export async function askSender(
  client: ExecutionClient,
  { transaction }: DepositQuestion,
  isSeen: boolean,
): Promise<ReportRow[]> {
  if (transaction === undefined) return []
  const { from, to, nonce, valueWei, input: data, terms } = transaction
  const [{ latest, pending }, need] = await Promise.all([
    readNonces(client, { address: from }),
    to === undefined ? undefined : unlessSilent(estimateGas(client, { from, to, valueWei, data })),
  ])
  const said = (id: RowId, mark: ReportRow['mark'], value: string) => row(id, mark, value, client.label)
  return [
    said('nonce', ...nonceVerdict(nonce, { latest, pending, isSeen })),
    ...(need === undefined || terms === undefined ? [] : [said('gas', ...gasVerdict(terms, need))]),
  ]
}

type Verdict = [mark: ReportRow['mark'], value: string]

function nonceVerdict(nonce: number, now: { latest: number; pending: number; isSeen: boolean }): Verdict {
  if (nonce < now.latest) return ['refused', `${nonce}, which is used already: it can never be in a block`]
  if (nonce === now.latest) return ['proven', `${nonce}, the next one`]
  const waits = now.isSeen || nonce <= now.pending
  return [
    waits ? 'unknown' : 'refused',
    `${nonce}, and ${now.latest} is next: it must wait for those before it`,
  ]
}

function gasVerdict({ gasLimit }: TransactionTerms, need: bigint): Verdict {
  const [gas, least] = [formatCount(gasLimit), formatCount(need)]
  if (gasLimit < need) return ['refused', `${gas}, and it needs ${least}: it fails`]
  return ['proven', `${gas} at most; it needs ${least}`]
}
