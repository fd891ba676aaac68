import { describe, expect, test } from 'vitest'
import { sampled } from '../support/hard.ts'
import { play } from './play.ts'
import { CELLS, cellName, scheduleOfCell } from './table.ts'

/** What the first run found and is still so (docs/behaviors.md). */
const FOUND: Readonly<Record<string, string>> = {
  'adopts: both executions forgets-transactions, in the middle': 'false-end',
}

/** What it found, and has been put right. */
const FIXED = [
  'opens-again: both executions forgets-receipts, all along',
  'opens-again: both executions forgets-transactions, all along',
]

describe('beside endpoints as they really behave', () => {
  test.each(
    [
      ...sampled(CELLS, 23),
      ...CELLS.filter((cell) => cellName(cell) in FOUND || FIXED.includes(cellName(cell))),
    ].map((cell) => [cellName(cell), cell] as const),
  )('%s: nothing is paid twice, burnt, denied or stuck', async (_, cell) => {
    const { objection } = await play(scheduleOfCell(cell, CELLS.indexOf(cell)))
    expect(objection?.rule).toBe(FOUND[cellName(cell)])
  })

  test('leaves no behavior out', () => {
    expect(CELLS.length).toBeGreaterThan(700)
  })
})
