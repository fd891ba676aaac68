import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * `npm run nightly [-- PIECE…]`: what takes too long for `npm run hard`, whole, one piece after the other. Prints how long
 * each took; exit 1 when one failed.
 */
const PIECES: Readonly<Record<string, readonly string[]>> = {
  // Every change of a constant is seen by the vectors.
  mutation: ['test/mutation'],
  // Would the tests notice any change of the code that decides about money? Makes docs/mutation.md.
  mutants: ['scripts/mutants.ts'],
  // Everything that can happen to a payment and to a guard, step by step, for ten minutes each.
  enumerate: [
    'test/model/enumerate-first.test.ts',
    'test/model/enumerate-top-up.test.ts',
    'test/model/enumerate-guard.test.ts',
  ],
  // A million orders of events for a payment by its decisions, 30,000 with all that asks and signs.
  schedules: ['test/model/payments.test.ts'],
  // Ten thousand seeds of the whole program, while disk, clock, chain and endpoints fail.
  simulation: ['scripts/simulate.ts', '--seeds', '10000'],
  // Every journey beside every behavior of every endpoint.
  behaviors: ['test/simulation/table.test.ts'],
  // A million inputs for each parser.
  fuzz: ['scripts/fuzz.ts', '--runs', '1000000'],
  // Ten minutes for each parser, led by the code that runs.
  guided: ['scripts/fuzz.ts', '--guided', '600'],
  // A watch of thirty days.
  'thirty-days': ['test/journeys/long-watch.test.ts'],
}

const root = join(import.meta.dirname, '..')
const VITEST = 'node_modules/vitest/vitest.mjs'
const named = process.argv.slice(2)
const unknown = named.filter((name) => !Object.hasOwn(PIECES, name))
if (unknown.length > 0) {
  const names = Object.keys(PIECES).join(', ')
  process.stderr.write(`No piece is called ${unknown.join(', ')}; there are ${names}.\n`)
  process.exit(2)
}

const rows = (named.length > 0 ? named : Object.keys(PIECES)).map((name) => {
  const begun = performance.now()
  const piece = PIECES[name] ?? []
  const isScript = piece[0]?.startsWith('scripts/') === true
  const args = isScript ? piece : [VITEST, 'run', '--mode', 'nightly', ...piece]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  return { name, isGood: status === 0, minutes: Math.ceil((performance.now() - begun) / 60_000) }
})
for (const { name, isGood, minutes } of rows)
  process.stdout.write(`${name.padEnd(12)} ${isGood ? 'ok' : 'FAILED'}  ${minutes} min\n`)
process.exit(rows.every(({ isGood }) => isGood) ? 0 : 1)
