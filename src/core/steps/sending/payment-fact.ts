import type { PaymentFact } from '../../facts.ts'
import type { SendState } from './state.ts'

/** The payment as a fact, once it is final: proven, or remembered. */
export function paymentFact(state: SendState): PaymentFact | undefined {
  const { prepared, mined, strays, remembered } = state
  if (state.phase !== 'final' || !prepared || !mined) return undefined
  const { transaction, from, baseline } = prepared
  const { hash, blockNumber, blockHash, feeWei } = mined
  const { elsewhere, contract } = prepared
  const stray = strays.find((one) => one.hash === hash)
  return {
    hash,
    from,
    nonce: stray?.nonce ?? transaction.nonce,
    valueWei: stray?.valueWei ?? transaction.valueWei,
    blockNumber,
    blockHash,
    feeWei,
    balanceBeforeWei: baseline.balanceWei,
    ...(elsewhere === true ? { elsewhere } : {}),
    ...(contract === true ? { contract } : {}),
    ...(remembered ? { remembered } : {}),
  }
}
