import type { Forecast } from '../../consensus/forecast.ts'
import { formatGwei } from '../../format/amount.ts'

/** What becomes of the validator with the payment, worst first. */
const OUTCOMES = ['below-threshold', 'lost-at-once', 'drops-out', 'tie', 'keeps-place'] as const

type Outcome = (typeof OUTCOMES)[number]

/** What the screen said of the validator when its user agreed to a payment. Amounts in gwei. */
export type AgreedWorld = {
  /** The last block whose deposits were known then. */
  block: bigint
  /** What the beacon state held. */
  balanceGwei: bigint
  /** The same with what was in blocks and not counted yet; undefined where that was not known. */
  stakeToBeGwei: bigint | undefined
  outcome: Outcome
}

/** The same as it is now, read anew. */
export type WorldNow = Omit<AgreedWorld, 'block'> & {
  /** Deposits for this key in blocks after the agreement's. */
  arrived: readonly Arrived[]
}

/** Whether the payment may be made, and how to say it. */
type Verdict = { good: boolean; words: string }

/** A deposit that this agreement does not know of. */
type Arrived = { block: bigint; amountGwei: bigint }

/**
 * Whether a payment may still be made in the world as it is now. Consent is about a world: what was agreed to for a
 * validator with so much stake is not agreed to for one with more, or with less, or with a worse outcome. What is only
 * counted later, or active an epoch later, or ranks better, stops nothing. An agreement that does not say what was
 * known stops everything.
 */
export function stillAgreed(agreed: AgreedWorld | undefined, now: WorldNow, token: string): Verdict {
  if (agreed === undefined) return stops('agreed without this look at the validator: agree again')
  const isSame = sameStake(agreed, now)
  const [first] = now.arrived
  // Where both looks knew all that waits, an event beside an unchanged stake is made up.
  if (first !== undefined && !(isSame && knowsAll(agreed) && knowsAll(now))) {
    const sumGwei = now.arrived.reduce((sum, { amountGwei }) => sum + amountGwei, 0n)
    return stops(`${formatGwei(sumGwei)} ${token} more arrived in block ${first.block}, not by this payment`)
  }
  if (!isSame) {
    const [then, is] = [agreed.stakeToBeGwei ?? agreed.balanceGwei, now.stakeToBeGwei ?? now.balanceGwei]
    return stops(`the stake is ${formatGwei(is)} ${token}, and was ${formatGwei(then)} when you agreed`)
  }
  if (OUTCOMES.indexOf(now.outcome) < OUTCOMES.indexOf(agreed.outcome)) return stops(WORSE[now.outcome])
  return { good: true, words: 'as agreed' }
}

const WORSE: Readonly<Record<Outcome, string>> = {
  'below-threshold': 'this amount no longer passes the threshold: agree again',
  'lost-at-once': 'this amount would be sent away at once by now: the key would be lost',
  'drops-out': 'this amount no longer keeps a place in the active set: agree again',
  tie: 'this amount is only a tie for the last place by now: agree again',
  'keeps-place': '',
}

function stops(words: string): Verdict {
  return { good: false, words }
}

function knowsAll({ stakeToBeGwei }: Pick<AgreedWorld, 'stakeToBeGwei'>): boolean {
  return stakeToBeGwei !== undefined
}

/**
 * Stake is compared with what waits to be counted where both looks knew that. Where one did not, the proven balance
 * must be the one that was shown, or what it grows to by what was known to wait.
 */
function sameStake(agreed: AgreedWorld, now: WorldNow): boolean {
  if (agreed.stakeToBeGwei !== undefined && now.stakeToBeGwei !== undefined)
    return agreed.stakeToBeGwei === now.stakeToBeGwei
  return now.balanceGwei === agreed.balanceGwei || now.balanceGwei === agreed.stakeToBeGwei
}

/** What a forecast promises. */
export function outcomeOf(seen: Forecast): Outcome {
  if (!seen.crossesThreshold) return 'below-threshold'
  if (seen.evictedAtOnce) return 'lost-at-once'
  if (seen.exitEpoch !== undefined) return 'drops-out'
  return seen.marginGwei === 0n ? 'tie' : 'keeps-place'
}
