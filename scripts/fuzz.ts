import { keepInCorpus } from './fuzz/corpus.ts'
import { FILE_TARGETS } from './fuzz/file-targets.ts'
import { checkGenesisLists } from './fuzz/genesis-lists.ts'
import { guided } from './fuzz/guided.ts'
import { checkMutatedProofs } from './fuzz/mutated-proofs.ts'
import { OWN_TARGETS } from './fuzz/own-targets.ts'
import { REPLY_TARGETS } from './fuzz/reply-targets.ts'
import { runTarget, type Target, type TargetResult } from './fuzz/run-target.ts'

/**
 * `npm run fuzz -- [--runs N] [--seed N] [--only WORD] [--guided SECONDS [--keep yes]]`: feeds every parser of the program
 * with changed real texts and with what is kept of earlier runs (100,000 each), verifies changed proofs (as many, none may
 * hold), and computes the genesis root of random lists (a tenth) in two ways. `--guided` feeds each parser for so many
 * seconds of a processor instead, and goes on from what runs code that nothing ran before; `--keep yes` keeps that below test/vectors/corpus. Prints
 * a table; exit 1 when anything crashed, took over 100 ms or was wrong.
 */
const DEFAULT_RUNS = 100_000
const options = readOptions(process.argv.slice(2))
if (options === undefined) {
  console.error('usage: npm run fuzz -- [--runs N] [--seed N] [--only WORD] [--guided SECONDS [--keep yes]]')
  process.exit(2)
}
process.exit(await fuzzAll(options))

type Options = { runs: number; seed: number; only: string; guided: number; keep: boolean }

function readOptions(args: readonly string[]): Options | undefined {
  const read: Options = { runs: DEFAULT_RUNS, seed: Date.now() % 2 ** 31, only: '', guided: 0, keep: false }
  for (let at = 0; at < args.length; at += 2) {
    const value = args[at + 1]
    if (value === undefined) return undefined
    if (args[at] === '--only') read.only = value
    else if (args[at] === '--runs' && Number(value) > 0) read.runs = Number(value)
    else if (args[at] === '--guided' && Number(value) > 0) read.guided = Number(value)
    else if (args[at] === '--keep' && value === 'yes') read.keep = true
    else if (args[at] === '--seed') read.seed = Number(value)
    else return undefined
  }
  return read
}

async function fuzzAll({ runs, seed, only, guided: seconds, keep }: Options): Promise<number> {
  console.log(`seed ${seed}`)
  const jobs: readonly Job[] = [
    ...[...FILE_TARGETS, ...OWN_TARGETS, ...REPLY_TARGETS].map((target) => ({
      name: target.name,
      run: () => (seconds > 0 ? follow(target, { seconds, seed, keep }) : runTarget(target, { runs, seed })),
    })),
    ...(seconds > 0 ? [] : others({ runs, seed })),
  ]
  let failed = 0
  for (const job of jobs.filter(({ name }) => name.includes(only))) {
    const beganMs = performance.now()
    const result = await job.run()
    if (result.failure !== undefined) failed += 1
    console.log(rowOf(result, (performance.now() - beganMs) / 1000))
  }
  console.log(failed === 0 ? 'nothing failed' : `${failed} failed`)
  return failed === 0 ? 0 : 1
}

type Job = { name: string; run: () => Promise<TargetResult> | TargetResult }

function others({ runs, seed }: { runs: number; seed: number }): readonly Job[] {
  return [
    { name: 'changed proofs', run: () => checkMutatedProofs({ runs, seed }) },
    { name: 'genesis lists', run: () => checkGenesisLists({ runs: Math.ceil(runs / 10), seed }) },
  ]
}

async function follow(
  target: Target,
  { keep, ...options }: { seconds: number; seed: number; keep: boolean },
): Promise<TargetResult> {
  const result = await guided(target, options)
  const kept = keep ? keepInCorpus(target.name, result.found) : 0
  console.log(
    `  ${result.covered} characters of code, ${result.found.length} inputs led on${keep ? `, ${kept} are kept` : ''}`,
  )
  return result
}

function rowOf({ name, runs, accepted, refused, slowestMs, failure }: TargetResult, seconds: number): string {
  const counts = `${runs} inputs, ${accepted} accepted, ${refused} refused`
  const line = `${name.padEnd(52)} ${counts}, slowest ${slowestMs.toFixed(1)} ms, ${seconds.toFixed(0)} s`
  return failure === undefined ? line : `${line}\n  FAILED ${failure}`
}
