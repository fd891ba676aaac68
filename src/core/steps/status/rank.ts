import { forecast } from '../../consensus/forecast.ts'
import { isFulu } from '../../consensus/forks.ts'
import { rankTable } from '../../consensus/rank-table.ts'
import { standing } from '../../consensus/standing.ts'
import { FAR_FUTURE_EPOCH, type Validator } from '../../consensus/state.ts'
import type { Survey } from '../../consensus/survey.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import type { Hex } from '../../format/hex.ts'
import type { ExpectedEpochs } from './timeline.ts'

/** The validator's place at the next turn, as the model sees it; undefined while it is not on the way to a seat. */
export function ownStanding(survey: Survey, facts: Facts, { network }: Setup) {
  const { consensus, timestampSeconds } = survey
  if (facts.identity === undefined) return undefined
  const own = consensus.validators.find(
    (validator) => validator.pubkey === facts.identity?.pubkey.toLowerCase(),
  )
  const now = consensus.slot / network.spec.slotsPerEpoch
  const activation = own === undefined ? now : activationOf(own, now, network.spec.activationBalanceGwei)
  const epoch = activation > now ? activation : now + 1n
  const table = rankTable(consensus, network.spec, { epoch, fulu: isFulu(network.spec, timestampSeconds) })
  return standing(table, facts.identity.pubkey)
}

/**
 * The epoch at which a validator becomes active, by the registry's step: one turn makes it eligible once its
 * effective balance suffices, the next one but one activates it (facts, "Epoch processing").
 */
function activationOf(validator: Validator, now: bigint, thresholdGwei: bigint): bigint {
  const { activationEpoch, activationEligibilityEpoch: eligible, effectiveBalanceGwei } = validator
  if (activationEpoch !== FAR_FUTURE_EPOCH) return activationEpoch
  if (eligible !== FAR_FUTURE_EPOCH) return (eligible > now ? eligible : now) + 1n
  return effectiveBalanceGwei >= thresholdGwei ? now + 2n : now + 3n
}

/** What the model expects of the next turns, without any more stake from anybody. */
export function expectedEpochs(survey: Survey, pubkey: Hex, { network }: Setup): ExpectedEpochs {
  const { consensus: state, timestampSeconds } = survey
  const fulu = isFulu(network.spec, timestampSeconds)
  return forecast({ state, spec: network.spec, fulu, pubkey, addGwei: 0n, currentSlot: state.slot })
}

/** Whether the place at the next turn is inside the set, a tie counted as lost. */
export function rankOk(survey: Survey, facts: Facts, setup: Setup): boolean {
  const place = ownStanding(survey, facts, setup)
  return place !== undefined && (place.marginGwei === undefined || place.marginGwei > 0n)
}

/** The place at the next turn in words. */
export function rankWords(survey: Survey, facts: Facts, setup: Setup): string {
  const place = ownStanding(survey, facts, setup)
  if (place === undefined) return 'not on the way to a seat yet'
  const last =
    place.lastSeat === undefined ? 'seats are free' : `last seat ${formatGwei(place.lastSeat.stakeGwei)}`
  const margin = place.marginGwei === undefined ? '' : ` · margin ${formatGwei(place.marginGwei)}`
  return `${place.rank} of ${place.seats} · ${last}${margin}`
}
