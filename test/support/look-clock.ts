/** A clock that stands where its test puts it; who sleeps wakes only when the wait is given up. */
export function clockAt(nowMs: () => number) {
  return {
    nowMs,
    monotonicMs: nowMs,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  }
}
