import type { Clock } from '../base/effects/effects.ts'
import type { ChainSpec } from '../chain/network/network.ts'

/** Who asks for a whole state again and again does so for no more than this share of the time. */
const SHARE_OF_TIME = 20
/** Where nothing depends on it, what gave nothing is asked for again after so many slots; and no urgent wait is longer. */
export const SLOTS_BETWEEN_STATES = 8

/** What was so when a set was read, and what is so now: its slot, how many deposits the contract had taken, which of them wait. */
type ReadAt = { slot: bigint; deposits: bigint | undefined; waiting: boolean }

/**
 * Whether a set that was read may hold no more: another epoch has begun, another deposit has come, or, as long as deposits
 * wait, another slot. `now.slot` is the newest slot whose state can be proven, `now.deposits` undefined where nobody says it.
 */
export function setMayHaveMoved(
  read: ReadAt,
  now: Omit<ReadAt, 'waiting'>,
  { slotsPerEpoch }: Pick<ChainSpec, 'slotsPerEpoch'>,
): boolean {
  if (now.slot / slotsPerEpoch !== read.slot / slotsPerEpoch) return true
  if (now.deposits !== undefined && now.deposits !== read.deposits) return true
  return read.waiting && now.slot > read.slot
}

/** How often something that is large to ask for may be asked for. */
export type StatePace = {
  /** Whether it may be asked for again; `mostMs`: where so much depends on it that no wait may be longer. */
  isOver(mostMs?: number): boolean
  /** Asks. The wait that follows is by the time that this took; after a failure there is none. */
  ask<T>(question: () => Promise<T>): Promise<T>
}

/** Makes the pace of one question, which was not asked yet. */
export function createStatePace(clock: Pick<Clock, 'monotonicMs'>): StatePace {
  let last: { endedMs: number; tookMs: number } | undefined
  return {
    isOver(mostMs = Number.POSITIVE_INFINITY) {
      if (last === undefined) return true
      return clock.monotonicMs() >= last.endedMs + Math.min(SHARE_OF_TIME * last.tookMs, mostMs)
    },
    async ask(question) {
      const startedMs = clock.monotonicMs()
      const value = await question()
      const endedMs = clock.monotonicMs()
      last = { endedMs, tookMs: endedMs - startedMs }
      return value
    },
  }
}
