import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { badUsage, type OddField } from '../core/base/errors/base.ts'
import { depositError } from '../core/base/errors/deposit.ts'
import { invisibleFault } from '../core/base/format/drawable.ts'
import { readFields } from '../core/base/format/fields.ts'
import { readText } from '../core/base/format/file-text.ts'
import { type Hex, isHex } from '../core/base/format/hex.ts'
import { command, parts } from '../core/base/format/next.ts'
import { safeText, secretFault } from '../core/base/format/text.ts'
import { DEPOSIT_SELECTOR } from '../core/chain/deposit/abi.ts'
import { type AccountCall, SAFE_EXECUTION_SELECTOR } from '../core/chain/deposit/calldata.ts'
import { type DepositFile, inputOf, nameInput, parseDepositFile } from '../core/chain/deposit/deposit-file.ts'
import { readToolDeposit, type ToolDeposit } from '../core/chain/identity/run-tool.ts'
import type { TransactionTerms } from '../core/clients/execution/transactions.ts'
import { type Call, pathOf } from './command.ts'

/** A transaction as far as its own bytes tell. */
export type SignedTransaction = {
  hash: Hex
  chainId: number
  from: Hex
  to: Hex | undefined
  nonce: number
  valueWei: bigint
  input: Hex
  /** undefined where an endpoint does not tell. */
  terms: TransactionTerms | undefined
}

/** What was given to be judged, by its kind. */
export type Material =
  | { kind: 'deposit file'; file: DepositFile }
  | { kind: 'tool output'; deposit: ToolDeposit }
  /** In the form of Ethereum's tools. It names no chain of this kind. */
  | { kind: 'ethereum-deposit'; deposit: ToolDeposit }
  | { kind: 'safe-batch'; chainId: number; calls: readonly AccountCall[] }
  | { kind: 'hash'; hash: Hex }
  | { kind: 'signed transaction'; transaction: SignedTransaction }
  | { kind: 'calldata'; input: Hex }

const ACCEPTED =
  'a deposit file, what the node tool prints, a transaction hash, a signed transaction, a Safe batch, or calldata'

/** What most of the people who have 48 or 96 bytes in their hands have. */
const ALONE: Readonly<Record<number, string>> = {
  20: 'an address',
  48: 'a public key alone',
  96: 'a signature alone',
}

