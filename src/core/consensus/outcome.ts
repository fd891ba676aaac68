import type { Forecast } from './forecast.ts'

/** What becomes of the validator with a payment, worst first. */
export const OUTCOMES = ['below-threshold', 'lost-at-once', 'drops-out', 'tie', 'keeps-place'] as const

export type OutcomeClass = (typeof OUTCOMES)[number]

/** What a forecast promises. */
export function outcomeOf(seen: Forecast): OutcomeClass {
  if (!seen.crossesThreshold) return 'below-threshold'
  if (seen.evictedAtOnce) return 'lost-at-once'
  if (seen.exitEpoch !== undefined) return 'drops-out'
  return seen.marginGwei === 0n ? 'tie' : 'keeps-place'
}
