import { relative, resolve } from 'node:path'
import { findVectors } from './vectors/find.ts'
import { checkVector } from './vectors/route.ts'

/**
 * `npm run vectors -- [--precompiles] DIR…`: checks every file of vectors below the folders with the product's own
 * functions. One line a file, the first differences in full, and at the end how many passed and failed. With
 * `--precompiles` an execution client's curve precompiles judge each deposit as well. Exit 1 on any failure.
 */
const SHOWN = 3
const args = process.argv.slice(2)
const folders = args.filter((text) => !text.startsWith('--'))
const precompiles = args.includes('--precompiles')
const unknown = args.filter((text) => text.startsWith('--') && text !== '--precompiles')

if (folders.length === 0 || unknown.length > 0) {
  console.error('usage: npm run vectors -- [--precompiles] DIR…')
  process.exit(2)
}
process.exit(await checkAll())

async function checkAll(): Promise<number> {
  let passed = 0
  let failed = 0
  for (const folder of folders) {
    // npm runs scripts in the project's folder; the user is in another one.
    const found = findVectors(resolve(process.env.INIT_CWD ?? '.', folder))
    for (const vector of found) {
      const startMs = performance.now()
      const result = await checkVector(vector, { precompiles })
      passed += result.passed
      failed += result.failures.length
      const name = relative(resolve(process.env.INIT_CWD ?? '.', folder), vector.path) || vector.path
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
      console.log(`${name}: ${result.passed} passed, ${result.failures.length} failed (${seconds} s)`)
      for (const failure of result.failures.slice(0, SHOWN)) console.log(`  ${failure}`)
    }
  }
  if (passed + failed === 0) {
    console.log('no vectors found')
    failed = 1
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}
