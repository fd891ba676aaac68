import { describe, expect, test } from 'vitest'
import type { JournalEvent } from '../../src/core/wizard/journal/events.ts'
import { type JournalHeader, openJournal } from '../../src/core/wizard/journal/journal.ts'
import { one } from '../support/hard.ts'
import { expectOnePaymentEach } from '../support/kills.ts'
import { type Ending, live } from '../support/register.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

/** Adds lines to the journal of a finished registration. */
async function addLines(world: World, events: readonly JournalEvent[]): Promise<void> {
  const { data } = world.journal()[0] ?? {}
  const life = world.begin()
  const { effects } = life
  const journal = await openJournal(effects, world.journalPath() ?? '', data as JournalHeader)
  for (const event of events) await journal.append(event)
  await journal.close()
  life.kill()
}

const LOST = { is: 'nonce-taken', otherDeposit: undefined } as const
/** What an earlier version wrote of payments whose receipts the endpoint had forgotten. */
const TAKEN_BACK: readonly [string, JournalEvent[]][] = [
  [
    'contradicted',
    [
      { step: 'deposit', type: 'contradicted' },
      { step: 'topup', type: 'contradicted' },
    ],
  ],
  [
    'lost to another transaction',
    [
      { step: 'deposit', type: 'contradicted' },
      { step: 'deposit', type: 'ended', outcome: LOST },
      { step: 'topup', type: 'contradicted' },
      { step: 'topup', type: 'ended', outcome: LOST },
    ],
  ],
]

/** One run of the program, from its start to where the registration ends. */
async function run(world: World): Promise<Ending> {
  const life = world.begin()
  const { ending } = await live(world, life)
  life.kill()
  await life.died
  return ending
}

describe('payments that are in blocks, and that a journal calls', () => {
  test.each(one(TAKEN_BACK, 0))('%s are told as paid again once their blocks show them', async (_, lines) => {
    const world = await openWorld()
    expect(await run(world)).toEqual({ end: 'active' })
    await addLines(world, lines)
    const before = world.journal().length
    for (const behavior of ['forgets-transactions', 'forgets-receipts'] as const) {
      world.devnet.setBehavior('execution', behavior)
      expect(await run(world)).toEqual({ end: 'active' })
    }
    world.devnet.setBehavior('execution', undefined)
    const ends = world
      .journal()
      .slice(before)
      .filter(({ type }) => type.endsWith('.ended'))
    expect(ends.map(({ data }) => data.outcome)).toEqual([{ is: 'paid' }, { is: 'paid' }])
    expect(ends.map(({ type }) => type).toSorted()).toEqual(['deposit.ended', 'topup.ended'])
    await expectOnePaymentEach(world)
  })
})
