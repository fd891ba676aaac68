import { GWEI_PER_TOKEN } from '../core/base/format/amount.ts'
import type { Placing } from '../core/chain/consensus/placing.ts'
import { dangerOf } from '../core/chain/key-state/ahead.ts'
import { isLost } from '../core/chain/key-state/own.ts'
import { type EpochsLeft, type Finding, type KnownMargin, recalled } from '../core/observe/memory.ts'
import type { AheadPicture, ValidatorPicture, WatchLimits } from '../core/observe/picture.ts'
import type { About } from './endpoint-findings.ts'
import * as words from './stake-words.ts'

/** A margin that shrank at once is spread over so many epochs, so that one deposit makes no trend. */
const LEAST_SPAN = 4n

/**
 * In how many epochs nothing is left of a margin, if it goes on shrinking as it did since it was largest of the epochs that
 * are remembered; `never` where it did not shrink, undefined where that is not known yet.
 */
function epochsLeft(margins: readonly KnownMargin[]): EpochsLeft {
  const now = margins.at(-1)
  if (now === undefined || margins.length < 2) return undefined
  const peak = margins.reduce((most, each) => (each.marginGwei >= most.marginGwei ? each : most))
  const lostGwei = peak.marginGwei - now.marginGwei
  if (lostGwei <= 0n) return 'never'
  const passed = now.epoch - peak.epoch
  return (now.marginGwei * (passed > LEAST_SPAN ? passed : LEAST_SPAN)) / lostGwei
}

/** Whether a margin is thin by one of its limits, wide, or between: then what was said of it stays. */
type Verdict = 'thin' | 'wide' | 'between'

/** Over only with some distance, so that a little more or less does not tell it again. */
function marginVerdict(found: bigint, limit: bigint): Verdict {
  if (found <= limit) return 'thin'
  const distance = limit / 4n
  return found > limit + (distance > 0n ? distance : 1n) ? 'wide' : 'between'
}

/** What a margin is by each limit that there is. */
function verdictsOf(
  { place, oneDepositGwei }: AheadPicture & { place: Placing },
  left: EpochsLeft,
  { marginGwei, marginPlaces, marginEpochs }: WatchLimits,
): Verdict[] {
  const leastGwei = oneDepositGwei > marginGwei ? oneDepositGwei : marginGwei
  const found = [marginVerdict(place.othersNeedGwei, leastGwei)]
  if (marginPlaces !== undefined)
    found.push(marginVerdict(BigInt(place.places - place.rank), BigInt(marginPlaces)))
  if (marginEpochs === undefined) return found
  if (left === 'never') return found
  return [...found, left === undefined ? 'between' : marginVerdict(left, BigInt(marginEpochs))]
}

/** Each halving of a margin is worse than it was. */
function halvings({ othersNeedGwei }: Placing): number {
  return -(othersNeedGwei / GWEI_PER_TOKEN).toString(2).length
}

/**
 * Finds whether others need little to take the place of the validator, now or soon. Finds nothing while the validator
 * drops out anyway.
 */
export function marginFinding(watched: ValidatorPicture, { memory, context }: About): Finding[] {
  const { pubkey, record, ahead } = watched
  const shape = { alarm: 'margin', subject: pubkey } as const
  if (record === undefined || record === 'absent') return []
  if (isLost(record)) return [{ ...shape, is: 'off', words: () => words.noPlaceAnyMore(watched) }]
  if (ahead?.place === undefined || dangerOf(ahead) !== undefined) return []
  const { place } = ahead
  const left = epochsLeft(recalled(memory, pubkey).margins)
  const verdicts = verdictsOf({ ...ahead, place }, left, context.limits)
  if (verdicts.includes('thin')) {
    const text = words.thinMargin(watched, { place, left }, context)
    return [{ ...shape, is: 'on', severity: 'warning', degree: [halvings(place)], ...text }]
  }
  const isWide = ahead.isWhole && verdicts.every((verdict) => verdict === 'wide')
  return isWide
    ? [{ ...shape, is: 'off', words: () => words.wideMargin(watched, { place, ahead }, context) }]
    : []
}
