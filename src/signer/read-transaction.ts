import { walletError } from '../core/base/errors/wallet.ts'
import type { FieldReader } from '../core/base/format/fields.ts'
import { type Hex, isHex, sameHex } from '../core/base/format/hex.ts'
import { decodeDepositCalldata } from '../core/chain/deposit/calldata.ts'

const FIELDS = [
  'chainId',
  'nonce',
  'to',
  'valueWei',
  'data',
  'gasLimit',
  'maxFeePerGasWei',
  'maxPriorityFeePerGasWei',
] as const
const MAX_UINT256 = 2n ** 256n - 1n

/** A transaction in the words of the signing library. Amounts in wei. */
export type Eip1559Transaction = {
  type: 'eip1559'
  chainId: number
  nonce: number
  to: Hex
  value: bigint
  data: Hex
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/** Reads every field of an unsigned transaction, and none besides. Throws `signer.bad-request`. */
export function readTransaction(fields: FieldReader): Eip1559Transaction {
  fields.only(FIELDS)
  const data = fields.text('data')
  const transaction: Eip1559Transaction = {
    type: 'eip1559',
    chainId: fields.index('chainId'),
    nonce: fields.index('nonce'),
    to: fields.hex('to', 20),
    value: uint256(fields, 'valueWei'),
    data: isHex(data) ? (data.toLowerCase() as Hex) : fields.fail('data', 'hex'),
    gas: fields.uint64('gasLimit'),
    maxFeePerGas: uint256(fields, 'maxFeePerGasWei'),
    maxPriorityFeePerGas: uint256(fields, 'maxPriorityFeePerGasWei'),
  }
  if (transaction.chainId === 0) fields.fail('chainId', 'a chain id')
  if (transaction.maxPriorityFeePerGas > transaction.maxFeePerGas) {
    fields.fail('maxPriorityFeePerGasWei', 'at most maxFeePerGasWei')
  }
  return transaction
}

/**
 * Lets through deposits in one of their exact shapes, and a transfer of nothing to oneself (which empties a
 * nonce). `from` is the sender where it is known. Throws `signer.other-purpose`.
 */
export function checkPurpose(transaction: Eip1559Transaction, from: Hex | undefined): void {
  if (transaction.data !== '0x') {
    checkDeposit(transaction)
    return
  }
  if (transaction.value !== 0n)
    throw walletError('signer.other-purpose', 'It would send tokens without being a deposit.')
  if (from !== undefined && !sameHex(from, transaction.to)) {
    throw walletError('signer.other-purpose', 'It has no data and goes to another account.')
  }
}

function checkDeposit(transaction: Eip1559Transaction): void {
  if (transaction.value === 0n) throw walletError('signer.other-purpose', 'It is a deposit of nothing.')
  try {
    decodeDepositCalldata(transaction.data)
  } catch {
    throw walletError('signer.other-purpose', 'Its call data is not a first deposit and not a top-up.')
  }
}

function uint256(fields: FieldReader, key: string): bigint {
  const text = fields.text(key)
  if (!/^(?:0|[1-9]\d{0,77})$/.test(text)) return fields.fail(key, 'a decimal number')
  const value = BigInt(text)
  return value <= MAX_UINT256 ? value : fields.fail(key, 'a number of at most 256 bits')
}
