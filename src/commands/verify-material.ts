import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { badUsage } from '../core/base/errors/base.ts'
import { invisibleFault } from '../core/base/format/drawable.ts'
import { readText } from '../core/base/format/file-text.ts'
import { type Hex, isHex } from '../core/base/format/hex.ts'
import { command, parts } from '../core/base/format/next.ts'
import { safeText } from '../core/base/format/text.ts'
import { DEPOSIT_SELECTOR } from '../core/chain/deposit/abi.ts'
import { SAFE_EXECUTION_SELECTOR } from '../core/chain/deposit/calldata.ts'
import { type DepositFile, parseDepositFile } from '../core/chain/deposit/deposit-file.ts'
import { readToolDeposit, type ToolDeposit } from '../core/chain/identity/tool-output.ts'
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
  | { kind: 'hash'; hash: Hex }
  | { kind: 'signed transaction'; transaction: SignedTransaction }
  | { kind: 'calldata'; input: Hex }

const ACCEPTED =
  'a deposit file, what the node tool prints, a transaction hash, a signed transaction, or calldata'

/** What most of the people who have 48 or 96 bytes in their hands have. */
const ALONE: Readonly<Record<number, string>> = {
  20: 'an address',
  48: 'a public key alone',
  96: 'a signature alone',
}

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
  if (/^\P{ASCII}*0x/iu.test(given) || given.trimStart().startsWith('{')) return given
  return readText(call.effects, pathOf(given, call.environment))
}

/** Tells what a text is, and reads it strictly as that. Throws `usage.option` for none of the kinds, or a `deposit.*` error or `tool.*` for a bad one. */
export async function recognise(text: string): Promise<Material> {
  const bare = text.trim()
  if (/"format"\s*:/.test(bare)) return { kind: 'deposit file', file: parseDepositFile(bare) }
  if (/signature"?\s*:/.test(bare) && /pubkey"?\s*:/.test(bare))
    return { kind: 'tool output', deposit: readToolDeposit(bare) }
  const hex = bare.replace(/\s+/g, '').toLowerCase()
  if (!isHex(hex)) throw noneOfThem(bare)
  if (hex.startsWith(DEPOSIT_SELECTOR) || hex.startsWith(SAFE_EXECUTION_SELECTOR))
    return { kind: 'calldata', input: hex }
  const bytes = hex.length / 2 - 1
  if (bytes === 32) return { kind: 'hash', hash: hex }
  const alone = ALONE[bytes]
  if (alone !== undefined) throw notAlone(alone)
  const transaction = await signedTransaction(hex)
  if (transaction === undefined) throw noneOfThem(bare)
  return { kind: 'signed transaction', transaction }
}

function noneOfThem(text: string): Error {
  const found = text.startsWith('0x')
    ? `${text.length} characters that begin with ${safeText(text, 12)}`
    : `"${safeText(text, 40)}"`
  const unseen = invisibleFault(text)
  if (unseen !== undefined) return badUsage({ sentence: unseen, next: `Give ${ACCEPTED}.` })
  return badUsage({ sentence: 'This is nothing that can be verified.', found, next: `Give ${ACCEPTED}.` })
}

function notAlone(found: string): Error {
  const sentence = `By itself ${found} cannot be verified.`
  const next = parts`Give --pubkey, --credentials, --amount and --signature; or ${command('keys', '--validator')} for a key.`
  return badUsage({ sentence, found, next })
}

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
