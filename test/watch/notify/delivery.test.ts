import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { fileSystemError } from '../../../src/core/base/errors/file.ts'
import type { WatchEvent } from '../../../src/core/view/alarm-event.ts'
import type { Channel } from '../../../src/watch/notify/channels.ts'
import { SENTENCES, sayingText } from '../../../src/watch/notify/text.ts'
import { type AlarmService, type Arrival, alarmService, type Conduct } from '../../support/alarm-service.ts'
import { alarmWorld, untilQuiet, watchEvent } from '../../support/alarm-world.ts'
import { runsOf } from '../../support/hard.ts'
import type { Life } from '../../support/life.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function begun(conduct: (path: string, place: number) => Conduct) {
  const world = alarmWorld()
  const service = await alarmService((path, place) => {
    const does = conduct(path, place)
    if (does === 'stalls') setImmediate(() => world.giveUp(path))
    return does
  })
  ends.push(() => world.end(), service.close)
  return { world, service }
}

function webhook(service: AlarmService, name: string): Channel {
  return { type: 'webhook', name, url: `${service.url}/${name}`, headers: {}, least: 'info', quiet: true }
}

const sequenceOf = ({ body }: Arrival) => (JSON.parse(body) as WatchEvent).sequence
const idOf = ({ body }: Arrival) => (JSON.parse(body) as WatchEvent).id
const at = (service: AlarmService, name: string) => service.arrivals.filter(({ path }) => path === `/${name}`)
const tookAt = (service: AlarmService, name: string) => at(service, name).filter(({ took }) => took)

describe('a disk that takes nothing', () => {
  test('is named once, and tried again every two seconds', async () => {
    const { world, service } = await begun(() => 'takes')
    const life = world.begin()
    const { store } = life.effects
    const triedMs: number[] = []
    const full = {
      ...store,
      async writeText(...[path, ...rest]: Parameters<typeof store.writeText>) {
        triedMs.push(world.clock.nowMs())
        if (triedMs.length <= 3) throw fileSystemError(path, 'ENOSPC')
        await store.writeText(path, ...rest)
      },
    }
    const onFull = { ...life, effects: { ...life.effects, store: full } }
    const outbox = await world.open(onFull, { channels: [webhook(service, 'a')], quiet: undefined })
    const beganMs = world.clock.nowMs()
    await outbox.add(watchEvent(1))
    expect(outbox.isKept()).toBe(false)
    await world.clock.flow(async () => {
      while (!outbox.isKept()) await world.clock.sleep(100)
    })
    expect(world.clock.nowMs() - beganMs).toBeLessThanOrEqual(3 * 2000)
    expect(world.said).toEqual([SENTENCES.unsaved(fileSystemError('', 'ENOSPC').shortMessage)])
    expect(tookAt(service, 'a').map(sequenceOf)).toEqual([1])
    await outbox.close()
  })
})

