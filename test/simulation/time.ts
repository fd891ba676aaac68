import type { Clock } from '../../src/core/base/effects/effects.ts'

/** Where virtual time begins, Unix milliseconds. */
export const BEGIN_MS = 1_790_000_000_000

type Alarm = { atMs: number; order: number; ring: () => void }

/** Time of one simulated world: it moves only by `passTo`, from alarm to alarm, and nothing in it takes any. */
export type Time = {
  nowMs(): number
  sleep: Clock['sleep']
  /** Calls back at a moment, unless it is called off. */
  at(atMs: number, ring: () => void): () => void
  /** Lets everything happen up to a moment, in order. */
  passTo(untilMs: number): Promise<void>
  /** Resolves once nothing moves any more without time. */
  settle(): Promise<void>
}

const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Returns a world's time, at its beginning. Nothing in the world may wait for the real one. */
export function createTime(): Time {
  const alarms: Alarm[] = []
  let now = BEGIN_MS
  let order = 0

  const isBefore = (one: Alarm, other: Alarm) =>
    one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)
  const at = (atMs: number, ring: () => void) => {
    order += 1
    const alarm = { atMs: Math.max(now, atMs), order, ring }
    let place = alarms.length
    while (place > 0 && isBefore(alarm, alarms[place - 1] as Alarm)) place -= 1
    alarms.splice(place, 0, alarm)
    return () => {
      const found = alarms.indexOf(alarm)
      if (found !== -1) alarms.splice(found, 1)
    }
  }
  const sleep = (delayMs: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const giveUp = () => {
        callOff()
        reject(signal?.reason)
      }
      const callOff = at(now + Math.max(0, delayMs), () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      })
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  // Everything here answers within the same turn of the event loop: behind it nothing is left to happen.
  const settle = immediate
  return {
    nowMs: () => now,
    sleep,
    at,
    settle,
    async passTo(untilMs) {
      await settle()
      for (;;) {
        const [first] = alarms
        if (first === undefined || first.atMs > untilMs) break
        now = Math.max(now, first.atMs)
        while (alarms[0] !== undefined && alarms[0].atMs <= now) alarms.shift()?.ring()
        await settle()
      }
      now = Math.max(now, untilMs)
    },
  }
}
