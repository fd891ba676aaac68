import { BaseError } from '../../src/core/base/errors/base.ts'
import { nextText } from '../../src/core/base/format/next-text.ts'
import { randomOf } from '../../test/simulation/random.ts'
import { corpusOf } from './corpus.ts'
import { inputOf, type Structure } from './inputs.ts'

/** Something that reads text from outside. */
export type Target = {
  name: string
  /** Real texts, which are changed. */
  samples: readonly string[]
  /** How these are built; as JSON where nothing is said. */
  structure?: Structure
  /** Reads one text; may only throw what `refusals` names. */
  read(text: string): unknown
}

export type TargetResult = {
  name: string
  runs: number
  accepted: number
  refused: number
  slowestMs: number
  /** What went wrong first, with the input that did it. */
  failure: string | undefined
}

const LONGEST_MS = 100
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}]/u

/** Feeds a parser: every input must be accepted or refused by a typed error of safe words, within 100 ms. */
export async function runTarget(
  target: Target,
  options: { runs: number; seed: number },
): Promise<TargetResult> {
  const counts = { accepted: 0, refused: 0, slowestMs: 0, runs: 0 }
  const outcomes = await Promise.all(target.samples.map((sample) => outcomeOf(target, sample)))
  if (!outcomes.includes('accepted'))
    return { name: target.name, ...counts, failure: 'no sample is accepted as it is' }
  const samples = [...target.samples, ...corpusOf(target.name)]
  const random = randomOf(`${target.name} ${options.seed}`)
  while (counts.runs < options.runs) {
    counts.runs += 1
    const failure = await failureWith(target, inputOf(samples, target.structure ?? 'json', random), counts)
    if (failure !== undefined) return { name: target.name, ...counts, failure }
  }
  return { name: target.name, ...counts, failure: undefined }
}

export type Counts = { accepted: number; refused: number; slowestMs: number }

/** What went wrong with one input, in words; undefined where it was accepted or refused as it should be. */
export async function failureWith(target: Target, text: string, counts: Counts): Promise<string | undefined> {
  try {
    counts.slowestMs = Math.max(counts.slowestMs, await timed(target, text, counts))
    return undefined
  } catch (thrown) {
    const error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    return `${error}\n  input: ${JSON.stringify(text).slice(0, 600)}`
  }
}

/** By the time that this process had of a core; a slow answer is asked for again, for its memory may have been cleaned meanwhile. */
async function timed(
  target: Target,
  text: string,
  counts: { accepted: number; refused: number },
): Promise<number> {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && fastestMs > LONGEST_MS; attempt += 1) {
    const began = process.cpuUsage()
    const outcome = await outcomeOf(target, text)
    const { user, system } = process.cpuUsage(began)
    fastestMs = Math.min(fastestMs, (user + system) / 1000)
    if (attempt === 0) counts[outcome] += 1
  }
  if (fastestMs > LONGEST_MS) throw new Error(`took ${Math.round(fastestMs)} ms`)
  return fastestMs
}

async function outcomeOf(target: Target, text: string): Promise<'accepted' | 'refused'> {
  try {
    await target.read(text)
    return 'accepted'
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    const words = [thrown.shortMessage, ...thrown.details, ...thrown.nextSteps.map((step) => nextText(step))]
    const odd = words.find((line) => UNSAFE.test(line))
    if (odd !== undefined) throw new Error(`a refusal with unsafe words: ${JSON.stringify(odd)}`)
    return 'refused'
  }
}
