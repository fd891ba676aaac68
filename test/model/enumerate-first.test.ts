import { expect, test } from 'vitest'
import { NIGHTLY } from '../support/hard.ts'
import { partsOf, searchAllNight } from './enumerate-night.ts'

const MINUTES = Number(process.env.BEARINGS_MINUTES ?? 10)
/** The minutes are those of a processor: on a busy computer they take as long as they take. */
const WHOLE_DAY_MS = 86_400_000

test.runIf(NIGHTLY)(
  'everything that can happen to a first deposit, as deep as the time allows',
  async () => {
    const { rows, found } = await searchAllNight('first', await partsOf('first'), MINUTES)
    expect(found).toBeUndefined()
    expect(Math.min(...rows.map(({ depth }) => depth))).toBeGreaterThan(0)
  },
  WHOLE_DAY_MS,
)
