import { forecast } from '../../consensus/forecast.ts'
import { isFulu } from '../../consensus/forks.ts'
import type { Standing } from '../../consensus/standing.ts'
import { type Survey, waitingDeposits } from '../../consensus/survey.ts'
import type { Setup } from '../../facts.ts'
import { formatCount, formatGwei, ordinal } from '../../format/amount.ts'
import type { Hex } from '../../format/hex.ts'
import type { ExpectedEpochs } from './timeline.ts'

/** What the model expects of the next boundaries, without any more stake from anybody. */
export function expectedEpochs(survey: Survey, pubkey: Hex, { network }: Setup): ExpectedEpochs {
  const { consensus: state, timestampSeconds } = survey
  const fulu = isFulu(network.spec, timestampSeconds)
  const uncounted = waitingDeposits(survey)
  return forecast({
    state,
    spec: network.spec,
    fulu,
    pubkey,
    addGwei: 0n,
    currentSlot: state.slot,
    uncounted,
  })
}

/** Whether a place is inside the set, a tie counted as lost. */
export function rankOk({ marginGwei }: Standing): boolean {
  return marginGwei === undefined || marginGwei > 0n
}

/** The place in words, with the epoch where its boundary is not the next one after `epoch`. */
export function rankWords(
  { rank, seats, lastSeat, cut, marginGwei, stakeGwei, epoch: at }: Standing,
  epoch: bigint,
): string {
  const when = at > epoch + 1n ? ` · at epoch ${formatCount(at)}` : ''
  if (cut === undefined || marginGwei === undefined)
    return `${rank} of ${seats} · ${lastSeat === undefined ? 'places are free' : 'no competitor'}${when}`
  const cutoff = `cutoff ${formatGwei(cut.stakeGwei)}`
  return rank > seats
    ? `${ordinal(rank)} for ${seats} places · ${cutoff} · you ${formatGwei(stakeGwei)}${when}`
    : `${rank} of ${seats} · ${cutoff} · margin ${formatGwei(marginGwei)}${when}`
}
