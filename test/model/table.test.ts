import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, type Row, TABLE } from '../../src/core/pay/payment/decide.ts'
import { HONEST } from './endpoint.ts'
import type { Adapter } from './program.ts'
import { PURE, pureBy } from './pure.ts'
import { play } from './run.ts'
import { type Schedule, schedules } from './schedule.ts'

const SEED = 11
const MOST_RUNS = 20_000

/** A fault in one row of the table, `undefined` where the row is left out; `schedule` where few orders of events show it. */
type Fault = {
  row: string
  fault: string
  change: Partial<Row> | undefined
  schedule?: Schedule
  /** Another beginning, where it is seen sooner. */
  seed?: number
}

/** A pool that is said to have the bytes, while the nonce is used at both endpoints. */
const KNOWN_THOUGH_USED: Schedule = {
  setting: { kind: 'top-up', signedBy: 'keystore', liar: 1, computers: 1, person: 'abandons' },
  actions: [
    { do: 'endpoint', at: 1, stance: { ...HONEST, lies: ['knows'] } },
    { do: 'by-hand', what: 'cancel', same: false },
    { do: 'any', who: 0, nth: 0 },
    { do: 'slots', count: 1, empty: false },
    { do: 'go-on', who: 0 },
  ],
}

const FAULTS: readonly Fault[] = [
  {
    row: 'nobody answers',
    fault: 'silence is taken for a lost nonce',
    change: {
      follows: () => ({
        events: [{ type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } }],
      }),
    },
  },
  {
    row: 'every endpoint shows the same end twice',
    fault: 'the first sight of one endpoint ends it',
    change: { holds: ({ inBlock }) => inBlock !== undefined },
  },
  {
    row: 'an endpoint has it in a block',
    fault: 'a block that was seen once is there for ever',
    change: { holds: ({ inBlock, payment }) => inBlock !== undefined || payment.included !== undefined },
  },
  { row: 'every endpoint lacks the block for long', fault: 'left out', change: undefined },
  {
    row: 'a replacement is to be exported',
    fault: 'nothing but that is done meanwhile, and it is never shown',
    change: { holds: ({ payment }) => payment.replacement !== undefined, follows: () => ({}) },
  },
  {
    row: 'a pool holds it',
    fault: 'a pool counts for more than a used nonce',
    change: { holds: ({ isKnown }) => isKnown },
    schedule: KNOWN_THOUGH_USED,
  },
  { row: 'the deposits for the key tell', fault: 'left out', change: undefined },
  { row: 'the nonce, or the contract account', fault: 'left out', change: undefined },
  { row: 'the nonce is lost, and a later one', fault: 'left out', change: undefined },
  { row: 'the nonce is used, and a deposit', fault: 'left out', change: undefined },
  { row: 'the nonce is lost to another', fault: 'left out', change: undefined },
  { row: 'the nonce is used by the word of some', fault: 'left out', change: undefined },
  { row: 'the nonce is not reached', fault: 'left out', change: undefined, seed: 21 },
  { row: 'nothing is signed here', fault: 'left out', change: undefined },
  { row: 'nobody has it', fault: 'left out', change: undefined },
]

function withFault({ row, change }: Fault): Adapter {
  const table = TABLE.flatMap((one) => {
    if (!one.name.startsWith(row)) return [one]
    return change === undefined ? [] : [{ ...one, ...change }]
  })
  return pureBy((state, round) => decide(state, round, { table }))
}

/** How many schedules were played until the judge objected; undefined where it never did. */
async function seenAfter(
  adapter: Adapter,
  { schedule: given, seed = SEED }: Pick<Fault, 'schedule' | 'seed'>,
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

  test.each(FAULTS)('is not the same with a fault in the row “$row …”: $fault', async (fault) => {
    expect(await seenAfter(withFault(fault), fault)).toBeDefined()
  })

  test('is sound where those faults were seen', async () => {
    expect(await seenAfter(PURE, { schedule: KNOWN_THOUGH_USED })).toBeUndefined()
  })
})
