import { walletError } from '../../base/errors/wallet.ts'
import { gweiToWei, type Wei, weiToGwei } from '../../base/format/amount.ts'

const LEAST_FEE_WEI = gweiToWei(2n)
const LEAST_TIP_WEI = gweiToWei(1n)
export const MOST_TIP_WEI = gweiToWei(50n)
/** The most per gas that is ever offered: half a token for the dearest transaction that is made here. */
export const MOST_FEE_WEI = gweiToWei(1000n)
/** No deposit needs as much: it is the least that a transaction made here may use. */
export const LEAST_GAS = 150_000n
const MOST_GAS = 500_000n

/** Limits of a transaction's price, wei per gas. */
export type Fees = { maxFeePerGasWei: Wei; maxPriorityFeePerGasWei: Wei }

/**
 * Returns what is offered per gas: twice the base fee and the tip, never under 2 gwei (the chain's floor is 1).
 * The tip is the endpoint's suggestion held between 1 and 50 gwei. Throws `wallet.gate-closed` above 1,000 gwei: an
 * endpoint cannot make it costly.
 */
export function feesFor(baseFeeWei: Wei, suggestedTipWei: Wei): Fees {
  const tip = clamp(suggestedTipWei, LEAST_TIP_WEI, MOST_TIP_WEI)
  const fee = 2n * baseFeeWei + tip
  if (fee > MOST_FEE_WEI)
    throw walletError('wallet.gate-closed', { foundGwei: weiToGwei(fee), mostGwei: weiToGwei(MOST_FEE_WEI) })
  return { maxFeePerGasWei: fee > LEAST_FEE_WEI ? fee : LEAST_FEE_WEI, maxPriorityFeePerGasWei: tip }
}

/** Returns the gas limit: half more than the estimate, between 150,000 and 500,000. */
export function gasLimitFor(estimate: bigint): bigint {
  return clamp((estimate * 3n) / 2n, LEAST_GAS, MOST_GAS)
}

function clamp(value: bigint, low: bigint, high: bigint): bigint {
  if (value < low) return low
  return value > high ? high : value
}
