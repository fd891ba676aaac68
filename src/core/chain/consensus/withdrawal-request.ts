import type { Gwei } from '../../base/format/amount.ts'
import { sameHex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import { executionAddress, hasExecutionCredentials } from './pay-withdrawals.ts'
import { findValidatorIndex, withExit } from './process-epoch.ts'
import {
  type ConsensusState,
  epochOfSlot,
  FAR_FUTURE_EPOCH,
  isActive,
  type Validator,
  type WithdrawalRequest,
} from './state.ts'

/** Why the chain drops a withdrawal request without a word; its fee is spent all the same. */
export const DROP_REASONS = [
  'unknown-key',
  'no-address',
  'other-sender',
  'not-active',
  'exit-begun',
  'part-pending',
  'nothing-above',
] as const

export type DropReason = (typeof DROP_REASONS)[number]

/** What the chain makes of a withdrawal request. Amounts in gwei; `cut`: less than was asked for. */
export type RequestVerdict =
  | { is: 'exit'; index: number; exitEpoch: bigint; withdrawableEpoch: bigint }
  | { is: 'part'; index: number; amountGwei: Gwei; withdrawableEpoch: bigint; cut: boolean }
  | { is: 'dropped'; reason: DropReason }

/** Returns what becomes of a request that is applied to a state (EIP-7002): an exit, a part, or nothing at all. */
export function judgeWithdrawalRequest(
  state: ConsensusState,
  request: WithdrawalRequest,
  spec: ChainSpec,
): RequestVerdict {
  const index = findValidatorIndex(state.validators, request.pubkey)
  const validator = index === undefined ? undefined : state.validators[index]
  if (index === undefined || validator === undefined) return dropped('unknown-key')
  const epoch = epochOfSlot(state.slot, spec)
  const refusal = refusalOf(validator, request, epoch)
  if (refusal !== undefined) return dropped(refusal)
  const pendingGwei = pendingFor(state, index)
  const { withdrawabilityDelayEpochs: delay, activationBalanceGwei } = spec
  if (request.amountGwei === 0n) {
    if (pendingGwei > 0n) return dropped('part-pending')
    return { is: 'exit', index, exitEpoch: epoch + 1n, withdrawableEpoch: epoch + 1n + delay }
  }
  const freeGwei = (state.balancesGwei[index] ?? 0n) - activationBalanceGwei - pendingGwei
  if (validator.effectiveBalanceGwei < activationBalanceGwei || freeGwei <= 0n)
    return dropped('nothing-above')
  const cut = freeGwei < request.amountGwei
  const amountGwei = cut ? freeGwei : request.amountGwei
  return { is: 'part', index, amountGwei, withdrawableEpoch: epoch + 1n + delay, cut }
}

/**
 * Applies withdrawal requests in order (EIP-7002). One that is dropped changes nothing and is no error.
 */
export function applyWithdrawalRequests(
  state: ConsensusState,
  requests: readonly WithdrawalRequest[],
  spec: ChainSpec,
): ConsensusState {
  return requests.reduce(
    (current, request) => withVerdict(current, judgeWithdrawalRequest(current, request, spec), spec),
    state,
  )
}

function withVerdict(state: ConsensusState, verdict: RequestVerdict, spec: ChainSpec): ConsensusState {
  if (verdict.is === 'dropped') return state
  const { index } = verdict
  if (verdict.is === 'part') {
    const { amountGwei, withdrawableEpoch } = verdict
    const pending = { validatorIndex: index, amountGwei, withdrawableEpoch }
    return { ...state, pendingPartialWithdrawals: [...state.pendingPartialWithdrawals, pending] }
  }
  const validator = state.validators[index]
  if (validator === undefined) return state
  return { ...state, validators: state.validators.with(index, withExit(validator, verdict.exitEpoch, spec)) }
}

const dropped = (reason: DropReason): RequestVerdict => ({ is: 'dropped', reason })

function refusalOf(validator: Validator, request: WithdrawalRequest, epoch: bigint): DropReason | undefined {
  const { withdrawalCredentials } = validator
  if (!hasExecutionCredentials(withdrawalCredentials)) return 'no-address'
  if (!sameHex(executionAddress(withdrawalCredentials), request.sourceAddress)) return 'other-sender'
  // One that left is not active any more: that its exit begun is what there is to say of it.
  if (validator.exitEpoch !== FAR_FUTURE_EPOCH) return 'exit-begun'
  return isActive(validator, epoch) ? undefined : 'not-active'
}

/** What waits to be paid to a validator in parts, in gwei. */
function pendingFor(state: Pick<ConsensusState, 'pendingPartialWithdrawals'>, index: number): Gwei {
  let sum = 0n
  for (const pending of state.pendingPartialWithdrawals) {
    if (pending.validatorIndex === index) sum += pending.amountGwei
  }
  return sum
}
