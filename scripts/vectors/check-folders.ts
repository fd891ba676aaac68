import { relative, resolve } from 'node:path'
import { findVectors } from './find.ts'
import { checkVector } from './route.ts'

const SHOWN = 3

export type Checking = {
  /** Where a relative folder begins. */
  from: string
  /** Whether an execution client's curve precompiles judge each deposit as well. */
  precompiles: boolean
  say: (line: string) => void
}

/**
 * Checks every file of vectors below the folders with the product's own functions, and says one line a file, the first
 * differences in full, and at the end how many passed and failed. Resolves to the exit code: 1 on any failure.
 */
export async function checkFolders(
  folders: readonly string[],
  { from, precompiles, say }: Checking,
): Promise<number> {
  let passed = 0
  let failed = 0
  for (const folder of folders.map((path) => resolve(from, path))) {
    for (const vector of findVectors(folder)) {
      const startMs = performance.now()
      const result = await checkVector(vector, { precompiles })
      passed += result.passed
      failed += result.failures.length
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
      const name = relative(folder, vector.path) || vector.path
      say(`${name}: ${result.passed} passed, ${result.failures.length} failed (${seconds} s)`)
      for (const note of result.notes ?? []) say(`  ${note}`)
      for (const failure of result.failures.slice(0, SHOWN)) say(`  ${failure}`)
    }
  }
  if (passed + failed === 0) say('no vectors found')
  say(`${passed} passed, ${failed + (passed + failed === 0 ? 1 : 0)} failed`)
  return failed === 0 && passed > 0 ? 0 : 1
}
