import { sameHex } from '../format/hex.ts'
import type { ChainSpec } from '../network/chain-spec.ts'
import { epochOfSlot, isActive } from './active-set.ts'
import { findValidatorIndex } from './apply-deposits.ts'
import type { WithdrawalRequest } from './block.ts'
import { executionAddress, hasExecutionCredentials } from './pay-withdrawals.ts'
import { withExit } from './process-epoch.ts'
import { type ConsensusState, FAR_FUTURE_EPOCH, type Validator } from './state.ts'

/**
 * Applies withdrawal requests in order (EIP-7002). One that is not allowed changes
 * nothing and is no error.
 */
export function applyWithdrawalRequests(
  state: ConsensusState,
  requests: readonly WithdrawalRequest[],
  spec: ChainSpec,
): ConsensusState {
  return requests.reduce((current, request) => applyRequest(current, request, spec), state)
}

function applyRequest(state: ConsensusState, request: WithdrawalRequest, spec: ChainSpec): ConsensusState {
  const index = findValidatorIndex(state.validators, request.pubkey)
  if (index === undefined) return state
  const validator = state.validators[index]
  const epoch = epochOfSlot(state.slot, spec)
  if (validator === undefined || !mayWithdraw(validator, request, epoch)) return state
  if (request.amountGwei === 0n) return exited(state, index, validator, spec)
  return queued(state, index, request.amountGwei, spec)
}

function mayWithdraw(validator: Validator, request: WithdrawalRequest, epoch: bigint): boolean {
  if (!hasExecutionCredentials(validator.withdrawalCredentials)) return false
  if (!sameHex(executionAddress(validator.withdrawalCredentials), request.sourceAddress)) return false
  return isActive(validator, epoch) && validator.exitEpoch === FAR_FUTURE_EPOCH
}

function exited(state: ConsensusState, index: number, validator: Validator, spec: ChainSpec): ConsensusState {
  if (pendingFor(state, index) > 0n) return state
  const exitEpoch = epochOfSlot(state.slot, spec) + 1n
  return { ...state, validators: state.validators.with(index, withExit(validator, exitEpoch, spec)) }
}

function queued(state: ConsensusState, index: number, askedGwei: bigint, spec: ChainSpec): ConsensusState {
  const effectiveBalanceGwei = state.validators[index]?.effectiveBalanceGwei ?? 0n
  const freeGwei = (state.balancesGwei[index] ?? 0n) - spec.activationBalanceGwei - pendingFor(state, index)
  if (effectiveBalanceGwei < spec.activationBalanceGwei || freeGwei <= 0n) return state
  const pending = {
    validatorIndex: index,
    amountGwei: freeGwei < askedGwei ? freeGwei : askedGwei,
    withdrawableEpoch: epochOfSlot(state.slot, spec) + 1n + spec.withdrawabilityDelayEpochs,
  }
  return { ...state, pendingPartialWithdrawals: [...state.pendingPartialWithdrawals, pending] }
}

function pendingFor(state: ConsensusState, index: number): bigint {
  let sum = 0n
  for (const pending of state.pendingPartialWithdrawals) {
    if (pending.validatorIndex === index) sum += pending.amountGwei
  }
  return sum
}