describe('an event on its way', () => {
  test('arrives once, and nothing waits any more', async () => {
    const { world, service } = await begun(() => 'takes')
    const outbox = await world.open(world.begin(), { channels: [webhook(service, 'a')], quiet: undefined })
    for (const sequence of [1, 2, 3]) await outbox.add(watchEvent(sequence))
    await untilQuiet(world.clock, outbox)
    expect(at(service, 'a').map(sequenceOf)).toEqual([1, 2, 3])
    expect(world.said).toEqual([])
  })

  test('is tried again with longer and longer pauses, and that is said once each way', async () => {
    const { world, service } = await begun((_, place) => (place < 4 ? 'fails' : 'takes'))
    const outbox = await world.open(world.begin(), { channels: [webhook(service, 'a')], quiet: undefined })
    const beganMs = world.clock.nowMs()
    await outbox.add(watchEvent(1))
    await untilQuiet(world.clock, outbox)
    expect(world.clock.nowMs() - beganMs).toBe(15_000)
    expect(world.said).toEqual([
      sayingText({
        what: 'failing',
        channel: 'a',
        reason: SENTENCES.answered(503, 'busy'),
        retryInMs: 1000,
        waiting: 1,
      }),
      sayingText({ what: 'works-again', channel: 'a', failures: 4 }),
    ])
  })

  test('waits as long as the service asks', async () => {
    const { world, service } = await begun((_, place) => (place === 0 ? 'asks to wait' : 'takes'))
    const outbox = await world.open(world.begin(), { channels: [webhook(service, 'a')], quiet: undefined })
    const beganMs = world.clock.nowMs()
    await outbox.add(watchEvent(1))
    await untilQuiet(world.clock, outbox)
    expect(world.clock.nowMs() - beganMs).toBe(40_000)
  })

  test('does not wait for another channel that is dead', async () => {
    const { world, service } = await begun((path) => (path === '/dead' ? 'forbids' : 'takes'))
    const channels = [webhook(service, 'dead'), webhook(service, 'a')]
    const outbox = await world.open(world.begin(), { channels, quiet: undefined })
    for (const sequence of [1, 2, 3]) await outbox.add(watchEvent(sequence))
    await world.clock.flow(() => world.clock.sleep(5000))
    expect(at(service, 'a').map(sequenceOf)).toEqual([1, 2, 3])
    expect(outbox.standing()).toMatchObject([
      { name: 'dead', waiting: 3, isWorking: false, failing: { reason: expect.stringContaining('403') } },
      { name: 'a', waiting: 0, isWorking: true },
    ])
  })

  test('is sent by one of two watches on one state directory, and the other hears who does', async () => {
    const { world, service } = await begun(() => 'takes')
    const config = { channels: [webhook(service, 'a')], quiet: undefined }
    const outbox = await world.open(world.begin(), config)
    await expect(world.open(world.begin(), config)).rejects.toThrow(/Process \d+ on .* holds the lock/)
    await outbox.close()
    await (await world.open(world.begin(), config)).close()
  })

  test('is given to nobody twice that was told twice', async () => {
    const { world, service } = await begun(() => 'takes')
    const outbox = await world.open(world.begin(), { channels: [webhook(service, 'a')], quiet: undefined })
    await outbox.add(watchEvent(1))
    await outbox.add(watchEvent(1))
    await untilQuiet(world.clock, outbox)
    expect(at(service, 'a').map(sequenceOf)).toEqual([1])
  })
})

const CONDUCTS: readonly Conduct[] = [
  'takes',
  'fails',
  'asks to wait',
  'forbids',
  'drops',
  'stalls',
  'takes and drops',
  'takes and cuts the answer',
]

/** What the service does with the first requests of each path, and after how many arrivals the watch is killed. */
const stories = fc.record({
  a: fc.array(fc.constantFrom(...CONDUCTS), { maxLength: 6 }),
  b: fc.array(fc.constantFrom(...CONDUCTS), { maxLength: 6 }),
  kills: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 2 }),
})

type Story = { a: Conduct[]; b: Conduct[]; kills: number[] }

/** Tells four events through two channels, and starts the watch again each time a request of it finds it dead. */
async function tell({ a, b, kills }: Story) {
  const plan: Readonly<Record<string, readonly Conduct[]>> = { '/a': a, '/b': b }
  let life: Life | undefined
  let arrived = 0
  const { world, service } = await begun((path, place) => {
    arrived += 1
    if (kills.includes(arrived)) life?.kill()
    return plan[path]?.[place] ?? 'takes'
  })
  const channels = [webhook(service, 'a'), webhook(service, 'b')]
  const unheard = new Set<Arrival>()
  let given = 0
  for (;;) {
    life = world.begin()
    const death = life.died.then(() => 'dead' as const)
    const outbox = await world.open(life, { channels, quiet: undefined })
    const run = async () => {
      for (; given < 4; given += 1)
        if ((await Promise.race([outbox.add(watchEvent(given + 1)), death])) === 'dead') return 'dead'
      return Promise.race([untilQuiet(world.clock, outbox), death])
    }
    if ((await world.clock.flow(run)) !== 'dead') {
      await outbox.close()
      return { service, unheard }
    }
    for (const name of ['a', 'b']) for (const arrival of at(service, name).slice(-1)) unheard.add(arrival)
  }
}

describe('everything arrives', () => {
  test('in order and at least once, and twice only where an answer was lost, under the same id', async () => {
    const goesWell = fc.asyncProperty(stories, async (story) => {
      const { service, unheard } = await tell(story)
      for (const name of ['a', 'b']) {
        const took = tookAt(service, name)
        const order = took.map(sequenceOf)
        expect([...new Set(order)]).toEqual([1, 2, 3, 4])
        expect(order).toEqual(order.toSorted((one, other) => one - other))
        expect(took.map(idOf)).toEqual(order.map((sequence) => watchEvent(sequence).id))
        const twice = took.filter((arrival, place) => order[place + 1] === sequenceOf(arrival))
        expect(twice.filter((arrival) => arrival.answered && !unheard.has(arrival))).toEqual([])
      }
      for (const end of ends.splice(0)) end()
    })
    await fc.assert(goesWell, { numRuns: runsOf({ suite: 8, hard: 150 }) })
  })
})
