import { isFulu } from '../../consensus/forks.ts'
import { rankTable } from '../../consensus/rank-table.ts'
import { standing } from '../../consensus/standing.ts'
import { FAR_FUTURE_EPOCH } from '../../consensus/state.ts'
import type { Survey } from '../../consensus/survey.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'

/** The validator's place at the next turn, as the model sees it; undefined while it is not on the way to a seat. */
export function ownStanding(survey: Survey, facts: Facts, { network }: Setup) {
  const { consensus, timestampSeconds } = survey
  if (facts.identity === undefined) return undefined
  const own = consensus.validators.find(
    (validator) => validator.pubkey === facts.identity?.pubkey.toLowerCase(),
  )
  const next = consensus.slot / network.spec.slotsPerEpoch + 1n
  const activation = own?.activationEpoch ?? FAR_FUTURE_EPOCH
  const waits = activation === FAR_FUTURE_EPOCH ? next + 2n : activation
  const epoch = waits > next ? waits : next
  const table = rankTable(consensus, network.spec, { epoch, fulu: isFulu(network.spec, timestampSeconds) })
  return standing(table, facts.identity.pubkey)
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