/** A text that names no file: bytes in hex, JSON, or a link. */
const IS_TEXT = /^\P{ASCII}*0x|^\s*(?:[[{]|https?:\/\/|[0-9a-f]{40,}\s*$)/iu

/** The text that is meant: the argument itself, what comes in through stdin, or the file that the argument names. */
export async function givenText(call: Call): Promise<string> {
  const [given = '-'] = call.positionals
  if (given === '-') {
    const text = await call.stdin?.()
    if (text !== undefined && text.trim() !== '') return text
    throw badUsage({
      sentence: 'Nothing was given to verify.',
      next: `Give ${ACCEPTED}, or a FILE with one.`,
    })
  }
  return IS_TEXT.test(given) ? given : readText(call.effects, pathOf(given, call.environment))
}

/** Tells what a text is, and reads it strictly as that. Throws `usage.option` for none of the kinds, or a `deposit.*` error or `tool.*` for a bad one. */
export async function recognise(text: string): Promise<Material> {
  const input = inputOf(text)
  switch (input.kind) {
    case 'deposit-file':
      return { kind: 'deposit file', file: parseDepositFile(text.trim()) }
    case 'tool-output':
      return { kind: 'tool output', deposit: readToolDeposit(text.trim()) }
    case 'ethereum-deposit':
      return { kind: 'ethereum-deposit', deposit: ethereumDeposit(input.value) }
    case 'safe-batch':
      return { kind: 'safe-batch', ...safeBatchOf(input.value) }
    case 'hash':
      return input
    case 'hex':
      return bytesOf(input.hex, text)
    default:
      throw noneOfThem(text.trim(), nameInput(input))
  }
}

async function bytesOf(hex: Hex, text: string): Promise<Material> {
  if (hex.startsWith(DEPOSIT_SELECTOR) || hex.startsWith(SAFE_EXECUTION_SELECTOR))
    return { kind: 'calldata', input: hex }
  const alone = ALONE[hex.length / 2 - 1]
  if (alone !== undefined) throw notAlone(alone)
  const transaction = await signedTransaction(hex)
  if (transaction === undefined) throw noneOfThem(text.trim(), undefined)
  return { kind: 'signed transaction', transaction }
}

/** What such a file holds of a private key is never repeated, and neither is what may be a secret. */
function noneOfThem(text: string, name: string | undefined): Error {
  const next = `Give ${ACCEPTED}.`
  if (name !== undefined) return badUsage({ sentence: `This is ${name}: there is no deposit in it.`, next })
  const secret = secretFault(text)
  if (secret !== undefined) return badUsage({ sentence: secret, next })
  const unseen = invisibleFault(text)
  if (unseen !== undefined) return badUsage({ sentence: unseen, next })
  const found = text.startsWith('0x')
    ? `${text.length} characters that begin with ${safeText(text, 12)}`
    : `"${safeText(text, 40)}"`
  return badUsage({ sentence: 'This input has no form that is known here.', found, next })
}

function notAlone(found: string): Error {
  const sentence = `By itself ${found} cannot be verified.`
  const next = parts`Give --pubkey, --credentials, --amount and --signature; or ${command('keys', '--validator')} for a key.`
  return badUsage({ sentence, found, next })
}

/** Reads the one deposit of a file in the form of Ethereum's deposit tools: hex without 0x, the amount in gwei as a number. */
function ethereumDeposit(value: unknown): ToolDeposit {
  const [deposit, ...more] = value as readonly unknown[]
  if (more.length > 0)
    throw badUsage({
      sentence: `This file of an Ethereum tool holds ${more.length + 1} deposits.`,
      next: 'Give one at a time. This chain burns a deposit that such a tool signed for Ethereum.',
    })
  const fail = (problem: OddField) => depositError('deposit.bad-file', problem)
  const fields = readFields(deposit, { path: '[0]', fail })
  const hex = (key: string, bytes: number): Hex => {
    const text = fields.text(key).toLowerCase()
    const found = text.startsWith('0x') ? text : `0x${text}`
    return isHex(found, bytes) ? found : fields.fail(key, `${bytes} bytes in hex`)
  }
  return {
    pubkey: hex('pubkey', 48),
    withdrawalCredentials: hex('withdrawal_credentials', 32),
    amountGwei: BigInt(fields.index('amount')),
    signature: hex('signature', 96),
  }
}

/** Reads the calls of a file for the Transaction Builder of a Safe. */
function safeBatchOf(value: unknown): { chainId: number; calls: readonly AccountCall[] } {
  const fail = ({ field, found, expected }: OddField) =>
    badUsage({
      sentence: `The ${field} of this Safe batch can’t be used.`,
      found,
      next: `Expected: ${expected}.`,
    })
  const batch = readFields(value, { path: '', fail })
  const calls = batch.list('transactions').map((each, at) => {
    const call = readFields(each, { path: `transactions[${at}]`, fail })
    const [to, data] = [call.text('to').toLowerCase(), call.text('data').toLowerCase()]
    if (!isHex(to, 20)) return call.fail('to', 'an address')
    if (!isHex(data)) return call.fail('data', 'calldata in hex')
    return { to, data, valueWei: weiOf(call.text('value')) ?? call.fail('value', 'a decimal number of wei') }
  })
  return { chainId: Number(batch.text('chainId')), calls }
}

const weiOf = (text: string): bigint | undefined => (/^\d{1,30}$/.test(text) ? BigInt(text) : undefined)

async function signedTransaction(raw: Hex): Promise<SignedTransaction | undefined> {
  try {
    const serializedTransaction = raw as `0x02${string}`
    const parsed = parseTransaction(serializedTransaction)
    const { chainId, to, nonce = 0, value = 0n, data = '0x' } = parsed
    const from = await recoverTransactionAddress({ serializedTransaction })
    const fields = { nonce, valueWei: value, input: data.toLowerCase() as Hex }
    const receiver = to === undefined || to === null ? undefined : (to.toLowerCase() as Hex)
    return {
      ...fields,
      hash: keccak256(raw),
      chainId: chainId ?? 0,
      from: from.toLowerCase() as Hex,
      to: receiver,
      terms: termsOf(parsed),
    }
  } catch {
    return undefined
  }
}

const TYPES = { legacy: 0, eip2930: 1, eip1559: 2, eip4844: 3, eip7702: 4 } as const

function termsOf(parsed: ReturnType<typeof parseTransaction>): TransactionTerms {
  const { type, gas = 0n, gasPrice, maxFeePerGas, accessList = [], ...rest } = parsed
  const delegates = 'authorizationList' in rest ? (rest.authorizationList ?? []) : []
  return {
    type: TYPES[type ?? 'legacy'],
    gasLimit: gas,
    mostFeeWei: maxFeePerGas ?? gasPrice ?? 0n,
    listed: accessList.length,
    blobs: 'blobVersionedHashes' in rest ? (rest.blobVersionedHashes?.length ?? 0) : 0,
    delegates: delegates.map(({ address }) => address.toLowerCase() as Hex),
  }
}
