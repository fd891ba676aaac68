import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { HARD, hardTest } from '../support/hard.ts'
import type { LongWatch } from '../support/long-watch.ts'

const PROGRAM = join(import.meta.dirname, '../support/long-watch.ts')
const SLOTS_PER_EPOCH = 192
const MEBIBYTE = 1024 * 1024
const ROUNDS_A_DAY = 48
/** Thirty days are 1.3 million slots. */
const LONGEST_MS = 4 * 3_600_000

/** The watch of a validator for so many half hours, of which each has the same troubles. */
async function watched(rounds: number): Promise<LongWatch> {
  const args = ['--expose-gc', PROGRAM, String(rounds)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * MEBIBYTE })
  return JSON.parse(stdout) as LongWatch
}

async function holds(rounds: number): Promise<void> {
  const found = await watched(rounds)
  const troubles = ['node-silent', 'endpoints-silent', 'chain-halted', 'deposit-unexpected']
  const all = Array.from({ length: rounds }, () => troubles).flat()
  expect(found.told).toEqual(all.flatMap((alarm, at) => [`${alarm} fired ${at}`, `${alarm} cleared ${at}`]))
  expect(found.said).toEqual([])
  // What the first hour fills is full then.
  const [heap = 0, file = 0] = [found.heapBytes[1], found.fileBytes[1]]
  for (const bytes of found.heapBytes.slice(1)) expect(bytes - heap).toBeLessThan(10 * MEBIBYTE)
  for (const bytes of found.fileBytes) expect(bytes).toBeLessThan(file + 1024)
  // When an epoch begins, after each of two restarts, and while a deposit is new and then counted.
  const causes = Math.ceil(found.slots / SLOTS_PER_EPOCH) + 1 + rounds * (2 + 3)
  expect(found.wholeStates).toBeLessThanOrEqual(causes)
  expect(found.wholeStates).toBeGreaterThan(found.slots / SLOTS_PER_EPOCH)
}

test.skipIf(HARD)(
  'four hours of watching with their troubles keep their memory, and tell each alarm once',
  () => holds(8),
)

hardTest(
  'thirty days of watching with their troubles keep their memory, and tell each alarm once',
  { timeout: LONGEST_MS },
  () => holds(30 * ROUNDS_A_DAY),
)
