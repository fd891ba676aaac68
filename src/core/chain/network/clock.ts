import { MOST_CLOCK_AHEAD_MS, MOST_CLOCK_BEHIND_MS } from './limits.ts'

/**
 * How far the clock of this computer is ahead of the chain, in milliseconds, below zero where it is behind; by the ages that
 * new blocks had when they were seen. A block is seen up to a slot after its time, never before it: the youngest and the
 * oldest of several tell. 0 where they can be of a clock that is right; without a block it is no clock that can be called right.
 * undefined where nothing can be compared: old blocks that come faster than they are made are caught up with.
 */
export function clockAheadMs(agesMs: readonly number[], slotMs: number): number | undefined {
  const [youngest, oldest] = [Math.min(...agesMs), Math.max(...agesMs)]
  if (oldest < 0) return oldest
  if (youngest <= slotMs) return 0
  return oldest - youngest > slotMs ? undefined : youngest - slotMs
}

/** Returns what follows from it: `near` is well within the limits, and `between` neither fires nor clears anything. */
export function judgeClock(aheadMs: number): 'behind' | 'ahead' | 'near' | 'between' {
  if (aheadMs < -MOST_CLOCK_BEHIND_MS) return 'behind'
  if (aheadMs > MOST_CLOCK_AHEAD_MS) return 'ahead'
  const isNear = aheadMs > -MOST_CLOCK_BEHIND_MS / 2 && aheadMs < MOST_CLOCK_AHEAD_MS / 2
  return isNear ? 'near' : 'between'
}
