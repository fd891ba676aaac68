import { afterEach, beforeEach, expect } from 'vitest'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { hardTest } from '../support/hard.ts'
import { register } from '../support/register.ts'
import { expectSpoken, timesIn } from '../support/same-words.ts'
import { frameOf, linesOf } from '../support/session-frame.tsx'
import { beginShownWatch } from '../support/shown-watch.tsx'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World

beforeEach(async () => {
  world = await startWorld({ scenario: 'free-places', forkInSeconds: 3 * 86_400 })
})
afterEach(() => world.end())

const standsIn = (session: Session) =>
  session.getState().status.alarms.find(({ alarm }) => alarm === 'execution-outdated')

hardTest(
  'an endpoint ahead by a fork is named wherever one looks, and once the own client has it no more',
  async () => {
    const { second = '', urls } = world.devnet.descriptor
    let isUpgraded = false
    /** A process whose own execution client is, once it was upgraded, one that knows the fork. */
    const begin = () =>
      world.begin({
        mutate: (effects) => ({
          ...effects,
          http: {
            request: (asked) =>
              effects.http.request(
                isUpgraded && asked.url.startsWith(urls.execution) ? { ...asked, url: second } : asked,
              ),
          },
        }),
      })
    const { pubkey } = await userOf(world.devnet)
    const life = begin()
    const { setup } = await world.session(life)
    const endpoints = { ...setup.endpoints, secondExecution: second }
    const session = createSession(life.effects, { ...setup, endpoints }, openAlarms)
    expect(await world.clock.flow(() => register(world, session))).toEqual({ end: 'active' })
    const both = `${urls.execution},${second}`
    const argv = ['--devnet', `${world.directory}/descriptor.json`, '--execution', both, `${pubkey}=mine`]
    const watched = await world.clock.flow(async () =>
      beginShownWatch(argv, {
        effects: () => begin().effects,
        clock: world.clock,
        directory: `${world.directory}/watches`,
      }),
    )
    const toldOf = (change: string) =>
      watched.told.filter((event) => event.alarm === 'execution-outdated' && event.change === change)
    const pass = async (isOver: () => boolean) => {
      for (let slot = 0; slot < 160 && !isOver(); slot += 1)
        await world.clock.flow(() => world.clock.sleep(1000))
      expect(isOver()).toBe(true)
      await world.clock.flow(() => world.clock.sleep(2000))
    }

    await pass(() => toldOf('fired').length > 0)
    await world.clock.flow(() => until(session, () => standsIn(session) !== undefined))
    const [fired] = toldOf('fired')
    const { title = '?', next = '?' } = fired ?? {}
    expect(fired).toMatchObject({ severity: 'info', title: expect.stringContaining(new URL(second).host) })
    for (const text of [title, next]) expectSpoken(text)
    // The table, its lines, a line for each event; the status of the wizard, on its screen and by lines.
    for (const place of [await watched.frame(), watched.said(), watched.lines.join('\n')])
      for (const text of [title, next]) expect(timesIn(place, text), `${text} in ${place}`).toBe(1)
    for (const place of [await frameOf(session), linesOf(session).join('\n')])
      expect(timesIn(place, title), `${title} in ${place}`).toBe(1)

    isUpgraded = true
    await pass(() => toldOf('cleared').length > 0)
    await world.clock.flow(() => until(session, () => standsIn(session) === undefined))
    const over = toldOf('cleared')[0]?.title ?? '?'
    expectSpoken(over)
    await world.clock.flow(() => world.clock.sleep(20_000))
    expect([toldOf('fired').length, toldOf('cleared').length]).toEqual([1, 1])
    const lines = watched.lines.join('\n')
    expect([timesIn(lines, title), timesIn(lines, over)], lines).toEqual([1, 1])
    expect(timesIn(await watched.frame(), title)).toBe(0)
    expect(standsIn(session)).toBeUndefined()
    await watched.stop()
  },
)
