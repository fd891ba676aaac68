import type { UnsignedTransaction } from '../base/effects/effects.ts'
import { type Gwei, gweiToWei, type Wei } from '../base/format/amount.ts'

/** What a transaction offers for its gas. */
export type GasPrice = Pick<UnsignedTransaction, 'gasLimit' | 'maxFeePerGasWei' | 'maxPriorityFeePerGasWei'>

/**
 * The fee limit of a payment, in wei: what is said of its fee before the word is typed, and what must be there besides its
 * value. Twice what the network asks for now, since the fee may rise until the payment is signed.
 */
export const feeLimitWei = ({ gasLimit, maxFeePerGasWei }: Omit<GasPrice, 'maxPriorityFeePerGasWei'>) =>
  2n * gasLimit * maxFeePerGasWei

/**
 * What a first deposit costs with the top-up behind it, and what of it a balance lacks, in wei. `firstWei` is the first
 * deposit with its fee. The fee of the second payment is taken to be that of the first, `feeWei`; no top-up has none.
 */
export function wholeWayWei(input: { firstWei: Wei; topUpGwei: Gwei; feeWei: Wei; balanceWei: Wei }) {
  const { firstWei, topUpGwei, feeWei, balanceWei } = input
  const allWei = firstWei + (topUpGwei === 0n ? 0n : gweiToWei(topUpGwei) + feeWei)
  return { allWei, shortWei: allWei > balanceWei ? allWei - balanceWei : 0n }
}
