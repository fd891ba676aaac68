import { formatCount, formatGwei, type Gwei, ordinal } from '../base/format/amount.ts'
import type { PlaceStep } from '../chain/consensus/place-cost.ts'

/** What a place costs now, in the one wording of the command and of the form before the first step. */
export const PLACE_COST_TEXT = {
  taken: (taken: number, places: number) => `${taken} of ${places} taken`,
  last: (stakeGwei: Gwei, token: string) => `${formatGwei(stakeGwei)} ${token} effective`,
  lastHas: (stakeGwei: Gwei, token: string) => `the last has ${formatGwei(stakeGwei)} ${token}`,
  noneActive: 'nobody is active',
  needs: (allGwei: Gwei, token: string) => `a new one needs ${formatGwei(allGwei)} ${token} in all`,
  noAmount: 'no amount reaches one',
  waiting: (count: number, amount: string) =>
    `${formatCount(BigInt(count))} ${count === 1 ? 'deposit' : 'deposits'}, ${amount}, counted in`,
  change,
  /** Above what amounts buy. */
  steps: 'What a new validator gets for so much in all:',
  step,
}

/** What a place would need if the deposits that wait were not there. */
function change(withoutGwei: Gwei | undefined, withGwei: Gwei | undefined, token: string): string {
  if (withoutGwei === undefined) return 'without them no amount reaches a place'
  if (withoutGwei === withGwei) return 'without them a place needs as much'
  return `without them a place needs ${formatGwei(withoutGwei)} ${token} in all`
}

/** What one amount buys: a place, or why none. */
function step({ outcome, rank, places }: PlaceStep): string {
  const place = rank === undefined ? '' : `${ordinal(rank)} for ${places} places`
  switch (outcome) {
    case 'below-threshold':
      return 'below the threshold: asks for no place'
    case 'lost-at-once':
      return `${place}: out at once, for ever`
    case 'drops-out':
      return `${place}: drops out, for ever`
    case 'tie':
      return `${place}: a tie, which counts as lost`
    case 'keeps-place':
      return place
  }
}
