import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../../src/core/pay/payment/decide.ts'
import { THRESHOLDS } from '../../src/core/pay/payment/payment-picture.ts'
import { isReply } from '../../src/core/pay/payment/round.ts'
import { runsOf } from '../support/hard.ts'
import type { Adapter } from './program.ts'
import { type Decide, PURE, pureBy } from './pure.ts'
import { type Options, play } from './run.ts'
import { type Schedule, schedules } from './schedule.ts'
import { STORIES } from './stories.ts'
import { WHOLE } from './whole.ts'

const SEED = 20_261_121

/** Between a question and a byte that leaves, time passes and a nonce may be used: that is judged of the decisions alone. */
const WITH_TIME = ['a', 'b.first-byte', 'b.restart', 'b.stale', 'b.export', 'c', 'd', 'e', 'f']

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

/** Faults that were planted, so that it is known that the judge would see them. */
const PLANTED: readonly { name: string; rule: string; decideBy: Decide }[] = [
  {
    name: 'the word of one endpoint is enough',
    rule: 'c',
    decideBy: (state, round) => decide(state, { ...round, byEndpoint: round.byEndpoint.slice(0, 1) }),
  },
  {
    name: 'an endpoint that is silent is left out',
    rule: 'c',
    decideBy: (state, round) => decide(state, { ...round, byEndpoint: round.byEndpoint.filter(isReply) }),
  },
  {
    name: 'what was agreed to is not looked at again',
    rule: 'b',
    decideBy: (state, round) => decide(state, { ...round, world: [{ good: true, words: '' }] }),
  },
  {
    name: 'a look at the world counts for ever',
    rule: 'b',
    decideBy: (state, round) => decide(state, round, { limits: { ...THRESHOLDS, look: 1_000_000 } }),
  },
  {
    name: 'a nonce that is used once is lost',
    rule: 'c',
    decideBy: (state, round) => decide(state, round, { limits: { ...THRESHOLDS, nonceTaken: 0 } }),
  },
  {
    name: 'a block that is not final ends a payment',
    rule: 'c',
    decideBy: (state, { byEndpoint, ...round }) => {
      const final = byEndpoint.map((one) => (isReply(one) ? { ...one, finalizedNumber: 1_000_000n } : one))
      return decide(state, { ...round, byEndpoint: final }, { limits: { ...THRESHOLDS, final: 0 } })
    },
  },
  {
    name: 'a block that is gone is waited for, for ever',
    rule: 'e',
    decideBy: (state, round) => decide(state, round, { limits: { ...THRESHOLDS, orphaned: 1_000_000 } }),
  },
  {
    name: 'deposits for the key are never found',
    rule: 'c',
    decideBy: (state, { byEndpoint, ...round }) => {
      const without = byEndpoint.map((one) => (isReply(one) ? { ...one, deposits: [] } : one))
      return decide(state, { ...round, byEndpoint: without })
    },
  },
]

describe('payments, whatever the chain, the endpoints and the people do', () => {
  it.each(STORIES)('$name', async ({ schedule }) => {
    expect(await objectionTo(PURE, schedule)).toBeUndefined()
    expect(await objectionTo(WHOLE, schedule, { rules: WITH_TIME })).toBeUndefined()
  })

  it('are judged well in every order of events, by their decisions alone', async () => {
    await playMany(PURE, runsOf({ suite: 6_000, hard: 100_000, nightly: 1_000_000 }))
  })

  it('are judged well with all that asks and signs', async () => {
    await playMany(WHOLE, runsOf({ suite: 100, hard: 3000, nightly: 30_000 }), { rules: WITH_TIME })
  })

  it.each(PLANTED)('are not judged well where $name', async ({ rule, decideBy }) => {
    await expect(playMany(pureBy(decideBy), 4000, { rules: [rule] })).rejects.toThrow('OBJECTION')
  })
})
