/** A clock that stands still except when somebody sleeps on it or moves it. */
export type VirtualClock = {
  nowMs(): number
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
  pass(ms: number): void
}

/** A clock that starts at `startMs`; a sleep passes at once and moves it. */
export function virtualClock(startMs = 1_800_000_000_000): VirtualClock {
  let now = startMs
  return {
    nowMs: () => now,
    async sleep(delayMs, signal) {
      signal?.throwIfAborted()
      now += delayMs
    },
    pass(ms) {
      now += ms
    },
  }
}
