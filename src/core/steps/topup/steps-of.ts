import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { isFulu } from '../../chain/consensus/fork-outlook.ts'
import { hysteresisBand } from '../../chain/consensus/state.ts'
import type { Setup } from '../../chain/facts.ts'
import { stepRows } from '../../view/amount-rows.ts'
import { known } from '../../view/observation.ts'
import type { FactRow } from '../../view/view.ts'
import { forecastTopUp, type topUpOptions } from './facts.ts'

/** Returns what of the stake counts with the amount on the table; other amounts are judged by the same forecast. */
export function stepsOf(
  { snapshot, amountGwei, observed }: ReturnType<typeof topUpOptions>,
  pubkey: Hex | undefined,
  setup: Setup,
): FactRow[] {
  const forecast = known(observed.amount)?.forecast
  if (!snapshot || !pubkey || !forecast || amountGwei === undefined) return []
  const { spec } = setup.network
  const { balanceAfterGwei: balanceGwei, effectiveAfterGwei: effectiveGwei } = forecast
  const { upGwei } = hysteresisBand(spec, { fulu: isFulu(spec, snapshot.timestampSeconds) })
  const countsAs = (gwei: Gwei) =>
    forecastTopUp(snapshot, pubkey, amountGwei + gwei - balanceGwei, setup)?.effectiveAfterGwei ?? 0n
  return stepRows({ balanceGwei, effectiveGwei, countsAs, upGwei }, setup.network)
}
