import { test } from 'vitest'

/** Whether everything that can be tried is tried (`npm run hard`), in place of a part of it (`npm test`). */
export const HARD = process.env.BEARINGS_HARD === '1'

/** Whether what takes hours is tried too (`npm run nightly`): whole pieces of which `npm run hard` takes a part. */
export const NIGHTLY = process.env.BEARINGS_NIGHTLY === '1'

/** Whether a test is run once for each change of the code: then a tenth of its runs must do. */
const MUTATED = process.env.BEARINGS_TARGETS !== undefined

/**
 * Of many alike cases the first, every n-th after it and the last, always the same ones; under `npm run hard` all. Whoever
 * takes it sees to it that each kind of moment is among them.
 */
export function sampled<T>(cases: readonly T[], nth: number): readonly T[] {
  return HARD ? cases : cases.filter((_, at) => at % nth === 0 || at === cases.length - 1)
}

/** Of cases that differ in what another test has as well, the one at this place; under `npm run hard` all. */
export function one<T>(cases: readonly T[], at: number): readonly T[] {
  return HARD ? cases : cases.slice(at, at + 1)
}

/** How often a property is tried; at night as under `npm run hard`, unless it says more. */
export function runsOf(runs: { suite: number; hard: number; nightly?: number }): number {
  if (MUTATED) return Math.ceil(runs.suite / 10)
  if (NIGHTLY) return runs.nightly ?? runs.hard
  return HARD ? runs.hard : runs.suite
}

/** A test of what another one, the model or the table of decisions holds as well: for `npm run hard` alone. */
export const hardTest = test.runIf(HARD)
