import { formatGwei, type Gwei } from '../base/format/amount.ts'
import { floorEffectiveBalance } from '../chain/consensus/state.ts'
import type { Network } from '../chain/network/network.ts'
import { AMOUNT_TEXT as TEXT } from './amount-text.ts'
import type { FactRow } from './view.ts'

const SHAPE = { mark: 'unknown', advice: true, source: '' } as const

/** Returns the warnings about the amount of a first deposit, in gwei: more than the least, no whole step. */
export function firstAmountRows(amountGwei: Gwei, network: Network): FactRow[] {
  const { minimumDepositGwei, names, spec } = network
  const tokens = (gwei: Gwei) => `${formatGwei(gwei)} ${names.token}`
  const above: FactRow[] = isAboveLeast(amountGwei, network)
    ? [{ ...SHAPE, id: 'aboveLeast', ...TEXT.aboveLeast(tokens(amountGwei), tokens(minimumDepositGwei)) }]
    : []
  // A new validator has what counts of its first deposit at once: nothing is held back.
  const countsAs = (gwei: Gwei) => floorEffectiveBalance(gwei, spec)
  const counted = { balanceGwei: amountGwei, effectiveGwei: countsAs(amountGwei), countsAs, upGwei: 0n }
  return [...above, ...stepRows(counted, network)]
}

/** Whether one refused first deposit would lose more than it must. */
export const isAboveLeast = (amountGwei: Gwei, { minimumDepositGwei }: Network): boolean =>
  amountGwei > minimumDepositGwei

/** A stake, what of it counts, and how other stakes of the same validator would count; in gwei. */
type CountedStake = {
  balanceGwei: Gwei
  effectiveGwei: Gwei
  countsAs: (balanceGwei: Gwei) => Gwei
  /** How far above what counts a stake stays uncounted. */
  upGwei: Gwei
}

/** Returns what of a stake counts, where that is not all of it, with the least that counts as more. */
export function stepRows(counted: CountedStake, { spec }: Network): FactRow[] {
  const { balanceGwei, effectiveGwei, countsAs } = counted
  const stepGwei = spec.effectiveBalanceIncrementGwei
  if (balanceGwei <= effectiveGwei || effectiveGwei >= spec.maxEffectiveBalanceGwei) return []
  const leastGwei = leastAbove(counted, stepGwei)
  const stake = {
    balance: formatGwei(balanceGwei),
    effective: formatGwei(effectiveGwei),
    rest: formatGwei(balanceGwei - effectiveGwei),
    step: formatGwei(stepGwei),
    next: formatGwei(countsAs(leastGwei)),
    least: formatGwei(leastGwei),
  }
  return [{ ...SHAPE, id: 'steps', ...TEXT.steps(stake) }]
}

/** The least stake that counts as more: the next step, or beyond it where the hysteresis holds that back. */
function leastAbove({ balanceGwei, effectiveGwei, countsAs, upGwei }: CountedStake, stepGwei: Gwei): Gwei {
  const wholeGwei = effectiveGwei + stepGwei
  const isHeldBack = wholeGwei <= balanceGwei || countsAs(wholeGwei) <= effectiveGwei
  return isHeldBack ? effectiveGwei + upGwei + 1n : wholeGwei
}
