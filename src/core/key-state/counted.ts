import type { UncountedDeposit } from '../consensus/survey.ts'

/**
 * Slots after which a deposit is in every state, however many waited before it: 16 are taken a slot, so to wait longer it
 * would have to stand behind a thousand others of 10,000 tokens or more each.
 */
export const SLOTS_TO_COUNT = 64n
/** Slots from a deposit's block to the first state that may hold it before Fulu; from Fulu on it is the block's own. */
const SLOTS_BEFORE_FULU = 2n
const TAKEN_IN_A_SLOT = 16

/** A proven balance of a validator, and how many of its deposits it may hold: at least and at most. */
export type Counted = { slot: bigint; balanceGwei: bigint; least: number; most: number }

/** All deposits for a key in the last blocks, oldest first; `ofAll`: how many there were for anybody. */
type Recent = { deposits: readonly Pick<UncountedDeposit, 'blockSlot' | 'amountGwei'>[]; ofAll: number }

/**
 * Which of a key's deposits a proven balance holds, where no proven state says how many the chain has counted. Deposits
 * are counted in their order, and as few as one slot takes never wait for one another; where there were more, what the
 * balance grew by since an earlier proof must be the deposits between, for nothing but deposits and withdrawals moves it.
 * The list is the one of the earlier proof with later ones behind it.
 *
 * The range narrows with each proof and never widens; where no count explains the growth, as after a withdrawal, it is
 * what age alone says.
 */
export function countByGrowth(
  before: Counted | undefined,
  now: { slot: bigint; balanceGwei: bigint; fulu: boolean },
  { deposits, ofAll }: Recent,
): Counted {
  const { slot, balanceGwei, fulu } = now
  const soonest = fulu ? 0n : SLOTS_BEFORE_FULU
  const latest = ofAll <= TAKEN_IN_A_SLOT ? soonest : SLOTS_TO_COUNT
  const olderThan = (slots: bigint) => deposits.filter(({ blockSlot }) => blockSlot + slots <= slot).length
  const least = Math.max(olderThan(latest), before?.least ?? 0)
  const byAge = { slot, balanceGwei, least, most: Math.max(olderThan(soonest), least) }
  if (before === undefined) return byAge
  const fits = (count: number) => {
    for (let then = before.least; then <= Math.min(before.most, count); then += 1) {
      const grownGwei = deposits.slice(then, count).reduce((sum, { amountGwei }) => sum + amountGwei, 0n)
      if (before.balanceGwei + grownGwei === balanceGwei) return true
    }
    return false
  }
  const counts: number[] = []
  for (let count = byAge.least; count <= byAge.most; count += 1) if (fits(count)) counts.push(count)
  const [first = byAge.least] = counts
  return { ...byAge, least: first, most: counts.at(-1) ?? byAge.most }
}
