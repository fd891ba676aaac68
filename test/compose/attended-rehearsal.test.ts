import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLauncher } from '../../src/compose/create-launcher.ts'
import { IDLE_MINUTES } from '../../src/compose/start-rehearsal.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { rehearsalError } from '../../src/core/base/errors/rehearsal.ts'
import { readChronicle } from '../../src/core/chain/network/chronicle.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import type { DevnetInput } from '../../src/devnet/devnet.ts'
import { saidProblem } from '../support/said.ts'
import { userOf } from '../support/user-of.ts'
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
async function openForm(input: Partial<DevnetInput> = {}) {
  const { devnet, directory, end } = await testDevnet(input)
  const clock = movedClock()
  const signer = { keystoreAddress: async () => ({}) } as unknown as Effects['signer']
  const effects = { ...createNodeEffects({ signer, tell: () => undefined }), clock }
  const launcher = createLauncher({
    effects: async () => effects,
    stateDirectory: directory,
    signal: new AbortController().signal,
    initial: undefined,
    onSession: (session) => session,
    tell: () => undefined,
  })
  const which = { descriptor: join(directory, 'descriptor.json') }
  const choice = { kind: 'rehearsal', which } as const
  const session = await launcher.open(choice, {}, new AbortController().signal)
  onTestFinished(() => session.stop())
  return { devnet, directory, launcher, choice, session, clock, end }
}

test('a rehearsal network is asked for as long as a wizard is attached to it, whatever form is open', async () => {
  const { devnet, session, clock, end } = await openForm()
  onTestFinished(end)
  for (let times = 0; times < 3; times += 1) {
    const before = devnet.requestCount()
    clock.pass((IDLE_MINUTES * 60_000) / 2)
    await expect.poll(() => devnet.requestCount()).toBeGreaterThan(before)
    await expect.poll(() => clock.sleepers()).toBe(2)
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
  const { shortMessage, details, nextSteps } = rehearsalError('rehearsal.gone')
  await expect.poll(() => problem()?.title).toBe(shortMessage)
  expect(problem()).toMatchObject({
    money: 'untouched',
    lines: expect.arrayContaining([...details]),
    next: nextSteps,
  })
  expect(saidProblem(problem())?.next[0]).toMatch(/^q quits; .* n$/)
  expect(JSON.stringify(problem())).not.toContain('execution client')
})

test('the story of a network is told to its session as it goes on, with the pace that it has then', async () => {
  const { devnet, session, clock, end } = await openForm({ scenario: 'outbid-while-active' })
  onTestFinished(end)
  await expect.poll(() => session.getState().story?.phase).toBe('before')
  const user = await userOf(devnet)
  await user.firstDeposit(280_000n)
  const written = () => readChronicle(readFileSync(devnet.descriptor.story ?? '', 'utf8')).phase
  while (written() !== 'under-way') await devnet.advanceSlot()
  const told = () => {
    clock.pass(1000)
    return { phase: session.getState().story?.phase, slotMs: session.setup.network.slotMs }
  }
  await expect.poll(told).toEqual({ phase: 'under-way', slotMs: 6000 })
  await session.dispatch({ step: 'session', type: 'hasteWished', hasten: true })
  await expect.poll(told).toEqual({ phase: 'under-way', slotMs: 1000 })
})

test('another key is given to the node by its control, and the next session has that one', async () => {
  const { directory, launcher, choice, session, end } = await openForm({ scenario: 'squatted-key' })
  onTestFinished(end)
  const keyOf = () => readFileSync(join(directory, 'home/config/priv_validator_key.json'), 'utf8')
  const before = keyOf()
  await session.stop()
  const again = await launcher.open({ ...choice, newKey: true }, {}, new AbortController().signal)
  onTestFinished(() => again.stop())
  expect(keyOf()).not.toBe(before)
  await expect.poll(() => again.getState().story?.events.at(-1)?.id).toBe('new-key')
})
