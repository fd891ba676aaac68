import { beforeAll, describe, expect, test } from 'vitest'
import { HARD, runsOf, sampled } from '../support/hard.ts'
import { BRANCHES } from './branches.ts'
import { PLANTED } from './plants.ts'
import { play } from './play.ts'
import { type Schedule, scheduleOf } from './schedule.ts'
import { failureOf, failureText, type Outcome, simulate, unreached } from './simulate.ts'

const SEEDS = runsOf({ suite: 4, hard: 1000 })

describe('the whole program, while disk, clock, chain and endpoints fail', () => {
  let outcome: Outcome

  beforeAll(async () => {
    outcome = await simulate({ from: 0, seeds: SEEDS })
  }, 3_600_000)

  test('keeps its promises in each of so many seeds', () => {
    expect(outcome.failures.map(failureText).join('\n')).toBe('')
    expect(outcome.seeds).toBe(SEEDS)
  })

  test.runIf(HARD)('comes to every branch that must be reached', () => {
    expect(unreached(outcome.branches)).toEqual([])
    expect(Object.keys(outcome.branches)).toEqual(Object.keys(BRANCHES))
  })

  test('loses no alarm that a full disk did not keep before the power failed', async () => {
    const schedule: Schedule = {
      ...scheduleOf(1296),
      manners: { paceMs: 800, mischief: 0, slips: 0, refusals: 0 },
      slots: 15,
      happenings: [
        { slot: 0, do: 'manner', role: 'webhook', manner: 'dies', slots: 14 },
        { slot: 3, do: 'manner', role: 'node', manner: 'refuses', slots: 9 },
        { slot: 8, do: 'kill', who: 'watch' },
        { slot: 12, do: 'disk', who: 'watch', fault: 'ENOSPC', chance: 0.1, slots: 5 },
        { slot: 12, do: 'manner', role: 'second', manner: 'refuses', slots: 5 },
        { slot: 14, do: 'power' },
      ],
    }
    expect((await play(schedule)).objection).toBeUndefined()
  })

  test('follows what a guard has sent once a full disk takes lines again', async () => {
    const schedule: Schedule = {
      ...scheduleOf(13_138),
      manners: { paceMs: 300, mischief: 0, slips: 0, refusals: 0 },
      slots: 38,
      happenings: [
        { slot: 16, do: 'by-hand', what: 'rival-outbids' },
        { slot: 18, do: 'empty-blocks', slots: 4 },
        { slot: 23, do: 'disk', who: 'wizard', fault: 'ENOSPC', chance: 1, slots: 6 },
      ],
    }
    expect((await play(schedule)).objection).toBeUndefined()
  })

  test('tells the same story of the same seed', async () => {
    const schedule = scheduleOf(SEEDS)
    const [one, other] = [await play(schedule, { tells: true }), await play(schedule, { tells: true })]
    expect(one.story).toBe(other.story)
    expect(one.story.split('\n').length).toBeGreaterThan(2)
  })
})

describe('what is planted', () => {
  test.each(sampled(PLANTED, 2))('$name: is objected to', async ({ plants, rules, seed }) => {
    const { objection } = await play(scheduleOf(seed), { plants })
    expect(rules).toContain(objection?.rule)
  })

  test.runIf(HARD).each(PLANTED)(
    '$name: is found within the seeds of the hard run',
    async ({ plants, rules }) => {
      const { failures } = await simulate({ from: 0, seeds: SEEDS, plants, most: 1 })
      expect(rules).toContain(failures[0]?.rule)
    },
  )

  test('is told with its story, and with nothing that it does not need', async () => {
    const planted = PLANTED.find(({ name }) => name === 'a sync writes nothing')
    const schedule = {
      ...scheduleOf(3),
      happenings: [...scheduleOf(3).happenings, { slot: 1, do: 'power' } as const],
    }
    const { objection } = await play(schedule, { plants: planted?.plants ?? {} })
    if (objection === undefined) throw new Error('nothing was found')
    const failure = await failureOf(schedule, objection.rule, planted?.plants)
    expect(failure.schedule.happenings.length).toBeLessThan(schedule.happenings.length)
    expect(failure.story).toContain('JUDGE')
    expect(failureText(failure)).toContain(`seed ${schedule.seed}: ${failure.rule}`)
  })
})
