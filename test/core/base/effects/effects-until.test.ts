import { expect, test } from 'vitest'
import { effectsUntil } from '../../../../src/core/base/effects/effects-until.ts'
import { openEnds } from '../../../support/open-ends.ts'
import { bareEffects } from '../../../support/run-command.ts'
import { worldClock } from '../../../support/world-clock.ts'

const ASKED = { method: 'GET', url: 'http://127.0.0.1:1/a', deadlineMs: 1000, maxBytes: 10 } as const
const RUN = { path: '/bin/true', args: [], home: '/nowhere', timeoutMs: 1000, maxOutputBytes: 10 }

/** A world that answers nothing, until a signal. */
function silentWorld() {
  const stop = new AbortController()
  const http = { request: () => Promise.reject(new Error('the network was reached')) }
  const open = openEnds(
    bareEffects({ http, clock: worldClock(), random: { bytes: () => new Uint8Array() } }),
    () => 'silent',
  )
  return { stop, open, effects: effectsUntil(open.effects, stop.signal) }
}

test('what is under way ends with the reason of the signal, and leaves nothing open', async () => {
  const { stop, open, effects } = silentWorld()
  const own = new AbortController()
  const all = [
    effects.clock.sleep(1000),
    effects.clock.sleep(1000, own.signal),
    effects.http.request(ASKED),
    effects.http.request({ ...ASKED, signal: own.signal }),
  ]
  const reasons = Promise.allSettled(all)
  await Promise.resolve()
  expect(open.waits()).toHaveLength(4)
  stop.abort(new Error('the end'))
  expect(await reasons).toEqual(
    all.map(() => ({ status: 'rejected', reason: expect.objectContaining({ message: 'the end' }) })),
  )
  expect(open.waits()).toEqual([])
})

test('what begins after the signal fails with its reason', async () => {
  const { stop, effects } = silentWorld()
  stop.abort(new Error('the end'))
  await expect(effects.clock.sleep(0)).rejects.toThrow('the end')
  await expect(effects.http.request(ASKED)).rejects.toThrow('the end')
})

test('a signal of its own ends one request and no other', async () => {
  const { open, effects } = silentWorld()
  const own = new AbortController()
  const one = effects.http.request({ ...ASKED, signal: own.signal })
  void effects.http.request(ASKED)
  own.abort(new Error('enough'))
  await expect(one).rejects.toThrow('enough')
  expect(open.waits()).toHaveLength(1)
})

test('a program gets the signal', async () => {
  const stop = new AbortController()
  const { open } = silentWorld()
  const given: (AbortSignal | undefined)[] = []
  const run = async ({ signal }: { signal?: AbortSignal }) => {
    given.push(signal)
    return { exitCode: 0, stdout: '', stderr: '' }
  }
  await effectsUntil({ ...open.effects, exec: { ...open.effects.exec, run } }, stop.signal).exec.run(RUN)
  expect(given).toEqual([stop.signal])
})
