import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Effects } from '../../src/core/effects/effects.ts'
import { keyHeld } from '../../src/core/errors/journal.ts'
import { BEPOLIA, LOCAL_ENDPOINTS } from '../../src/core/network/presets.ts'
import { createSession } from '../../src/core/session.ts'
import { errorFacts } from '../../src/core/steps/observation.ts'
import { viewOf } from '../../src/core/view-of.ts'

/** A clock that fails as no clock should, until it is mended; nobody answers. */
function brokenWorld() {
  let isBroken = true
  const gone = () => new TypeError('the clock is gone')
  const monotonicMs = () => {
    if (isBroken) throw gone()
    return 0
  }
  const clock = { nowMs: () => 0, monotonicMs, sleep: () => new Promise<void>(() => {}) }
  const silent = new Proxy(
    {},
    { get: () => () => (isBroken ? Promise.reject(gone()) : new Promise(() => {})) },
  )
  const effects = { clock, http: silent, files: silent, store: silent, signer: silent, exec: silent }
  const directory = mkdtempSync(join(tmpdir(), 'bearings-faults-'))
  const setup = {
    network: BEPOLIA,
    homePath: '/nowhere',
    endpoints: LOCAL_ENDPOINTS,
    journalDirectory: directory,
    lockDirectories: [],
    outputDirectory: directory,
  }
  const mend = () => {
    isBroken = false
  }
  return { session: createSession(effects as unknown as Effects, setup), mend }
}

test('an error that nobody foresaw is on the screen of its step, with the key that starts it again', async () => {
  const { session, mend } = brokenWorld()
  const told = new Promise<void>((resolve) =>
    session.subscribe((_, event) => {
      if (event.step === 'session' && event.type === 'faulted') resolve()
    }),
  )
  await session.start()
  await told
  const shown = () => viewOf('genesis', session.getState(), session)
  expect(shown().problem).toMatchObject({
    title: 'This program has met an error of its own.',
    lines: expect.arrayContaining(['TypeError: the clock is gone']),
    next: expect.arrayContaining(['r starts this step again']),
  })
  const [again] = shown().actions.filter(({ key }) => key === 'r')
  mend()
  const does = Array.isArray(again?.does) ? again.does : []
  for (const event of does) await session.dispatch(event)
  expect(session.getState().faults.genesis).toBeUndefined()
  expect(session.getState().genesis.asking).toBe(true)
})

test('the first step says at once that another window has the key, by its process and what to do', async () => {
  const { session } = brokenWorld()
  const error = errorFacts(keyHeld(`0x${'a'.repeat(96)}`, 'Process 7025 holds the lock (/locks/key.lock).'))
  await session.dispatch({ step: 'session', type: 'refused', error })
  for (const step of ['genesis', 'identity'] as const) {
    expect(viewOf(step, session.getState(), session).problem).toMatchObject({
      title: 'Stop: this key is open in another window.',
      lines: expect.arrayContaining([expect.stringContaining('Process 7025')]),
      next: expect.arrayContaining([expect.stringContaining('Close the other window first.')]),
    })
  }
})
