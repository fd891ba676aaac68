import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import { executionAddress, hasExecutionCredentials } from './pay-withdrawals.ts'
import { nextRankTable, type Placing, placing } from './placing.ts'
import { findValidatorIndex, type QueuedDeposit, takeDueDeposits } from './process-epoch.ts'
import { type Course, lastSlotOfEpoch, processSlot, runForward } from './process-slot.ts'
import {
  type ConsensusState,
  epochOfSlot,
  FAR_FUTURE_EPOCH,
  type Validator,
  type WithdrawalRequest,
} from './state.ts'
import {
  applyWithdrawalRequests,
  type DropReason,
  judgeWithdrawalRequest,
  type RequestVerdict,
} from './withdrawal-request.ts'

/** A withdrawal request with the slot of the block that holds it. */
export type QueuedRequest = WithdrawalRequest & { blockSlot: bigint }

/** Whom and what a request is about; `amountGwei` 0 asks for the exit. */
export type LeaveQuestion = {
  state: ConsensusState
  spec: ChainSpec
  fulu: boolean
  pubkey: Hex
  amountGwei: Gwei
  /** Who asks; left out: the withdrawal address. */
  sourceAddress?: Hex
  /** Deposits of anybody that are in blocks already and that the state does not hold yet, in order. */
  uncounted: readonly QueuedDeposit[]
  /** Requests of anybody in blocks after the state's slot, in order. */
  requests: readonly QueuedRequest[]
}

/** Where a validator stands when a part was paid, by what is known now. */
export type PlaceAfter = {
  /** The first slot at which the part has left the queue, and what was paid of it. */
  paidSlot: bigint
  paidGwei: Gwei
  /** On the first rank table behind the payment; undefined where it stands on none. */
  place: Placing | undefined
  /** The epoch at which it drops out of the active set with the part, or without it. */
  dropsOutAtEpoch: bigint | undefined
  dropsOutAnyway: boolean
}

/** What a request does. An exit or a part is one in each of the blocks that it may land in. */
export type LeaveForecast =
  | { is: 'dropped'; reason: DropReason }
  | { is: 'exit'; exitEpoch: bigint; withdrawableEpoch: bigint; balanceGwei: Gwei }
  | { is: 'part'; amountGwei: Gwei; cut: boolean; withdrawableEpoch: bigint; after: PlaceAfter }

/** A request decided on now is in a block two after the state's at the earliest. */
const FIRST_BLOCK_AHEAD = 2n
/** Boundaries behind the payment at which the place is looked at: the balance counts at the first of them. */
const TURNS_AFTER = 2n

/**
 * Returns what the state machine makes of a request of the withdrawal address, with all deposits, requests and partial
 * withdrawals that wait, in order. A wallet takes minutes: it is judged in the next block that can hold it and in one
 * after the next epoch boundary, and counts as dropped where either drops it.
 */
export function leaveForecast(question: LeaveQuestion): LeaveForecast {
  const { state, spec, pubkey } = question
  const first = state.slot + FIRST_BLOCK_AHEAD
  const afterBoundary = lastSlotOfEpoch(epochOfSlot(first, spec), spec) + 2n
  const [now, later] = [first, afterBoundary].map((slot) => requestAt(question, slot))
  if (now === undefined || later === undefined) throw new RangeError('a request lands in two blocks')
  const dropped = [now, later].find(({ verdict }) => verdict.is === 'dropped')?.verdict
  if (dropped?.is === 'dropped') return dropped
  const { verdict, course } = now
  const index = findValidatorIndex(course.state.validators, pubkey) ?? 0
  if (verdict.is === 'exit') {
    const { exitEpoch, withdrawableEpoch } = verdict
    return { is: 'exit', exitEpoch, withdrawableEpoch, balanceGwei: course.state.balancesGwei[index] ?? 0n }
  }
  if (verdict.is === 'dropped') return verdict
  const { amountGwei, cut, withdrawableEpoch } = verdict
  const without = requestAt({ ...question, pubkey: NOBODY }, first).course
  const after = placeAfter({ course, without }, { question, index, withdrawableEpoch })
  return { is: 'part', amountGwei, cut, withdrawableEpoch, after }
}

const NOBODY: Hex = `0x${'00'.repeat(48)}`

/** Returns what becomes of the request as the last one of the block of a slot, and the course up to there. */
export function requestAt(
  question: LeaveQuestion,
  slot: bigint,
): { verdict: RequestVerdict; course: Course } {
  const { state, spec, fulu, pubkey, amountGwei, uncounted, requests } = question
  const eve = runWithRequests({ state, queue: uncounted }, { requests, spec, fulu, toSlot: slot })
  const record = recordOf(eve.state, pubkey)
  const { sourceAddress = executionAddress(record?.withdrawalCredentials ?? '') } = question
  const request = { sourceAddress, pubkey, amountGwei }
  return {
    verdict: judgeWithdrawalRequest(eve.state, request, spec),
    course: { state: applyWithdrawalRequests(eve.state, [request], spec), queue: eve.queue },
  }
}

