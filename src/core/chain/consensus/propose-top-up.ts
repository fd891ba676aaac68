import { depositError } from '../../base/errors/deposit.ts'
import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import { type Forecast, type ForecastQuestion, forecast } from './forecast.ts'
import { applyDeposits, findValidatorIndex, type QueuedDeposit, stakeToBe } from './process-epoch.ts'
import { runForward } from './process-slot.ts'
import { type ConsensusState, FAR_FUTURE_EPOCH, floorEffectiveBalance } from './state.ts'

export type TopUpQuestion = Omit<ForecastQuestion, 'addGwei' | 'laterParts'> & {
  /** Least value of one deposit call. */
  minimumDepositGwei: Gwei
  /** Stake wanted above the cutoff; one increment when left out, and never less than one gwei: a tie is lost. */
  marginGwei?: Gwei
}

export type TopUpImpossible =
  /** The state does not hold the pubkey: anything sent now would be burnt. */
  | 'not-in-state'
  /** The validator is leaving; added stake comes back and the identity does not. */
  | 'leaving'
  /** Less room below the maximum effective balance than one deposit call needs. */
  | 'no-room'
  /** Even at the maximum effective balance the place is not won. */
  | 'place-out-of-reach'

export type TopUpProposal = { addGwei: Gwei; forecast: Forecast } | { impossible: TopUpImpossible }

/**
 * The least top-up, in whole increments, that activates a validator and keeps its place with the margin over the
 * cutoff, at both turns that a forecast watches; 0 when it needs none. Less may do, as `Rescue` says. Never takes the balance above the maximum
 * effective balance, never proposes less than one deposit call may carry. Each candidate is
 * judged by a forecast.
 *
 * @throws BaseError `consensus.amount` for a negative minimum or margin.
 */
export function proposeTopUp(question: TopUpQuestion): TopUpProposal {
  const { state, spec, minimumDepositGwei } = question
  const incrementGwei = spec.effectiveBalanceIncrementGwei
  const marginGwei = question.marginGwei ?? incrementGwei
  if (minimumDepositGwei < 0n)
    throw depositError('consensus.amount', 'minimumDepositGwei', minimumDepositGwei, 'zero or more')
  if (marginGwei < 0n) throw depositError('consensus.amount', 'marginGwei', marginGwei, 'zero or more')
  const index = findValidatorIndex(state.validators, question.pubkey)
  const validator = index === undefined ? undefined : state.validators[index]
  if (validator === undefined) return { impossible: 'not-in-state' }
  if (validator.exitEpoch !== FAR_FUTURE_EPOCH) return { impossible: 'leaving' }

  const asIs = forecast({ ...question, addGwei: 0n })
  if (isEnough(asIs, marginGwei)) return { addGwei: 0n, forecast: asIs }
  const roomGwei = spec.maxEffectiveBalanceGwei - stakeToBe(question)
  const least = ceilDivide(minimumDepositGwei, incrementGwei)
  const range = { low: least > 0n ? least : 1n, high: roomGwei / incrementGwei }
  if (range.high < range.low) return { impossible: 'no-room' }
  return leastEnough(range, (units) => {
    const addGwei = units * incrementGwei
    const ahead = forecast({ ...question, addGwei })
    return isEnough(ahead, marginGwei) ? { addGwei, forecast: ahead } : undefined
  })
}

function isEnough(ahead: Forecast, marginGwei: Gwei): boolean {
  if (!ahead.crossesThreshold || !ahead.keepsPlace) return false
  const overCutGwei = ahead.marginGwei
  if (overCutGwei === undefined) return true
  return overCutGwei > 0n && overCutGwei >= marginGwei
}

/** Halves the range; more own stake never loses a place that less would win. */
function leastEnough(
  range: { low: bigint; high: bigint },
  attempt: (units: bigint) => TopUpProposal | undefined,
): TopUpProposal {
  let { low, high } = range
  let best = attempt(high)
  if (best === undefined) return { impossible: 'place-out-of-reach' }
  while (low < high) {
    const middle = (low + high) / 2n
    const found = attempt(middle)
    if (found === undefined) low = middle + 1n
    else {
      best = found
      high = middle
    }
  }
  return best
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

/** A first deposit that is still to be made; amounts in gwei. */
export type EntryQuestion = {
  state: ConsensusState
  spec: ChainSpec
  fulu: boolean
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: Gwei
  currentSlot: bigint
  /** Deposits of anybody that are in blocks already and that the state does not hold yet, in order. */
  uncounted: readonly QueuedDeposit[]
}

/** Slots in which a deposit lands, counted from now: soon, or only after the next epoch turn where that is near. */
const LANDINGS = [0n, 4n]

/** Whether a first deposit asks for a place at once: then the cap may send it away at the turn that activates it. */
export function asksForPlace(amountGwei: Gwei, spec: ChainSpec): boolean {
  return floorEffectiveBalance(amountGwei, spec) >= spec.activationBalanceGwei
}

/**
 * Returns what becomes of the validator that a first deposit creates, by the worse of the moments in which it may land.
 * undefined for an amount that asks for no place. The key must not be in the state.
 */
export function forecastEntry(question: EntryQuestion): Forecast | undefined {
  const { spec, fulu, pubkey, amountGwei } = question
  if (!asksForPlace(amountGwei, spec)) return undefined
  const outcomes = LANDINGS.map((slots) => {
    const currentSlot = question.currentSlot + slots
    const entered = enter(question, currentSlot)
    return forecast({ ...entered, spec, fulu, pubkey, addGwei: 0n, currentSlot })
  })
  return outcomes.find(({ keepsPlace }) => !keepsPlace) ?? outcomes[0]
}

/** What a first deposit needs on top of it, in gwei. */
export type WholeWay = {
  /** Undefined where no amount is enough. */
  topUpGwei: Gwei | undefined
  /** The place that both reach, and the stake of the strongest who must be passed; none while places suffice for all. */
  place: { rank: number; places: number; cutoffGwei: Gwei | undefined } | undefined
  /** By the node's word alone. */
  reported: boolean
}

/**
 * What the validator that a first deposit creates needs on top of it for a place in the active set, were both made now.
 * The key must not be in the state. Throws as `proposeTopUp`.
 */
export function topUpAfterEntry(question: EntryQuestion & { minimumDepositGwei: Gwei }): TopUpProposal {
  const { spec, fulu, pubkey, currentSlot, minimumDepositGwei } = question
  const entered = enter(question, currentSlot)
  return proposeTopUp({ ...entered, spec, fulu, pubkey, currentSlot, minimumDepositGwei })
}

/** What becomes of the validator that a first deposit creates with so much on top of it. The key must not be in the state. */
export function forecastAfterEntry(question: EntryQuestion, addGwei: Gwei): Forecast {
  const { spec, fulu, pubkey, currentSlot } = question
  return forecast({ ...enter(question, currentSlot), spec, fulu, pubkey, currentSlot, addGwei })
}

/** The state of a slot with the first deposit counted in it, and the deposits that still wait then. */
function enter(
  { state, spec, fulu, pubkey, withdrawalCredentials, amountGwei, uncounted }: EntryQuestion,
  toSlot: bigint,
): { state: ConsensusState; uncounted: readonly QueuedDeposit[] } {
  const head = runForward({ state, queue: uncounted }, spec, { toSlot, fulu })
  const deposit = { pubkey, withdrawalCredentials, amountGwei, signatureValid: true }
  return { state: applyDeposits(head.state, [deposit], spec), uncounted: head.queue }
}
