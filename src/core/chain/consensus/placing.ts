import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import { EPOCHS_AHEAD, type OutlookQuestion } from './outlook.ts'
import { compareStake, findValidatorIndex, processEpochWithoutCap, stakeToBe } from './process-epoch.ts'
import { type Course, lastSlotOfEpoch, runForward } from './process-slot.ts'
import { activeSet, type ConsensusState, epochOfSlot, hysteresisBand, nextEffectiveBalance } from './state.ts'

/** One row of the rank table; rank 1 has the most stake. */
export type RankTableRow = {
  rank: number
  pubkey: Hex
  /** Effective balance, in gwei. */
  stakeGwei: Gwei
  /** Whether the rank is within the places. */
  hasPlace: boolean
}

/** All who want a place at an epoch, best first, before the cap sends anyone away. */
export type RankTable = {
  epoch: bigint
  places: number
  rows: readonly RankTableRow[]
}

/**
 * Returns the rank table of an epoch: who is, or by what the state holds will be, active then, in the order of the cap
 * (effective balance, then pubkey, both descending). A later epoch than the state's is reached by running the
 * model with empty blocks, so queued and about-to-qualify validators and pending withdrawals are in.
 */
export function rankTable(
  state: ConsensusState,
  spec: ChainSpec,
  options: { epoch: bigint; fulu: boolean },
): RankTable {
  const { epoch, fulu } = options
  if (epoch <= epochOfSlot(state.slot, spec)) return tableOf(state, spec, epoch)
  const toSlot = lastSlotOfEpoch(epoch - 1n, spec)
  const { state: eve } = runForward({ state, queue: [] }, spec, { toSlot, fulu })
  return nextRankTable(eve, spec, { fulu })
}

/** Returns the rank table of the next epoch as the turn that ends the state's own epoch would sort it. */
export function nextRankTable(state: ConsensusState, spec: ChainSpec, options: { fulu: boolean }): RankTable {
  return tableOf(processEpochWithoutCap(state, spec, options), spec, epochOfSlot(state.slot, spec) + 1n)
}

function tableOf(state: ConsensusState, spec: ChainSpec, epoch: bigint): RankTable {
  const ordered = activeSet(state, epoch).sort((a, b) => compareStake(b, a))
  const rows = ordered.map((validator, index) => ({
    rank: index + 1,
    pubkey: validator.pubkey,
    stakeGwei: validator.effectiveBalanceGwei,
    hasPlace: index < spec.validatorSetCap,
  }))
  return { epoch, places: spec.validatorSetCap, rows }
}

/** Where one validator stands on a rank table. */
export type Placing = {
  epoch: bigint
  rank: number
  places: number
  stakeGwei: Gwei
  /** Holder of the last place, possibly the validator itself; undefined while a place is free. */
  lastPlace: RankTableRow | undefined
  /** The strongest of the others that must be passed; undefined while places suffice for all. */
  cutoff: RankTableRow | undefined
  /** Own stake above the cutoff; zero is a tie and counts as lost. Undefined without a cutoff. */
  marginGwei: Gwei | undefined
  /** The least that others must add to take the place, ties counted against it. */
  othersNeedGwei: Gwei
}

/** Returns the standing of a validator on a rank table, undefined when it is not on it. */
export function placing(table: RankTable, pubkey: Hex): Placing | undefined {
  const own = table.rows.find((row) => sameHex(row.pubkey, pubkey))
  if (own === undefined) return undefined
  const others = table.rows.filter((row) => row !== own)
  const cutoff = others[table.places - 1]
  return {
    epoch: table.epoch,
    rank: own.rank,
    places: table.places,
    stakeGwei: own.stakeGwei,
    lastPlace: table.rows[table.places - 1],
    cutoff,
    marginGwei: cutoff === undefined ? undefined : own.stakeGwei - cutoff.stakeGwei,
    othersNeedGwei: leastToTake(own.stakeGwei, others, table.places),
  }
}

/** The cheapest way to have `places` others at or above a stake: lift the nearest ones, then bring new ones. */
function leastToTake(stakeGwei: Gwei, others: readonly RankTableRow[], places: number): Gwei {
  let sumGwei = 0n
  for (let place = 0; place < places; place += 1) {
    const missingGwei = stakeGwei - (others[place]?.stakeGwei ?? 0n)
    if (missingGwei > 0n) sumGwei += missingGwei
  }
  return sumGwei
}

/**
 * Where a validator stands at the tightest of the epoch boundaries that an outlook looks at: the one at which others
 * need the least more to take its place, with every deposit that is known and not counted yet. undefined where it
 * asks for a place at none of them.
 */
export function tightestPlacing({
  state,
  uncounted,
  spec,
  fulu,
  pubkey,
}: OutlookQuestion): Placing | undefined {
  const firstEpoch = epochOfSlot(state.slot, spec)
  let course: Course = { state, queue: uncounted }
  let tightest: Placing | undefined
  for (let epoch = firstEpoch; epoch < firstEpoch + EPOCHS_AHEAD; epoch += 1n) {
    const eve = runForward(course, spec, { toSlot: lastSlotOfEpoch(epoch, spec), fulu })
    const place = placing(nextRankTable(eve.state, spec, { fulu }), pubkey)
    if (place !== undefined && (tightest === undefined || isTighter(place, tightest))) tightest = place
    course = runForward(eve, spec, { toSlot: eve.state.slot + 1n, fulu })
  }
  return tightest
}

/** Out of the set it is lost by nothing more; then the larger distance to the cutoff tells. */
function isTighter(place: Placing, than: Placing): boolean {
  if (place.othersNeedGwei !== than.othersNeedGwei) return place.othersNeedGwei < than.othersNeedGwei
  return (place.marginGwei ?? 0n) < (than.marginGwei ?? 0n)
}

/**
 * The most by which one deposit of the least amount lifts an effective balance, in gwei: that amount on top of what the
 * hysteresis has held back, in whole increments.
 */
export function oneDepositLiftsGwei({
  spec,
  fulu,
  minimumDepositGwei,
}: Pick<OutlookQuestion, 'spec' | 'fulu' | 'minimumDepositGwei'>): Gwei {
  const mostGwei = minimumDepositGwei + hysteresisBand(spec, { fulu }).upGwei
  return mostGwei - (mostGwei % spec.effectiveBalanceIncrementGwei)
}

/**
 * Returns the least top-up, in whole increments, that lifts the effective balance of a validator, in gwei. undefined where
 * none does: the state does not hold the key, or its effective balance is at the maximum.
 */
export function leastLiftGwei(question: OutlookQuestion): Gwei | undefined {
  const { state, spec, fulu, minimumDepositGwei } = question
  const validator = state.validators[findValidatorIndex(state.validators, question.pubkey) ?? -1]
  if (validator === undefined) return undefined
  const stepGwei = spec.effectiveBalanceIncrementGwei
  const stakeGwei = stakeToBe(question)
  const counts = (addGwei: Gwei) =>
    nextEffectiveBalance({ ...validator, balanceGwei: stakeGwei + addGwei }, spec, { fulu })
  if (counts(0n) >= spec.maxEffectiveBalanceGwei) return undefined
  let addGwei = stepGwei
  while (addGwei < minimumDepositGwei || counts(addGwei) <= counts(0n)) addGwei += stepGwei
  return addGwei
}
