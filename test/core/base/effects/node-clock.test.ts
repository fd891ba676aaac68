import { describe, expect, test } from 'vitest'
import { createNodeClock } from '../../../../src/core/base/effects/node-clock.ts'

describe('the real clock', () => {
  const clock = createNodeClock()

  test('sleeps at least as long as asked', async () => {
    const before = clock.monotonicMs()
    await clock.sleep(20)
    expect(clock.monotonicMs() - before).toBeGreaterThanOrEqual(19)
  })

  test('wakes with the reason of the signal', async () => {
    const stop = new AbortController()
    const sleeping = clock.sleep(60_000, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(sleeping).rejects.toThrow('stopped')
    await expect(clock.sleep(1, stop.signal)).rejects.toThrow('stopped')
  })
})
