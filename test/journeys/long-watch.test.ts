import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { hardTest, runsOf } from '../support/hard.ts'
import type { LongWatch } from '../support/long-watch.ts'

const PROGRAM = join(import.meta.dirname, '../support/long-watch.ts')
const SLOTS_PER_EPOCH = 192
const MEBIBYTE = 1024 * 1024
const HOURS_A_DAY = 24
/** Thirty days are 1.3 million slots. No wait is shorter because the computer is busy. */
const LONGEST_MS = 4 * 3_600_000

/** The watch of a validator for so many hours, of which each has the same troubles. */
async function watched(hours: number): Promise<LongWatch> {
  // With room for what lives for one slot a tenth of the time is saved.
  const args = ['--expose-gc', '--min-semi-space-size=32', PROGRAM, String(hours)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * MEBIBYTE })
  return JSON.parse(stdout) as LongWatch
}

async function holds(hours: number): Promise<void> {
  const found = await watched(hours)
  const troubles = ['node-silent', 'endpoints-silent', 'chain-halted', 'deposit-unexpected']
  const all = Array.from({ length: hours }, () => troubles).flat()
  expect(found.told).toEqual(all.flatMap((alarm, at) => [`${alarm} fired ${at}`, `${alarm} cleared ${at}`]))
  expect(found.said).toEqual([])
  // What the first hour fills is full then.
  const [heap = 0, file = 0] = [found.heapBytes[0], found.fileBytes[0]]
  expect(found.heapBytes).toHaveLength(hours)
  for (const bytes of found.heapBytes) expect(bytes - heap).toBeLessThan(10 * MEBIBYTE)
  for (const bytes of found.fileBytes) expect(bytes).toBeLessThan(file + 1024)
  // When an epoch begins, after each of two restarts, and while a deposit is new and then counted.
  const causes = Math.ceil(found.slots / SLOTS_PER_EPOCH) + 1 + hours * (2 + 3)
  expect(found.wholeStates).toBeLessThanOrEqual(causes)
  expect(found.wholeStates).toBeGreaterThan(found.slots / SLOTS_PER_EPOCH)
}

const hours = runsOf({ suite: 3, hard: 3 * HOURS_A_DAY, nightly: 30 * HOURS_A_DAY })

hardTest(
  'a watch keeps its memory through hours and days with their troubles, and tells each alarm once',
  {
    timeout: LONGEST_MS,
  },
  () => holds(hours),
)
