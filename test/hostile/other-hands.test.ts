import { describe, expect, test } from 'vitest'
import { runsOf, sampled } from '../support/hard.ts'
import { startWorld } from '../support/world.ts'
import { AGREED } from './chain-itself.ts'
import { HANDS, mustBe } from './hands.ts'
import { interfere, type Moment } from './interfere.ts'
import type { Payment } from './lie.ts'

/** Lines of the journal from the agreement to the end of a payment with two endpoints. */
const LINES = 7
/** Questions from the agreement to the end of each payment, in an honest registration. */
const QUESTIONS: Readonly<Record<Payment, number>> = { 1: 119, 2: 150 }

const PAYMENTS: readonly Payment[] = [1, 2]

/** Every line; of the questions every so many-th. */
function momentsOf(payment: Payment, everyQuestions: number): Moment[] {
  const places = (count: number, every: number) =>
    Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every)
  return [
    ...places(LINES - 1, 1).map((place): Moment => ({ payment, at: 'line', place })),
    ...places(QUESTIONS[payment], everyQuestions).map(
      (place): Moment => ({ payment, at: 'question', place }),
    ),
  ]
}

const CASES = HANDS.flatMap((hand) =>
  PAYMENTS.flatMap((payment) =>
    momentsOf(payment, runsOf({ suite: 40, hard: 8 })).map((moment) => {
      const title = `${hand}, payment ${payment}, at ${moment.at} ${moment.place}`
      return [title, hand, moment] as const
    }),
  ),
)

describe('the same payment comes from elsewhere between its agreement and its end', () => {
  test.each(sampled(CASES, 92))('%s', async (_, hand, moment) => {
    const world = await startWorld()
    try {
      const { stage, paid, ours, endings, wrong } = await interfere(world, hand, moment)
      expect(wrong).toEqual([])
      expect(
        endings.map(({ end }) => end),
        JSON.stringify(endings),
      ).toEqual(endings.map(() => 'active'))
      const { payment } = moment
      const must = mustBe(hand, payment, stage ?? 'handed over')
      if (stage !== undefined) expect(must.ours).toContain(ours)
      const times = stage === undefined ? 1 : must.inAll(ours)
      expect(paid).toEqual(
        AGREED.flatMap((amount, at) => (at + 1 === payment ? Array(times).fill(amount) : amount)),
      )
    } finally {
      await world.end()
    }
  })
})
