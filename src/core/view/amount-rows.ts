import { formatGwei, type Gwei } from '../base/format/amount.ts'
import { floorEffectiveBalance } from '../chain/consensus/state.ts'
import type { Network } from '../chain/network/network.ts'
import type { FactRow } from './view.ts'

/** What is said of an amount that is more than the least, or whose stake is no whole step. Amounts without their token. */
const AMOUNT_TEXT = {
  aboveLeast: (amount: string, least: string) => ({
    label: 'above the least',
    value: `the least is ${least}: one refused call would lose all ${amount}`,
    explain: {
      what: 'A first deposit that the chain refuses is lost, whatever its amount. The least registers the key; the rest can follow as a top-up, once the chain is proven to know the validator. So more than the least puts more at risk and gains nothing but time.',
      who: 'This computer, from the amount and the least that the deposit contract takes.',
      later: 'Yes: sign another amount.',
    },
  }),
  steps: (stake: {
    balance: string
    effective: string
    rest: string
    step: string
    /** What the least stake that counts as more counts as. */
    next: string
    least: string
  }) => ({
    label: `steps of ${stake.step}`,
    value: `${stake.balance} counts as ${stake.effective}: ${stake.rest} buys nothing; the least for ${stake.next} is ${stake.least}`,
    explain: {
      what: 'The chain counts a stake in whole steps of the effective balance: ranks, power and the threshold know nothing between two steps. What is over stays in the balance. What counts rises only when the stake is clearly above it (hysteresis): before Fulu by more than one and a quarter steps, from Fulu on as soon as the next step is full.',
      who: 'This computer, by the rules of the chain.',
      later: 'Yes: a top-up can fill the step.',
    },
  }),
}

const SHAPE = { mark: 'unknown', advice: true, source: '' } as const

/** Returns the warnings about the amount of a first deposit, in gwei: more than the least, no whole step. */
export function firstAmountRows(amountGwei: Gwei, network: Network): FactRow[] {
  const { minimumDepositGwei, names, spec } = network
  const tokens = (gwei: Gwei) => `${formatGwei(gwei)} ${names.token}`
  const above: FactRow[] = isAboveLeast(amountGwei, network)
    ? [
        {
          ...SHAPE,
          id: 'aboveLeast',
          ...AMOUNT_TEXT.aboveLeast(tokens(amountGwei), tokens(minimumDepositGwei)),
        },
      ]
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
  return [{ ...SHAPE, id: 'steps', ...AMOUNT_TEXT.steps(stake) }]
}

/** The least stake that counts as more: the next step, or beyond it where the hysteresis holds that back. */
function leastAbove({ balanceGwei, effectiveGwei, countsAs, upGwei }: CountedStake, stepGwei: Gwei): Gwei {
  const wholeGwei = effectiveGwei + stepGwei
  const isHeldBack = wholeGwei <= balanceGwei || countsAs(wholeGwei) <= effectiveGwei
  return isHeldBack ? effectiveGwei + upGwei + 1n : wholeGwei
}
