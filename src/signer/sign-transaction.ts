import { recoverTransactionAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { getAddress, keccak256, parseTransaction } from 'viem/utils'
import type { PromptWords } from '../core/base/effects/effects.ts'
import { walletError } from '../core/base/errors/wallet.ts'
import type { FieldReader } from '../core/base/format/fields.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import { readTerminalUse } from './ask-password.ts'
import { withDescriptorWallet, withTypedWallet } from './open-wallet.ts'
import { transactionLines } from './password-line.ts'
import { checkPurpose, type Eip1559Transaction, readTransaction } from './read-transaction.ts'

/**
 * Signs one EIP-1559 transaction of exactly the given fields with the key of a keystore, reads the result back
 * and compares. Only deposits, and a 0-value transfer to oneself that empties a nonce, are signed. Throws
 * `signer.other-purpose`, `keystore.other-account` and what opening the keystore throws.
 */
export async function signTransaction(
  request: FieldReader,
  context: RequestContext,
): Promise<{ rawTransaction: Hex; hash: Hex; from: Hex }> {
  request.only([
    'keystore',
    'passwordDescriptor',
    'from',
    'transaction',
    'prompt',
    'rawModeIsOn',
    'linesOnly',
    'wasTyped',
  ])
  const transaction = readTransaction(request.object('transaction'))
  const expected = request.has('from') ? getAddress(request.hex('from', 20)) : undefined
  checkPurpose(transaction, expected)
  const words = readPromptWords(request.object('prompt'))
  const work = (account: PrivateKeyAccount) => signAndReadBack(account, transaction, expected)
  if (request.has('passwordDescriptor')) return withDescriptorWallet(request, transaction, work)
  const lines = transactionLines(transaction, expected, words)
  return withTypedWallet(request, { ...context, ...readTerminalUse(request), lines }, work)
}

/**
 * Signs with an account, and believes of what it made only what is read back out of the bytes. Throws
 * `keystore.other-account`, `signer.other-purpose` and `signer.failed`.
 */
export async function signAndReadBack(
  account: Pick<PrivateKeyAccount, 'address' | 'signTransaction'>,
  transaction: Eip1559Transaction,
  expected: Hex | undefined,
): Promise<{ rawTransaction: Hex; hash: Hex; from: Hex }> {
  if (expected !== undefined && !sameHex(expected, account.address)) {
    throw walletError('keystore.other-account', { found: account.address, expected })
  }
  checkPurpose(transaction, account.address)
  const rawTransaction = await account.signTransaction(transaction)
  await readBack(rawTransaction, { ...transaction, from: account.address })
  return { rawTransaction, hash: keccak256(rawTransaction), from: account.address }
}

type SentTransaction = Eip1559Transaction & { from: Hex }

async function readBack(rawTransaction: Hex, expected: SentTransaction): Promise<void> {
  if (!rawTransaction.startsWith('0x02')) throw differs('type')
  const typed = rawTransaction as `0x02${string}`
  const found = parseTransaction(typed)
  const numbers = ['chainId', 'nonce', 'value', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const
  for (const field of numbers) {
    if (BigInt(found[field] ?? 0) !== BigInt(expected[field])) throw differs(field)
  }
  if (!sameHex(found.to ?? '', expected.to)) throw differs('to')
  if (!sameHex(found.data ?? '0x', expected.data)) throw differs('data')
  if ((found.accessList ?? []).length > 0) throw differs('accessList')
  const signer = await recoverTransactionAddress({ serializedTransaction: typed })
  if (!sameHex(signer, expected.from)) throw differs('from')
}

function differs(field: string): Error {
  return walletError(
    'signer.failed',
    `The signed transaction differs from the one that was asked for in its ${field}.`,
  )
}

/** What a verb gets beside its request. `signal` aborts when nobody waits for the answer any more. */
export type RequestContext = { signal: AbortSignal }

export const MAX_NETWORK = 40
export const MAX_TOKEN = 12
const MAX_AMOUNT = 40

/** Reads the words of a request's prompt, safe to draw. Throws `signer.bad-request`. */
export function readPromptWords(fields: FieldReader): PromptWords {
  fields.only(['network', 'token', 'speedsUp', 'arrived'])
  return {
    network: safeText(fields.text('network'), MAX_NETWORK),
    token: safeText(fields.text('token'), MAX_TOKEN),
    speedsUp: fields.flag('speedsUp'),
    arrived: safeText(fields.text('arrived'), MAX_AMOUNT),
  }
}
