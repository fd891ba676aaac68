import type { Clock } from '../../src/core/base/effects/effects.ts'

/** Time of a whole world: it stands still while anybody works, and leaps to the next alarm when all wait. */
export type WorldClock = Clock & {
  /** Time stands still until the work is settled. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Lets time go on while the work is under way; outside of this nothing ever wakes up. */
  flow<T>(work: () => Promise<T>): Promise<T>
  /** For work that lasts (under `during`) and only rests while it sleeps on this. */
  resting: Pick<Clock, 'nowMs' | 'sleep'>
}

type Alarm = { dueMs: number; ring: () => void }

const FIRST_MS = 1_800_000_000_000

/** A clock that starts at the same moment in every test. */
export function worldClock(): WorldClock {
  const alarms = new Set<Alarm>()
  let nowMs = FIRST_MS
  let busy = 0
  let flowing = 0
  let looking = false

  const enter = () => {
    busy += 1
  }
  const leave = () => {
    busy -= 1
    look()
  }

  /** Two turns of the event loop let every continuation begin its next piece of work first. */
  function look(): void {
    if (looking) return
    looking = true
    setImmediate(() => setImmediate(leap))
  }

  function leap(): void {
    looking = false
    if (busy > 0 || flowing === 0) return
    const next = [...alarms].reduce<Alarm | undefined>(
      (first, alarm) => (first === undefined || alarm.dueMs < first.dueMs ? alarm : first),
      undefined,
    )
    if (next === undefined) return
    alarms.delete(next)
    nowMs = Math.max(nowMs, next.dueMs)
    next.ring()
    look()
  }

  function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const give = () => {
        alarms.delete(alarm)
        reject(signal?.reason)
      }
      const alarm: Alarm = {
        dueMs: nowMs + delayMs,
        ring: () => {
          signal?.removeEventListener('abort', give)
          resolve()
        },
      }
      alarms.add(alarm)
      signal?.addEventListener('abort', give, { once: true })
      look()
    })
  }

  const clock: Clock = { nowMs: () => nowMs, monotonicMs: () => nowMs - FIRST_MS, sleep }
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    enter()
    return work().finally(leave)
  }
  return {
    ...clock,
    during,
    async flow(work) {
      flowing += 1
      look()
      return work().finally(() => {
        flowing -= 1
      })
    },
    resting: {
      nowMs: clock.nowMs,
      async sleep(delayMs, signal) {
        leave()
        await sleep(delayMs, signal).finally(enter)
      },
    },
  }
}
