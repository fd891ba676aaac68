import type { ExecutionClock } from './execution/types.ts'

/** Late slots are made up for one by one, but never more than a few: a network that slept goes on from where it is. */
const MOST_SLOTS_BEHIND = 4

/** Calls `advanceSlot` every `slotMs` on the clock until the signal is given. Rejects when a slot cannot be made. */
export async function runByClock(
  clock: ExecutionClock,
  loop: { slotMs: () => number; advanceSlot: () => Promise<unknown>; signal: AbortSignal },
): Promise<void> {
  const { signal } = loop
  let dueMs = clock.nowMs() + loop.slotMs()
  while (!signal.aborted) {
    const waitMs = dueMs - clock.nowMs()
    if (waitMs > 0) await clock.sleep(waitMs, signal).catch(() => undefined)
    if (signal.aborted) return
    await loop.advanceSlot()
    const slotMs = loop.slotMs()
    dueMs = Math.max(dueMs + slotMs, clock.nowMs() - MOST_SLOTS_BEHIND * slotMs)
  }
}

/** Turns a piece of work into one that never overlaps with itself. */
export function oneByOne<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
}
