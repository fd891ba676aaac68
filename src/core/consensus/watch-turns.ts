import { type Hex, sameHex } from '../format/hex.ts'
import type { ChainSpec } from '../network/chain-spec.ts'
import { epochOfSlot } from './active-set.ts'
import { EPOCHS_AHEAD } from './outlook.ts'
import { nextRankTable } from './rank-table.ts'
import { type Course, lastSlotOfEpoch, runForward } from './run-forward.ts'
import { type Standing, standing } from './standing.ts'
import { FAR_FUTURE_EPOCH, type Validator } from './state.ts'

/** Turns at which a place is looked at: at least the one that gives it and the one after. */
const LEAST_WATCHED = 2

/** Whom to watch. */
export type Watch = { spec: ChainSpec; fulu: boolean; pubkey: Hex; index: number }

/**
 * Runs epoch turns until the watched validator is leaving, stays without a place, or has been looked at on two
 * ladders with its deposits counted, and over as many turns as an outlook: what others have paid already may take a place
 * some epochs from now. Gives the course there and its standing on each ladder.
 */
export function watchTurns(start: Course, watch: Watch): { course: Course; standings: readonly Standing[] } {
  const { spec, fulu } = watch
  const standings: Standing[] = []
  let course = start
  for (let turns = 1n; ; turns += 1n) {
    const toSlot = lastSlotOfEpoch(epochOfSlot(course.state.slot, spec), spec)
    const eve = runForward(course, spec, { toSlot, fulu })
    const place = standing(nextRankTable(eve.state, spec, { fulu }), watch.pubkey)
    course = runForward(eve, spec, { toSlot: toSlot + 1n, fulu })
    const validator = course.state.validators[watch.index]
    const landed = !eve.queue.some((deposit) => sameHex(deposit.pubkey, watch.pubkey))
    const leaving = validator === undefined || validator.exitEpoch !== FAR_FUTURE_EPOCH
    if (place !== undefined && (landed || leaving)) standings.push(place)
    const watched = turns >= EPOCHS_AHEAD && standings.length >= LEAST_WATCHED
    const settled = leaving || watched || isStuck(validator, spec)
    if (landed && settled) return { course, standings }
  }
}

/** Neither eligible nor about to be: no later turn changes that without more stake. */
function isStuck(validator: Validator, spec: ChainSpec): boolean {
  const below = validator.effectiveBalanceGwei < spec.activationBalanceGwei
  return below && validator.activationEligibilityEpoch === FAR_FUTURE_EPOCH
}
