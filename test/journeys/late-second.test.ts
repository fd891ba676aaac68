import { expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { endpointNear } from '../../src/watch/far-off.ts'
import { register } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { unsigned } from '../support/unsigned.ts'
import { withSecond } from '../support/with-second.ts'
import { startWorld } from '../support/world.ts'

test('the status screen names a second endpoint that answers too late, and says when it counts again', async () => {
  const world = await startWorld()
  let delayMs = 0
  const slowed = (effects: Effects): Effects => ({
    ...effects,
    http: {
      async request(asked) {
        // It gives its head at once, and takes its time for all else.
        const isHead = asked.body?.includes('eth_blockNumber') === true
        if (asked.url.includes('//localhost') && !isHead) await world.clock.resting.sleep(delayMs)
        return effects.http.request(asked)
      },
    },
  })
  const life = world.begin({ mutate: (effects) => unsigned(slowed(effects)) })
  // What is under way when the session ends takes its time as well.
  await world.clock.flow(async () => {
    try {
      const session = await withSecond(life, world.session(life))
      expect(await register(world, session)).toEqual({ end: 'active' })
      const alarmRows = () =>
        viewOf('status', session.getState(), session).facts.filter(({ label }) => label === 'alarm')
      delayMs = 2_500
      await until(session, ({ status }) => status.alarms.length > 0)
      expect(session.getState().status.alarms).toMatchObject([{ alarm: 'endpoint-far-off' }])
      const [row] = alarmRows()
      const { host } = new URL(session.setup.endpoints.secondExecution ?? '')
      expect(row?.long?.startsWith(`${host} `)).toBe(true)
      delayMs = 0
      await until(session, ({ status }) => status.alarms.length === 0 && status.pastAlarm !== undefined)
      expect(session.getState().status.pastAlarm?.title).toBe(
        endpointNear({ name: host, role: 'execution', sinceMs: 0, atMs: 0 }).title,
      )
    } finally {
      await world.end()
    }
  })
})
