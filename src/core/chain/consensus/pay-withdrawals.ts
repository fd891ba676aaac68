import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import {
  type ConsensusState,
  type ConsensusWithdrawal,
  epochOfSlot,
  FAR_FUTURE_EPOCH,
  type PendingPartialWithdrawal,
} from './state.ts'

/** Entries after which no pending partial withdrawal is paid in a slot; the inflation entry is one of them. */
const MAX_ENTRIES_WITH_PARTIALS = 8
const INFLATION_ENTRIES = 1

type Payout = { state: ConsensusState; withdrawals: readonly ConsensusWithdrawal[] }

/**
 * Pays the withdrawals of `state.slot`: pending partial withdrawals from the head
 * of their queue, then the sweep from its cursor. The inflation entry is counted, not listed.
 */
export function payWithdrawals(state: ConsensusState, spec: ChainSpec): Payout {
  const count = state.validators.length
  if (count === 0) return { state, withdrawals: [] }
  const partials = consumePartials(state, spec)
  const withdrawals = sweep(state, partials.withdrawals, spec)
  const last = withdrawals.at(-1)
  const full = withdrawals.length + INFLATION_ENTRIES === spec.maxWithdrawalsPerPayload
  const cursor =
    full && last !== undefined
      ? last.validatorIndex + 1
      : state.nextWithdrawalValidatorIndex + spec.maxValidatorsPerWithdrawalsSweep
  return {
    state: {
      ...state,
      balancesGwei: withdrawals.length === 0 ? state.balancesGwei : lowered(state.balancesGwei, withdrawals),
      pendingPartialWithdrawals: partials.rest,
      nextWithdrawalIndex: state.nextWithdrawalIndex + BigInt(withdrawals.length),
      nextWithdrawalValidatorIndex: cursor % count,
    },
    withdrawals,
  }
}

/** Whether the credentials name an execution address that can be paid. */
export function hasExecutionCredentials(withdrawalCredentials: string): boolean {
  return withdrawalCredentials.startsWith('0x01')
}

/** Returns the execution address in withdrawal credentials: their last 20 bytes, lower case. */
export function executionAddress(withdrawalCredentials: string): Hex {
  return `0x${withdrawalCredentials.slice(-40).toLowerCase()}`
}

function consumePartials(
  state: ConsensusState,
  spec: ChainSpec,
): { withdrawals: ConsensusWithdrawal[]; rest: readonly PendingPartialWithdrawal[] } {
  const epoch = epochOfSlot(state.slot, spec)
  const withdrawals: ConsensusWithdrawal[] = []
  let taken = 0
  for (const pending of state.pendingPartialWithdrawals) {
    if (pending.withdrawableEpoch > epoch) break
    if (withdrawals.length + INFLATION_ENTRIES === MAX_ENTRIES_WITH_PARTIALS) break
    taken += 1
    const paidGwei = paidTo(withdrawals, pending.validatorIndex)
    const amountGwei = payablePartial(state, pending, { paidGwei, spec })
    if (amountGwei > 0n)
      withdrawals.push(entry(state, withdrawals.length, pending.validatorIndex, amountGwei))
  }
  if (taken === 0) return { withdrawals, rest: state.pendingPartialWithdrawals }
  return { withdrawals, rest: state.pendingPartialWithdrawals.slice(taken) }
}

/** What a pending withdrawal pays, after what earlier ones of the same slot took from the same balance. */
function payablePartial(
  state: ConsensusState,
  pending: PendingPartialWithdrawal,
  options: { paidGwei: Gwei; spec: ChainSpec },
): Gwei {
  const { spec } = options
  const validator = state.validators[pending.validatorIndex]
  const balanceGwei = (state.balancesGwei[pending.validatorIndex] ?? 0n) - options.paidGwei
  if (validator === undefined || validator.exitEpoch !== FAR_FUTURE_EPOCH) return 0n
  if (validator.effectiveBalanceGwei < spec.activationBalanceGwei) return 0n
  const aboveGwei = balanceGwei - spec.activationBalanceGwei
  if (aboveGwei <= 0n) return 0n
  return aboveGwei < pending.amountGwei ? aboveGwei : pending.amountGwei
}

function sweep(
  state: ConsensusState,
  partials: readonly ConsensusWithdrawal[],
  spec: ChainSpec,
): ConsensusWithdrawal[] {
  const epoch = epochOfSlot(state.slot, spec)
  const withdrawals = [...partials]
  const count = state.validators.length
  const looks = Math.min(count, spec.maxValidatorsPerWithdrawalsSweep)
  for (let step = 0; step < looks; step += 1) {
    if (withdrawals.length + INFLATION_ENTRIES === spec.maxWithdrawalsPerPayload) break
    const index = (state.nextWithdrawalValidatorIndex + step) % count
    const amountGwei = sweptAmount(state, index, { epoch, partials, spec })
    if (amountGwei > 0n) withdrawals.push(entry(state, withdrawals.length, index, amountGwei))
  }
  return withdrawals
}

function sweptAmount(
  state: ConsensusState,
  index: number,
  at: { epoch: bigint; partials: readonly ConsensusWithdrawal[]; spec: ChainSpec },
): Gwei {
  const validator = state.validators[index]
  if (validator === undefined || !hasExecutionCredentials(validator.withdrawalCredentials)) return 0n
  const balanceGwei = (state.balancesGwei[index] ?? 0n) - paidTo(at.partials, index)
  if (validator.withdrawableEpoch <= at.epoch) return balanceGwei
  if (validator.effectiveBalanceGwei !== at.spec.maxEffectiveBalanceGwei) return 0n
  return balanceGwei - at.spec.maxEffectiveBalanceGwei
}

function paidTo(withdrawals: readonly ConsensusWithdrawal[], index: number): bigint {
  let sum = 0n
  for (const withdrawal of withdrawals) if (withdrawal.validatorIndex === index) sum += withdrawal.amountGwei
  return sum
}

function entry(
  state: ConsensusState,
  offset: number,
  validatorIndex: number,
  amountGwei: Gwei,
): ConsensusWithdrawal {
  return {
    index: state.nextWithdrawalIndex + BigInt(offset),
    validatorIndex,
    address: executionAddress(state.validators[validatorIndex]?.withdrawalCredentials ?? ''),
    amountGwei,
  }
}

function lowered(balancesGwei: readonly Gwei[], withdrawals: readonly ConsensusWithdrawal[]): Gwei[] {
  const next = [...balancesGwei]
  for (const { validatorIndex, amountGwei } of withdrawals) {
    const balanceGwei = next[validatorIndex] ?? 0n
    next[validatorIndex] = balanceGwei > amountGwei ? balanceGwei - amountGwei : 0n
  }
  return next
}
