import { describe, expect, test } from 'vitest'
import { HARD, sampled } from '../support/hard.ts'
import { play } from './play.ts'
import {
  CELLS,
  type Cell,
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

/** Walks the cells in strides, so that neighbours, which differ in one thing, are not taken together. */
const STRIDE = 101

/** Of the cells so many that each journey, behavior, endpoint and span is in one of them; under `npm run hard` all. */
function eachOnce(cells: readonly Cell[]): readonly Cell[] {
  if (HARD) return cells
  const met = new Set<string>()
  const strided = cells.map((_, at) => cells[(at * STRIDE) % cells.length] as Cell)
  return strided.filter((cell) => {
    const parts = Object.entries(cell).map((part) => part.join(' '))
    const isNew = parts.some((part) => !met.has(part))
    if (isNew) for (const part of parts) met.add(part)
    return isNew
  })
}

const FROM_THE_START = { journey: 'registers', forger: 'other-keys' } as const

describe('beside endpoints as they really behave', () => {
  test.each(
    [...new Set([...eachOnce(CELLS), ...CELLS.filter((cell) => FOUND.includes(cellName(cell)))])].map(
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
  test.each(sampled(FORGED_CELLS, 16).map((cell) => [forgedCellName(cell), cell] as const))(
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
