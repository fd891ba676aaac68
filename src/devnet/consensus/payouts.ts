import { gweiToWei } from '../../core/base/format/amount.ts'
import { processSlot } from '../../core/chain/consensus/process-slot.ts'
import type { ConsensusState, ConsensusWithdrawal } from '../../core/chain/consensus/state.ts'
import type { ChainSpec } from '../../core/chain/network/network.ts'
import type { InflationEntry } from './state-tree.ts'

/** The entry that heads every list of withdrawals, by fork. */
export type Inflation = { beforeFulu: InflationEntry; fulu: InflationEntry }

/** Returns what a block pays: withdrawals come before its deposits and requests, so they are known before it is. */
export function dueWithdrawals(
  state: ConsensusState,
  spec: ChainSpec,
  block: { slot: bigint; fulu: boolean; parentFulu: boolean },
): readonly ConsensusWithdrawal[] {
  return processSlot(state, spec, { ...block, deposits: [], withdrawalRequests: [] }).withdrawals
}

/** Returns what is paid out on the execution side: the inflation entry first, amounts in wei. */
export function payouts(withdrawals: readonly ConsensusWithdrawal[], inflation: InflationEntry) {
  return [inflation, ...withdrawals]
    .filter((payment) => payment.amountGwei > 0n)
    .map(({ address, amountGwei }) => ({ address, amountWei: gweiToWei(amountGwei) }))
}
