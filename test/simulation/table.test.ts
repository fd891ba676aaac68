import { describe, expect, test } from 'vitest'
import { sampled } from '../support/hard.ts'
import { play } from './play.ts'
import { CELLS, cellName, scheduleOfCell } from './table.ts'

/** What the first run found (docs/behaviors.md). */
const FOUND = [
  'opens-again: both executions forgets-receipts, all along',
  'opens-again: both executions forgets-transactions, all along',
  'adopts: both executions forgets-transactions, in the middle',
]

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
