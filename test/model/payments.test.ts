import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { THRESHOLDS } from '../../src/core/pay/payment/payment-picture.ts'
import { runsOf } from '../support/hard.ts'
import { PLANTED } from './faults.ts'
import type { Adapter } from './program.ts'
import { PURE, pureBy } from './pure.ts'
import { type Options, play } from './run.ts'
import { type Schedule, schedules } from './schedule.ts'
import { STORIES } from './stories.ts'
import { WHOLE } from './whole.ts'

const SEED = 20_261_121

/** Between a question and a byte that leaves, time passes and a nonce may be used: that is judged of the decisions alone. */
const WITH_TIME = ['a', 'b.first-byte', 'b.restart', 'b.stale', 'b.export', 'c', 'd', 'e', 'f', 'g', 'h']

/** The story of a schedule that the judge objects to; undefined where all goes well. */
async function objectionTo(
  adapter: Adapter,
  schedule: Schedule,
  options: Options = {},
): Promise<string | undefined> {
  const { objection } = await play(adapter, schedule, options)
  if (objection === undefined) return undefined
  return (await play(adapter, schedule, { ...options, tells: true })).story
}

/** Plays as many schedules, and throws the story of the shortest one that the judge objects to. */
async function playMany(adapter: Adapter, numRuns: number, options: Options = {}): Promise<void> {
  const goesWell = fc.asyncProperty(schedules, async (schedule) => {
    const { objection } = await play(adapter, schedule, options)
    return objection === undefined
  })
  const { counterexample } = await fc.check(goesWell, { numRuns, seed: SEED })
  if (counterexample !== null)
    expect.fail((await objectionTo(adapter, counterexample[0], options)) ?? 'no story')
}

describe('payments, whatever the chain, the endpoints and the people do', () => {
  it.each(STORIES)('$name', async ({ schedule }) => {
    expect(await objectionTo(PURE, schedule)).toBeUndefined()
    expect(await objectionTo(WHOLE, schedule, { rules: WITH_TIME })).toBeUndefined()
  })

  it('are judged well in every order of events, by their decisions alone', async () => {
    await playMany(PURE, runsOf({ suite: 1_500, hard: 100_000, nightly: 1_000_000 }))
  })

  it('are judged well with all that asks and signs', async () => {
    await playMany(WHOLE, runsOf({ suite: 60, hard: 3000, nightly: 30_000 }), { rules: WITH_TIME })
  })

  it.each(PLANTED)('are not judged well where $name', async ({ rule, decideBy }) => {
    const adapter = pureBy((state, round) => decideBy(state, round, THRESHOLDS))
    await expect(playMany(adapter, 4000, { rules: [rule] })).rejects.toThrow('OBJECTION')
  })
})
