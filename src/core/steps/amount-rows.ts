import { floorEffectiveBalance } from '../consensus/state.ts'
import { formatGwei, type Gwei } from '../format/amount.ts'
import type { Network } from '../network/network.ts'
import { AMOUNT_TEXT as TEXT } from './amount-text.ts'
import type { FactRow } from './view.ts'

const SHAPE = { mark: 'unknown', advice: true, source: '' } as const

/** The warnings about the amount of a first deposit, in gwei: more than the least, no whole step. */
export function firstAmountRows(amountGwei: Gwei, network: Network): FactRow[] {
  const { minimumDepositGwei, names, spec } = network
  const said = (gwei: Gwei) => `${formatGwei(gwei)} ${names.token}`
  const above: FactRow[] = isAboveLeast(amountGwei, network)
    ? [{ ...SHAPE, id: 'aboveLeast', ...TEXT.aboveLeast(said(amountGwei), said(minimumDepositGwei)) }]
    : []
  return [...above, ...stepRows(amountGwei, floorEffectiveBalance(amountGwei, spec), network)]
}

/** Whether one refused first deposit would lose more than it must. */
export const isAboveLeast = (amountGwei: Gwei, { minimumDepositGwei }: Network): boolean =>
  amountGwei > minimumDepositGwei

/** What of a stake counts, where that is not all of it, with the steps around it; amounts in gwei. */
export function stepRows(balanceGwei: Gwei, effectiveGwei: Gwei, { spec }: Network): FactRow[] {
  const stepGwei = spec.effectiveBalanceIncrementGwei
  if (balanceGwei <= effectiveGwei || effectiveGwei >= spec.maxEffectiveBalanceGwei) return []
  const belowGwei = balanceGwei - (balanceGwei % stepGwei)
  const stake = {
    balance: formatGwei(balanceGwei),
    effective: formatGwei(effectiveGwei),
    rest: formatGwei(balanceGwei - effectiveGwei),
    step: formatGwei(stepGwei),
    below: formatGwei(belowGwei),
    above: formatGwei(belowGwei + stepGwei),
  }
  return [{ ...SHAPE, id: 'steps', ...TEXT.steps(stake) }]
}
