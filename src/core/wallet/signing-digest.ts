import { keccak256, serializeTransaction } from 'viem'
import type { UnsignedTransaction } from '../effects/effects.ts'
import type { Hex } from '../format/hex.ts'

/** What a wallet signs of a transaction: keccak256 of its unsigned EIP-1559 form, as a device may show it. */
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
