import { depositError } from '../../base/errors/deposit.ts'
import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import type { Placing, RankTableRow } from './placing.ts'
import { findValidatorIndex, type QueuedDeposit } from './process-epoch.ts'
import { type Course, runForward } from './process-slot.ts'
import { watchTurns } from './snapshot.ts'
import { type ConsensusState, setEpoch } from './state.ts'

/** A question to the model. Amounts in gwei. */
export type ForecastQuestion = {
  state: ConsensusState
  spec: ChainSpec
  /** Whether Fulu's rules hold; taken to hold for the whole forecast. */
  fulu: boolean
  pubkey: Hex
  /** Amount of a top-up in the block after the current one; 0 asks what happens without any. */
  addGwei: Gwei
  /** Head of the chain; a state that is behind is first brought there with empty blocks. */
  currentSlot: bigint
  /** Deposits of anybody that are in blocks already and that the state does not hold yet, in order. */
  uncounted?: readonly QueuedDeposit[]
  /** More parts of the same top-up with the blocks that carry them, in order. */
  laterParts?: readonly { blockSlot: bigint; amountGwei: Gwei }[]
}

/** What the model says. Epochs are undefined where they stay far in the future. */
export type Forecast = {
  balanceAfterGwei: Gwei
  effectiveAfterGwei: Gwei
  crossesThreshold: boolean
  /** How much effective balance is missing to the activation balance. */
  shortOfThresholdGwei: Gwei
  eligibleEpoch: bigint | undefined
  activationEpoch: bigint | undefined
  exitEpoch: bigint | undefined
  /** From this epoch on the stake of an exited validator is paid back. */
  withdrawableEpoch: bigint | undefined
  /** Exit and activation at the same turn: the identity is lost. */
  evictedAtOnce: boolean
  /** Active, or to be active, and not leaving when the forecast ends. */
  keepsPlace: boolean
  places: number
  /** Epoch of the rank table that rank, cutoff and margin are read from: the tightest of the turns watched. */
  rankEpoch: bigint | undefined
  /** Undefined, like all that follows, where the validator stands on no ranks. */
  rank: number | undefined
  /** Holder of the last place, possibly the validator itself; undefined while a place is free. */
  lastPlace: RankTableRow | undefined
  /** The strongest of the others that must be passed; undefined while places suffice for all. */
  cutoff: RankTableRow | undefined
  /** Own stake above the cutoff; zero is a tie and counts as lost. Undefined without a cutoff. */
  marginGwei: Gwei | undefined
  /** The least that others must add to take the place, ties counted against it. */
  othersNeedGwei: Gwei | undefined
  /** The slot at which the forecast ends. */
  untilSlot: bigint
}

/**
 * What a top-up does, found by running the model until the turn after the one that activates the validator, with
 * all that the state already holds of others, and what they have sent. What others send later is not in it.
 *
 * @throws BaseError `consensus.unknown_validator` when the state lacks the pubkey, `consensus.amount` for a
 * negative amount.
 */
export function forecast(question: ForecastQuestion): Forecast {
  const { state, spec, fulu, pubkey, currentSlot } = question
  if (question.addGwei < 0n)
    throw depositError('consensus.amount', 'addGwei', question.addGwei, 'zero or more')
  const index = findValidatorIndex(state.validators, pubkey)
  if (index === undefined) throw depositError('consensus.unknown_validator', pubkey, state.slot)
  const head = runForward({ state, queue: question.uncounted ?? [] }, spec, { toSlot: currentSlot, fulu })
  const queue = [...head.queue, ...partsOf(question, head.state)]
  const end = watchTurns({ state: head.state, queue }, { spec, fulu, pubkey, index })
  return forecastOf(end.course.state, { spec, index, placings: end.placings })
}

function partsOf(question: ForecastQuestion, head: ConsensusState): Course['queue'] {
  const withdrawalCredentials: Hex = `0x${'00'.repeat(32)}`
  const first = { blockSlot: head.slot + 1n, amountGwei: question.addGwei }
  const parts = question.addGwei === 0n ? [] : [first]
  return [...parts, ...(question.laterParts ?? [])].map((part) => ({
    ...part,
    pubkey: question.pubkey,
    withdrawalCredentials,
    signatureValid: false,
  }))
}

function forecastOf(
  state: ConsensusState,
  found: { spec: ChainSpec; index: number; placings: readonly Placing[] },
): Forecast {
  const validator = state.validators[found.index]
  if (validator === undefined)
    throw depositError('consensus.unknown_validator', String(found.index), state.slot)
  const missingGwei = found.spec.activationBalanceGwei - validator.effectiveBalanceGwei
  const activationEpoch = setEpoch(validator.activationEpoch)
  const exitEpoch = setEpoch(validator.exitEpoch)
  const place = tightest(found.placings)
  return {
    balanceAfterGwei: state.balancesGwei[found.index] ?? 0n,
    effectiveAfterGwei: validator.effectiveBalanceGwei,
    crossesThreshold: missingGwei <= 0n,
    shortOfThresholdGwei: missingGwei > 0n ? missingGwei : 0n,
    eligibleEpoch: setEpoch(validator.activationEligibilityEpoch),
    activationEpoch,
    exitEpoch,
    withdrawableEpoch: setEpoch(validator.withdrawableEpoch),
    evictedAtOnce: activationEpoch !== undefined && activationEpoch === exitEpoch,
    keepsPlace: activationEpoch !== undefined && exitEpoch === undefined,
    places: found.spec.validatorSetCap,
    rankEpoch: place?.epoch,
    rank: place?.rank,
    lastPlace: place?.lastPlace,
    cutoff: place?.cutoff,
    marginGwei: place?.marginGwei,
    othersNeedGwei: place?.othersNeedGwei,
    untilSlot: state.slot,
  }
}

function tightest(placings: readonly Placing[]): Placing | undefined {
  const cutoff = placings.filter((place) => place.marginGwei !== undefined)
  const pool = cutoff.length === 0 ? placings : cutoff
  return pool.reduce<Placing | undefined>((least, place) => {
    if (least === undefined) return place
    return (place.marginGwei ?? 0n) < (least.marginGwei ?? 0n) ? place : least
  }, undefined)
}

/** What becomes of the validator with a payment, worst first. */
export const OUTCOMES = ['below-threshold', 'lost-at-once', 'drops-out', 'tie', 'keeps-place'] as const

export type OutcomeClass = (typeof OUTCOMES)[number]

/** Returns what a forecast promises. */
export function outcomeOf(ahead: Forecast): OutcomeClass {
  if (!ahead.crossesThreshold) return 'below-threshold'
  if (ahead.evictedAtOnce) return 'lost-at-once'
  if (ahead.exitEpoch !== undefined) return 'drops-out'
  return ahead.marginGwei === 0n ? 'tie' : 'keeps-place'
}
