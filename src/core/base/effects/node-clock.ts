import type { Clock } from './effects.ts'

/** Returns the real clock: wall time, monotonic time since the start, and sleeping that a signal can end. */
export function createNodeClock(): Clock {
  return { nowMs: () => Date.now(), monotonicMs: () => performance.now(), sleep }
}

function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, delayMs)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Runs something once after `delayMs` of real time, unless it is canceled. */
export function runLater(delayMs: number, run: () => void): { cancel(): void } {
  const timer = setTimeout(run, delayMs)
  return { cancel: () => clearTimeout(timer) }
}
