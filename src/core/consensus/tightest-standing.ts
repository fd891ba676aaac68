import { epochOfSlot } from './active-set.ts'
import { hysteresisBand } from './effective-balance.ts'
import { EPOCHS_AHEAD, type OutlookQuestion } from './outlook.ts'
import { nextRankTable } from './rank-table.ts'
import { type Course, lastSlotOfEpoch, runForward } from './run-forward.ts'
import { type Standing, standing } from './standing.ts'

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
}: Pick<OutlookQuestion, 'spec' | 'fulu' | 'minimumDepositGwei'>): bigint {
  const mostGwei = minimumDepositGwei + hysteresisBand(spec, { fulu }).upGwei
  return mostGwei - (mostGwei % spec.effectiveBalanceIncrementGwei)
}
