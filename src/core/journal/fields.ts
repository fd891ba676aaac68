import { OUTCOMES } from '../consensus/forecast.ts'
import { bool, type Decoder, exactRecord, hexAsWritten, oneOf, text, uintIndex } from '../format/decode.ts'

/** Fields that both formats write alike, but for the form of an amount. Hexadecimal stays as it was written. */
export function fieldsWith(amount: Decoder<bigint>) {
  const address = hexAsWritten(20)
  const hash = hexAsWritten(32)
  const bytes = hexAsWritten()
  const addresses = { withdrawalAddress: address, operator: address }
  const message = { ...addresses, amountGwei: amount, rescue: bool }
  const transaction = exactRecord({
    chainId: uintIndex,
    nonce: uintIndex,
    to: address,
    valueWei: amount,
    data: bytes,
    gasLimit: amount,
    maxFeePerGasWei: amount,
    maxPriorityFeePerGasWei: amount,
  })
  return {
    adopted: { ...addresses, withdrawalCredentials: hash, index: uintIndex },
    /** What the first deposit is to say. */
    message,
    signature: exactRecord({ ...message, withdrawalCredentials: hash, signature: hexAsWritten(96) }),
    plan: exactRecord({ to: address, valueWei: amount, data: bytes }),
    validator: { block: amount, balanceGwei: amount, outcome: oneOf(OUTCOMES) },
    draft: {
      from: address,
      transaction,
      baseline: exactRecord({ blockNumber: amount, blockHash: hash, balanceWei: amount }),
    },
    transaction,
    signed: { raw: bytes, hash },
    handedOver: { attempt: uintIndex, endpoint: text },
    found: { from: address, hash, valueWei: amount, nonce: uintIndex },
    bytes,
    block: { blockNumber: amount, blockHash: hash, feeWei: amount },
    hash,
  }
}

/** A decoder whose values say which event they are of. */
export function typed<T extends string, F extends object>(
  type: T,
  fields: Decoder<F>,
): Decoder<{ type: T } & F> {
  return (value, path) => ({ type, ...fields(value, path) })
}
