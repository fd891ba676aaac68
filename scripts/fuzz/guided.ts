import { randomOf } from '../../test/simulation/random.ts'
import { corpusOf } from './corpus.ts'
import { type Coverage, type Places, startCoverage } from './coverage.ts'
import { inputOf } from './inputs.ts'
import { failureWith, type Target, type TargetResult } from './run-target.ts'

/** What a guided run came to: how many characters of code were run, and the inputs that led to new ones. */
export type Guided = TargetResult & { covered: number; found: readonly string[] }

/** To read the coverage takes as long as some hundred inputs. */
const BATCH = 200

/** Feeds a parser for so many seconds of a processor, and goes on from each input that ran code which none ran before. */
export async function guided(
  target: Target,
  { seconds, seed }: { seconds: number; seed: number },
): Promise<Guided> {
  const coverage = await startCoverage()
  try {
    return await feed(target, { seconds, seed, coverage })
  } finally {
    await coverage.end()
  }
}

type Feeding = { seconds: number; seed: number; coverage: Coverage }

async function feed(target: Target, { seconds, seed, coverage }: Feeding): Promise<Guided> {
  const counts = { accepted: 0, refused: 0, slowestMs: 0, runs: 0 }
  const pool = [...target.samples, ...corpusOf(target.name)]
  const found: string[] = []
  const random = randomOf(`guided ${target.name} ${seed}`)
  const began = process.cpuUsage()
  const spentSeconds = (): number => {
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1e6
  }
  for (const text of pool) await failureWith(target, text, counts)
  await coverage.fresh()
  let failure: string | undefined
  while (failure === undefined && spentSeconds() < seconds) {
    const batch: string[] = []
    while (failure === undefined && batch.length < BATCH) {
      const text = inputOf(pool, target.structure ?? 'json', random)
      batch.push(text)
      counts.runs += 1
      failure = await failureWith(target, text, counts)
    }
    const places = await coverage.fresh()
    const leading = await leadingOf(batch, places, { target, coverage })
    pool.push(...leading)
    found.push(...leading)
  }
  return { name: target.name, ...counts, failure, covered: coverage.total(), found }
}

/** Those of some inputs that run the places, by halves: one for each place that is left. */
async function leadingOf(
  batch: readonly string[],
  places: Places,
  { target, coverage }: { target: Target; coverage: Coverage },
): Promise<string[]> {
  if (places.size === 0) return []
  const counts = { accepted: 0, refused: 0, slowestMs: 0 }
  for (const text of batch) await failureWith(target, text, counts)
  const run = await coverage.among(places)
  if (run.size === 0) return []
  if (batch.length === 1) return [...batch]
  const half = Math.ceil(batch.length / 2)
  const first = await leadingOf(batch.slice(0, half), run, { target, coverage })
  for (const text of first) await failureWith(target, text, counts)
  const byFirst = await coverage.among(run)
  const left = new Set([...run].filter((place) => !byFirst.has(place)))
  return [...first, ...(await leadingOf(batch.slice(half), left, { target, coverage }))]
}
