import { expect, test } from 'vitest'
import type { BaseError } from '../../src/core/base/errors/base.ts'
import { journalError } from '../../src/core/base/errors/journal.ts'
import { rehearsalError } from '../../src/core/base/errors/rehearsal.ts'
import { errorFacts } from '../../src/core/view/observation.ts'
import type { Event } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { until } from '../support/two-machines.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

const HELD = journalError(
  'journal.held',
  { pubkey: `0x${'a'.repeat(96)}` },
  'Process 7025 holds the lock (/locks/key.lock).',
)
const CASES: readonly [string, BaseError, (error: ReturnType<typeof errorFacts>) => Event][] = [
  [
    'the rehearsal network has ended',
    rehearsalError('rehearsal.gone'),
    (error) => ({ step: 'session', type: 'faulted', at: 'genesis', error }),
  ],
  ['another window has the key', HELD, (error) => ({ step: 'session', type: 'refused', error })],
]

test.each(CASES)('the first page offers no Enter and no good verdict once %s', async (_, thrown, event) => {
  const world = await openWorld()
  await world.clock.flow(async () => {
    const session = await world.session(world.begin())
    const page = () => viewOf('genesis', session.getState(), session)
    const keys = () => page().actions.map(({ key }) => key)
    await session.start()
    await until(session, () => keys().includes('return'))
    expect(page()).toMatchObject({ done: true, verdict: { mark: 'proven' } })
    await session.dispatch(event(errorFacts(thrown)))
    expect(page()).toMatchObject({ done: false, problem: { title: expect.any(String) } })
    expect(page().verdict).toBeUndefined()
    expect(keys()).not.toContain('return')
  })
})