/** Runs on with the blocks' requests until the state is at `toSlot`. */
function runWithRequests(
  course: Course,
  { requests, spec, fulu, toSlot }: Pick<LeaveQuestion, 'requests' | 'spec' | 'fulu'> & { toSlot: bigint },
): Course {
  let { state, queue } = course
  while (state.slot < toSlot) {
    const slot = state.slot + 1n
    const { due, rest } = takeDueDeposits(queue, { slot, fulu, spec })
    queue = rest
    const withdrawalRequests = requests.filter(({ blockSlot }) => blockSlot === slot)
    state = processSlot(state, spec, { slot, fulu, deposits: due, withdrawalRequests }).state
  }
  return { state, queue }
}

function placeAfter(
  { course, without }: { course: Course; without: Course },
  asked: { question: LeaveQuestion; index: number; withdrawableEpoch: bigint },
): PlaceAfter {
  const { question, index, withdrawableEpoch } = asked
  const { spec, fulu, pubkey } = question
  const eve = runFar(course, spec, { toSlot: lastSlotOfEpoch(withdrawableEpoch - 1n, spec), fulu })
  let paid = eve
  let beforeGwei = 0n
  while (paid === eve || waitsFor(paid.state, index, withdrawableEpoch)) {
    beforeGwei = paid.state.balancesGwei[index] ?? 0n
    paid = runForward(paid, spec, { toSlot: paid.state.slot + 1n, fulu })
  }
  const turn = lastSlotOfEpoch(epochOfSlot(paid.state.slot, spec), spec)
  const counted = runFar(paid, spec, { toSlot: turn, fulu })
  const place = placing(nextRankTable(counted.state, spec, { fulu }), pubkey)
  const toSlot = turn + 1n + (TURNS_AFTER - 1n) * spec.slotsPerEpoch
  const end = recordOf(runFar(counted, spec, { toSlot, fulu }).state, pubkey)
  const anyway = recordOf(runFar(without, spec, { toSlot, fulu }).state, pubkey)
  const exitEpoch = end?.exitEpoch ?? FAR_FUTURE_EPOCH
  return {
    paidSlot: paid.state.slot,
    paidGwei: beforeGwei - (paid.state.balancesGwei[index] ?? 0n),
    place,
    dropsOutAtEpoch: exitEpoch === FAR_FUTURE_EPOCH ? undefined : exitEpoch,
    dropsOutAnyway: (anyway?.exitEpoch ?? FAR_FUTURE_EPOCH) !== FAR_FUTURE_EPOCH,
  }
}

function waitsFor({ pendingPartialWithdrawals }: ConsensusState, index: number, epoch: bigint): boolean {
  return pendingPartialWithdrawals.some(
    (pending) => pending.validatorIndex === index && pending.withdrawableEpoch <= epoch,
  )
}

/**
 * `runForward`, over many epochs: where nothing can be paid and nothing waits to be counted, the rest of an epoch moves
 * the cursor of the sweep alone, and is passed over at once.
 */
export function runFar(
  course: Course,
  spec: ChainSpec,
  { toSlot, fulu }: { toSlot: bigint; fulu: boolean },
): Course {
  let { state, queue } = course
  while (state.slot < toSlot) {
    ;({ state, queue } = runForward({ state, queue }, spec, { toSlot: state.slot + 1n, fulu }))
    if (queue.length > 0 || mayPay(state, spec)) continue
    const end = lastSlotOfEpoch(epochOfSlot(state.slot, spec), spec)
    state = passed(state, spec, end < toSlot ? end : toSlot)
  }
  return { state, queue }
}

function passed(state: ConsensusState, spec: ChainSpec, slot: bigint): ConsensusState {
  const looks = (slot - state.slot) * BigInt(spec.maxValidatorsPerWithdrawalsSweep)
  const cursor = BigInt(state.nextWithdrawalValidatorIndex) + looks
  const count = BigInt(state.validators.length)
  return { ...state, slot, nextWithdrawalValidatorIndex: count === 0n ? 0 : Number(cursor % count) }
}

function mayPay(state: ConsensusState, spec: ChainSpec): boolean {
  const epoch = epochOfSlot(state.slot, spec)
  if (state.pendingPartialWithdrawals.some(({ withdrawableEpoch }) => withdrawableEpoch <= epoch)) return true
  return state.validators.some((validator, index) => {
    const balanceGwei = state.balancesGwei[index] ?? 0n
    if (!hasExecutionCredentials(validator.withdrawalCredentials)) return false
    if (validator.withdrawableEpoch <= epoch) return balanceGwei > 0n
    return balanceGwei > spec.maxEffectiveBalanceGwei
  })
}

function recordOf({ validators }: ConsensusState, pubkey: Hex): Validator | undefined {
  const index = findValidatorIndex(validators, pubkey)
  return index === undefined ? undefined : validators[index]
}
