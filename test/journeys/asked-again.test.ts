import { expect, test } from 'vitest'
import { httpError } from '../../src/core/base/errors/http.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { answering } from '../support/answering.ts'
import { one } from '../support/hard.ts'
import { register } from '../support/register.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

/** Whether the payment of the step may be opened, and the marks of its rows that are not as they must be. */
function offered(step: 'deposit' | 'topup', session: Session) {
  const { actions, checks } = viewOf(step, session.getState(), session)
  const open = checks.filter(({ mark }) => mark === 'unknown').map(({ id }) => id)
  return { isOffered: actions.some(({ typed }) => typed !== undefined), open }
}

test.each(one(['deposit', 'topup'] as const, 0))(
  'final checks of a %s that an endpoint did not answer are asked again without a key',
  async (step) => {
    const world = await openWorld()
    let isDown = false
    const life = world.begin({
      mutate: (effects) =>
        answering(effects, ({ method }) =>
          isDown && method === 'eth_getBalance'
            ? Promise.reject(httpError('http.unreachable', 'http://127.0.0.1:8545', 'closed'))
            : undefined,
        ),
    })
    const seen: ReturnType<typeof offered>[] = []
    await world.clock.flow(async () => {
      const session = await world.session(life)
      const { slotMs } = session.setup.network
      const { promise, resolve } = Promise.withResolvers<void>()
      session.subscribe(({ step: now }) => {
        if (now === step && !isDown && seen.length === 0) isDown = true
      })
      const looks = async () => {
        await session.clock.sleep(8 * slotMs)
        seen.push(offered(step, session))
        isDown = false
        await session.clock.sleep(40 * slotMs)
        seen.push(offered(step, session))
        await session.stop()
        resolve()
      }
      let isThere = false
      const holding: Session = {
        ...session,
        async dispatch(event) {
          // Nobody presses a key.
          if (isThere) return false
          const result = await session.dispatch(event)
          if (session.getState().step === step) {
            isThere = true
            void looks()
          }
          return result
        },
      }
      void register(world, holding)
      await promise
    })
    expect(seen).toEqual([
      { isOffered: false, open: ['balance'] },
      { isOffered: true, open: [] },
    ])
  },
)
