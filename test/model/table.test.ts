import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TABLE } from '../../src/core/pay/payment/decide.ts'
import { THRESHOLDS } from '../../src/core/pay/payment/payment-picture.ts'
import { sampled } from '../support/hard.ts'
import { FAULTS, KNOWN_THOUGH_USED, type RowFault, withRowFault } from './faults.ts'
import type { Adapter } from './program.ts'
import { PURE, pureBy } from './pure.ts'
import { play } from './run.ts'
import { type Schedule, schedules } from './schedule.ts'

const SEED = 11
const MOST_RUNS = 20_000

/** How many schedules were played until the judge objected; undefined where it never did. */
async function seenAfter(
  adapter: Adapter,
  { schedule: given, seed = SEED }: Pick<RowFault, 'schedule' | 'seed'>,
): Promise<number | undefined> {
  const goesWell = async (schedule: Schedule) => (await play(adapter, schedule)).objection === undefined
  if (given !== undefined) return (await goesWell(given)) ? undefined : 1
  const property = fc.asyncProperty(schedules, goesWell)
  const { failed, numRuns } = await fc.check(property, { numRuns: MOST_RUNS, seed, endOnFailure: true })
  return failed ? numRuns : undefined
}

describe('the table of decisions', () => {
  test('has a fault planted for each of its rows, and for nothing else', () => {
    const rows = FAULTS.map(({ row }) =>
      TABLE.filter(({ name }) => name.startsWith(row)).map(({ name }) => name),
    )
    expect(rows).toEqual(TABLE.map(({ name }) => [name]))
  })

  test.each(sampled(FAULTS, 2))('is not the same with a fault in the row “$row …”: $fault', async (fault) => {
    const decideBy = withRowFault(fault)
    const adapter = pureBy((state, round) => decideBy(state, round, THRESHOLDS))
    expect(await seenAfter(adapter, fault)).toBeDefined()
  })

  test('is sound where those faults were seen', async () => {
    expect(await seenAfter(PURE, { schedule: KNOWN_THOUGH_USED })).toBeUndefined()
  })
})
