import { setTimeout } from 'node:timers/promises'

/** Time that passes `rate` times as fast as the computer's; the rate may be changed at any moment. */
export type PacedClock = {
  nowMs(): number
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
  setRate(rate: number): void
}

/** A clock for a chain that a test hurries along and lets wait; a sleep that has begun ends at its old rate. */
export function pacedClock(rate: number): PacedClock {
  let pace = rate
  let baseMs = Date.now()
  let sinceMs = Date.now()
  const nowMs = () => baseMs + (Date.now() - sinceMs) * pace
  return {
    nowMs,
    sleep: (delayMs, signal) => setTimeout(delayMs / pace, undefined, { signal }),
    setRate(next) {
      baseMs = nowMs()
      sinceMs = Date.now()
      pace = next
    },
  }
}
