import { describe, expect, test } from 'vitest'
import { sampled } from '../support/hard.ts'
import { play } from './play.ts'
import {
  CELLS,
  cellName,
  FORGED_CELLS,
  forgedCellName,
  scheduleOfCell,
  scheduleOfForgedCell,
} from './table.ts'

/** What the first run found (docs/behaviors.md). */
const FOUND = [
  'opens-again: both executions forgets-receipts, all along',
  'opens-again: both executions forgets-transactions, all along',
  'adopts: both executions forgets-transactions, in the middle',
  // A guard that waited for one endpoint while the others proved all, and one that could not act and did not say so.
  'is-outbid: own execution hangs, in the middle',
  'is-outbid: own execution limits-rate, in the middle',
  'is-outbid: node refuses-host, all along',
  'is-outbid: both executions stands-still, all along',
  'is-outbid: engine forges-signatures, all along',
  'is-outbid-at-night: both executions limits-rate, in the middle',
  'is-outbid-at-night: node hangs, in the middle',
  // A request that the state had was told by nobody, or left out of what was told as all.
  'leaves: both executions forgets-receipts, in the middle',
  'takes-a-part: own execution refuses-logs, in the middle',
  'takes-a-part: both executions gives-no-logs, all along',
]

const FROM_THE_START = { journey: 'registers', forger: 'other-keys' } as const

describe('beside endpoints as they really behave', () => {
  test.each(
    [...sampled(CELLS, 23), ...CELLS.filter((cell) => FOUND.includes(cellName(cell)))].map(
      (cell) => [cellName(cell), cell] as const,
    ),
  )('%s: nothing is paid twice, burnt, denied or stuck', async (_, cell) => {
    const { objection } = await play(scheduleOfCell(cell, CELLS.indexOf(cell)))
    expect(objection).toBeUndefined()
  })

  test('leaves no behavior out', () => {
    expect(CELLS.length).toBeGreaterThan(700)
  })
})

describe('where all endpoints show one false chain', () => {
  test.each(sampled(FORGED_CELLS, 8).map((cell) => [forgedCellName(cell), cell] as const))(
    '%s: nothing of it is believed, and once they are honest it goes on',
    async (_, cell) => {
      const { objection } = await play(scheduleOfForgedCell(cell, FORGED_CELLS.indexOf(cell)))
      expect(objection).toBeUndefined()
    },
  )

  test('what is shown from the first look on is told apart by an honest endpoint alone', async () => {
    const { objection } = await play(scheduleOfForgedCell({ ...FROM_THE_START, from: 0 }, 0))
    expect(objection?.rule).toBe('false-end')
  })
})
