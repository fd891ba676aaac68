import type { Gwei } from '../format/amount.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import { EPOCHS_AHEAD, type OutlookQuestion } from './outlook.ts'
import { compareStake, processEpochWithoutCap } from './process-epoch.ts'
import { type Course, lastSlotOfEpoch, runForward } from './process-slot.ts'
import { activeSet, type ConsensusState, epochOfSlot, hysteresisBand } from './state.ts'

/** One rung of the ladder; rank 1 has the most stake. */
export type Rung = {
  rank: number
  pubkey: Hex
  /** Effective balance, in gwei. */
  stakeGwei: Gwei
  /** Whether the rank is within the seats. */
  seated: boolean
}

/** All who want a seat at an epoch, best first, before the cap sends anyone away. */
export type RankTable = {
  epoch: bigint
  seats: number
  rungs: readonly Rung[]
}

/**
 * The ladder of an epoch: who is, or by what the state holds will be, active then, in the order of the cap
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

/** The ladder of the next epoch as the turn that ends the state's own epoch would sort it. */
export function nextRankTable(state: ConsensusState, spec: ChainSpec, options: { fulu: boolean }): RankTable {
  return tableOf(processEpochWithoutCap(state, spec, options), spec, epochOfSlot(state.slot, spec) + 1n)
}

function tableOf(state: ConsensusState, spec: ChainSpec, epoch: bigint): RankTable {
  const ordered = activeSet(state, epoch).sort((a, b) => compareStake(b, a))
  const rungs = ordered.map((validator, index) => ({
    rank: index + 1,
    pubkey: validator.pubkey,
    stakeGwei: validator.effectiveBalanceGwei,
    seated: index < spec.validatorSetCap,
  }))
  return { epoch, seats: spec.validatorSetCap, rungs }
}

/** Where one validator stands on a ladder. */
export type Standing = {
  epoch: bigint
  rank: number
  seats: number
  stakeGwei: Gwei
  /** Holder of the last seat, possibly the validator itself; undefined while a seat is free. */
  lastSeat: Rung | undefined
  /** The strongest of the others that must be passed; undefined while seats suffice for all. */
  cut: Rung | undefined
  /** Own stake above the cut; zero is a tie and counts as lost. Undefined without a cut. */
  marginGwei: Gwei | undefined
  /** The least that others must add to take the seat, ties counted against it. */
  unseatedByGwei: Gwei
}

/** The standing of a validator on a ladder, undefined when it is not on it. */
export function standing(table: RankTable, pubkey: Hex): Standing | undefined {
  const own = table.rungs.find((rung) => sameHex(rung.pubkey, pubkey))
  if (own === undefined) return undefined
  const others = table.rungs.filter((rung) => rung !== own)
  const cut = others[table.seats - 1]
  return {
    epoch: table.epoch,
    rank: own.rank,
    seats: table.seats,
    stakeGwei: own.stakeGwei,
    lastSeat: table.rungs[table.seats - 1],
    cut,
    marginGwei: cut === undefined ? undefined : own.stakeGwei - cut.stakeGwei,
    unseatedByGwei: unseatedBy(own.stakeGwei, others, table.seats),
  }
}

/** The cheapest way to have `seats` others at or above a stake: lift the nearest ones, then bring new ones. */
function unseatedBy(stakeGwei: Gwei, others: readonly Rung[], seats: number): Gwei {
  let sumGwei = 0n
  for (let place = 0; place < seats; place += 1) {
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
export function tightestStanding({
  state,
  uncounted,
  spec,
  fulu,
  pubkey,
}: OutlookQuestion): Standing | undefined {
  const firstEpoch = epochOfSlot(state.slot, spec)
  let course: Course = { state, queue: uncounted }
  let tightest: Standing | undefined
  for (let epoch = firstEpoch; epoch < firstEpoch + EPOCHS_AHEAD; epoch += 1n) {
    const eve = runForward(course, spec, { toSlot: lastSlotOfEpoch(epoch, spec), fulu })
    const place = standing(nextRankTable(eve.state, spec, { fulu }), pubkey)
    if (place !== undefined && (tightest === undefined || isTighter(place, tightest))) tightest = place
    course = runForward(eve, spec, { toSlot: eve.state.slot + 1n, fulu })
  }
  return tightest
}

/** Out of the set it is lost by nothing more; then the larger distance to the cut tells. */
function isTighter(place: Standing, than: Standing): boolean {
  if (place.unseatedByGwei !== than.unseatedByGwei) return place.unseatedByGwei < than.unseatedByGwei
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
