import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLauncher } from '../../src/compose/create-launcher.ts'
import { IDLE_MINUTES } from '../../src/compose/start-rehearsal.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { saidProblem } from '../support/said.ts'
import { testDevnet } from '../support/with-devnet.ts'

/** A clock that stands until its test moves it, and wakes who sleeps in order. */
function movedClock() {
  let now = 1_800_000_000_000
  const sleeping = new Set<{ until: number; wake: () => void }>()
  return {
    nowMs: () => now,
    monotonicMs: () => now,
    sleep: (delayMs: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason)
        const sleeper = { until: now + delayMs, wake: () => resolve() }
        sleeping.add(sleeper)
        signal?.addEventListener('abort', () => {
          sleeping.delete(sleeper)
          reject(signal.reason)
        })
      }),
    sleepers: () => sleeping.size,
    pass(ms: number) {
      now += ms
      for (const sleeper of sleeping) {
        if (sleeper.until > now) continue
        sleeping.delete(sleeper)
        sleeper.wake()
      }
    },
  }
}

/** A wizard that stands on its first form: nothing was asked of its network but what the opening asks. */
async function openForm() {
  const { devnet, directory, end } = await testDevnet()
  const clock = movedClock()
  const signer = { keystoreAddress: async () => ({}) } as unknown as Effects['signer']
  const effects = { ...createNodeEffects({ signer, tell: () => undefined }), clock }
  const launcher = createLauncher({
    effects,
    stateDirectory: directory,
    initial: undefined,
    onSession: () => undefined,
    tell: () => undefined,
  })
  const which = { descriptor: join(directory, 'descriptor.json') }
  const choice = { kind: 'rehearsal', which } as const
  const session = await launcher.openRehearsal(choice, new AbortController().signal)
  onTestFinished(() => session.stop())
  return { devnet, session, clock, end }
}

test('a rehearsal network is asked for as long as a wizard is attached to it, whatever form is open', async () => {
  const { devnet, session, clock, end } = await openForm()
  onTestFinished(end)
  for (let times = 0; times < 3; times += 1) {
    const before = devnet.requestCount()
    clock.pass((IDLE_MINUTES * 60_000) / 2)
    await expect.poll(() => devnet.requestCount()).toBeGreaterThan(before)
    await expect.poll(() => clock.sleepers()).toBe(1)
  }
  await session.stop()
  expect(clock.sleepers()).toBe(0)
  const atEnd = devnet.requestCount()
  clock.pass(IDLE_MINUTES * 60_000)
  expect(devnet.requestCount()).toBe(atEnd)
})

test('a step says that the rehearsal network has ended, and what to do', async () => {
  const { session, clock, end } = await openForm()
  await end()
  clock.pass(IDLE_MINUTES * 60_000)
  const problem = () => viewOf('genesis', session.getState(), session).problem
  await expect.poll(() => problem()?.title).toBe('The rehearsal network has ended.')
  expect(problem()).toMatchObject({ money: 'untouched' })
  expect(problem()?.lines).toContain('Its play money and its key end with it: nothing of value is lost.')
  expect(saidProblem(problem())?.next[0]).toBe(
    'q quits; start Bearings again and begin a new rehearsal with n',
  )
  expect(JSON.stringify(problem())).not.toContain('execution client')
})
