import { keccak256, parseTransaction, recoverTransactionAddress, serializeTransaction } from 'viem'
import type { Effects, UnsignedTransaction } from '../../base/effects/effects.ts'
import { walletError } from '../../base/errors/wallet.ts'
import { readText } from '../../base/format/file-text.ts'
import { type Hex, isHex, sameHex } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import { WALLET_TEXT as TEXT } from './text.ts'

const { fields: FIELDS } = TEXT

/** Half the order of secp256k1: every chain refuses a signature whose s is above it. */
const HALF_OF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const differs = (field: string, found: string, expected: string): Error =>
  walletError('wallet.not-as-prepared', { field, found, expected })

/**
 * Reads signed bytes back and compares every field with what was prepared: type, chain, nonce,
 * receiver, value, calldata, gas, both fees, an empty access list, the sender recovered from the signature, and the one
 * encoding that a chain takes.
 * Returns the hash, computed here. Throws `wallet.not-as-prepared` naming the first field that differs, or
 * `wallet.unreadable` for bytes that are no transaction or carry no signature.
 */
export async function checkSigned(
  raw: Hex,
  expected: { transaction: UnsignedTransaction; from: Hex },
): Promise<Hex> {
  if (!isHex(raw) || !raw.toLowerCase().startsWith('0x02'))
    throw differs(FIELDS.type, safeText(raw.slice(0, 6)), 'EIP-1559 (0x02)')
  const found = parsed(raw)
  const { transaction, from } = expected
  const pairs: readonly [string, unknown, unknown][] = [
    [FIELDS.type, found.type, 'eip1559'],
    [FIELDS.chainId, found.chainId, transaction.chainId],
    [FIELDS.nonce, found.nonce ?? 0, transaction.nonce],
    [FIELDS.receiver, found.to?.toLowerCase(), transaction.to.toLowerCase()],
    [FIELDS.value, found.value ?? 0n, transaction.valueWei],
    [FIELDS.calldata, (found.data ?? '0x').toLowerCase(), transaction.data.toLowerCase()],
    [FIELDS.gasLimit, found.gas ?? 0n, transaction.gasLimit],
    [FIELDS.fee, found.maxFeePerGas ?? 0n, transaction.maxFeePerGasWei],
    [FIELDS.tip, found.maxPriorityFeePerGas ?? 0n, transaction.maxPriorityFeePerGasWei],
    [FIELDS.accessList, found.accessList?.length ?? 0, 0],
  ]
  for (const [field, is, wanted] of pairs) {
    if (is !== wanted) throw differs(field, safeText(String(is)), safeText(String(wanted)))
  }
  const sender = await senderOf(raw)
  if (!sameHex(sender, from)) throw differs(FIELDS.sender, sender, from)
  if (!sameHex(raw, writtenAnew(found)))
    throw differs(FIELDS.encoding, TEXT.encoding.found, TEXT.encoding.expected)
  if (BigInt(found.s ?? 0) > HALF_OF_ORDER)
    throw differs(FIELDS.signature, TEXT.signature.found, TEXT.signature.expected)
  return keccak256(raw)
}

/** The one encoding that a chain takes of these fields: a number with zeros before it would never be mined. */
function writtenAnew(found: ReturnType<typeof parsed>): Hex {
  const { r, s, yParity, ...fields } = found
  return serializeTransaction(
    { ...fields, type: 'eip1559' },
    { r: r ?? '0x', s: s ?? '0x', yParity: yParity ?? 0 },
  )
}

async function senderOf(raw: Hex): Promise<Hex> {
  try {
    return await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
  } catch (cause) {
    throw walletError('wallet.unreadable', cause)
  }
}

function parsed(raw: Hex) {
  try {
    return parseTransaction(raw as `0x02${string}`)
  } catch (cause) {
    throw walletError('wallet.unreadable', cause)
  }
}

/** A signed deposit has about 600 bytes; a file of a wallet machine may hold some words around it. */
const MAX_FILE_BYTES = 64 * 1024

/**
 * The bytes that an external signer made, typed as hex or as the path of a file; what they say is not looked at. Throws a
 * `file.*`.
 */
export async function readSigned(text: string, { files }: Pick<Effects, 'files'>): Promise<Hex> {
  const typed = text.trim()
  const found = typed.startsWith('0x') ? typed : await readText({ files }, typed, MAX_FILE_BYTES)
  return found.replaceAll(/\s/g, '').toLowerCase() as Hex
}

/** Returns what a wallet signs of a transaction: keccak256 of its unsigned EIP-1559 form, as a device may show it. */
export function signingDigest(transaction: UnsignedTransaction): Hex {
  const { chainId, nonce, to, data } = transaction
  return keccak256(
    serializeTransaction({
      type: 'eip1559',
      chainId,
      nonce,
      to,
      data,
      value: transaction.valueWei,
      gas: transaction.gasLimit,
      maxFeePerGas: transaction.maxFeePerGasWei,
      maxPriorityFeePerGas: transaction.maxPriorityFeePerGasWei,
    }),
  )
}
