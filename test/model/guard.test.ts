import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../support/hard.ts'
import { type GuardAction, type GuardSchedule, guardSchedules, playGuard } from './guard.ts'
import { GUARD_PLANTED } from './guard-faults.ts'

const SEED = 20_261_124
const slots = (count: number): GuardAction => ({ do: 'slots', count, empty: false })
const story = (actions: readonly GuardAction[], over: Partial<GuardSchedule> = {}): GuardSchedule => ({
  liar: undefined,
  holders: 'one',
  slotsToHuman: 5,
  termBlocks: 400,
  actions,
  ...over,
})

describe('a guard in the model', () => {
  test('is never two in blocks, never outside its terms, never sent by the word of the liar', () => {
    const goesWell = fc.property(guardSchedules, (schedule) => playGuard(schedule).objection === undefined)
    const { counterexample } = fc.check(goesWell, {
      numRuns: runsOf({ suite: 300, hard: 20_000 }),
      seed: SEED,
    })
    if (counterexample !== null) {
      const [schedule] = counterexample
      expect.fail(`${playGuard(schedule).objection}: ${JSON.stringify(schedule)}`)
    }
  })

  test('keeps a place that is lost, by the least amount', () => {
    expect(playGuard(story([slots(3), { do: 'raise', to: 270_000 }, slots(20)]))).toEqual({
      objection: undefined,
      paid: [30_000],
      isLost: false,
    })
  })

  test('pays nothing where the place is kept', () => {
    expect(playGuard(story([{ do: 'raise', to: 240_000 }, slots(60)])).paid).toEqual([])
  })

  test('climbs while its rung waits, and one of both is in a block', () => {
    const stand = { do: 'slots', count: 8, empty: true } as const
    const schedule = story([
      { do: 'raise', to: 270_000 },
      stand,
      { do: 'raise', to: 280_000 },
      stand,
      slots(10),
    ])
    expect(playGuard(schedule)).toEqual({ objection: undefined, paid: [40_000], isLost: false })
  })

  test('climbs by no block that is not there: a standstill of twenty slots changes nothing', () => {
    const stand = { do: 'slots', count: 20, empty: true } as const
    expect(playGuard(story([{ do: 'raise', to: 270_000 }, stand, slots(10)])).paid).toEqual([30_000])
  })

  test('of which two computers hold a copy pays once', () => {
    const schedule = story([{ do: 'raise', to: 270_000 }, slots(30)], { holders: 'two computers' })
    expect(playGuard(schedule)).toEqual({ objection: undefined, paid: [30_000], isLost: false })
  })

  test('is void where the nonce is used by hand', () => {
    const schedule = story([
      { do: 'by-hand', what: 'cancel' },
      slots(3),
      { do: 'raise', to: 270_000 },
      slots(40),
    ])
    expect(playGuard(schedule)).toEqual({ objection: undefined, paid: [], isLost: true })
  })

  test('is kept back by a liar who says that the nonce is used, and not ended by it', () => {
    const lie = { do: 'lie', lies: ['nonce-high'] } as const
    const actions: GuardAction[] = [lie, { do: 'raise', to: 270_000 }, slots(20)]
    expect(playGuard(story(actions, { liar: 0 })).paid).toEqual([])
    const honest: GuardAction[] = [...actions, { do: 'lie', lies: [] }, slots(15)]
    expect(playGuard(story(honest, { liar: 0 }))).toEqual({
      objection: undefined,
      paid: [30_000],
      isLost: false,
    })
  })

  test('pays the rung again that a reorganization took out of its block', () => {
    const actions: GuardAction[] = [
      { do: 'raise', to: 270_000 },
      slots(7),
      { do: 'reorg', vanish: true },
      slots(30),
    ]
    expect(playGuard(story(actions))).toEqual({ objection: undefined, paid: [30_000], isLost: false })
  })

  test('pays what is needed by now where a reorganization took an amount out of its block that is not enough any more', () => {
    const actions: GuardAction[] = [
      { do: 'raise', to: 270_000 },
      slots(7),
      { do: 'reorg', vanish: true },
      { do: 'raise', to: 280_000 },
      slots(30),
    ]
    expect(playGuard(story(actions))).toEqual({ objection: undefined, paid: [40_000], isLost: false })
  })

  test('gives no amount out again by a look before the block that held it was gone', () => {
    const actions: GuardAction[] = [
      { do: 'raise', to: 270_000 },
      slots(7),
      { do: 'raise', to: 280_000 },
      { do: 'reorg', vanish: true },
      slots(30),
    ]
    expect(playGuard(story(actions))).toEqual({ objection: undefined, paid: [40_000], isLost: false })
  })

  test.each(GUARD_PLANTED.filter(({ isRandom }) => isRandom))(
    'whose decisions are wrong is seen by the judge: $name',
    ({ parts }) => {
      const goesWell = fc.property(
        guardSchedules,
        (schedule) => playGuard(schedule, parts).objection === undefined,
      )
      const { counterexample } = fc.check(goesWell, { numRuns: 1_500, seed: SEED })
      expect(counterexample).not.toBeNull()
    },
  )
})
