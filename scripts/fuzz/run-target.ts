import { BaseError } from '../../src/core/base/errors/base.ts'
import { nextText } from '../../src/core/base/format/next.ts'
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
  const { stackTraceLimit } = Error
  try {
    // Most inputs are refused, and nobody reads where: to write it down takes longer than to refuse.
    Error.stackTraceLimit = 0
    counts.slowestMs = Math.max(counts.slowestMs, await timed(target, text, counts))
    return undefined
  } catch (first) {
    Error.stackTraceLimit = stackTraceLimit
    const thrown = await thrownBy(target, text, first)
    const error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    return `${error}\n  input: ${JSON.stringify(text).slice(0, 600)}`
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** The same once more, with the place at which it was thrown; the first one where it does not come again. */
async function thrownBy(target: Target, text: string, first: unknown): Promise<unknown> {
  try {
    await outcomeOf(target, text)
    return first
  } catch (again) {
    return again
  }
}

/**
 * In milliseconds. What seems slow is asked for again, by the time that this process had of a core: somebody else may have
 * had the core meanwhile, or its memory been cleaned.
 */
async function timed(target: Target, text: string, counts: Counts): Promise<number> {
  const beganMs = performance.now()
  const outcome = await outcomeOf(target, text)
  counts[outcome] += 1
  let fastestMs = performance.now() - beganMs
  for (let attempt = 0; attempt < 3 && fastestMs > LONGEST_MS; attempt += 1) {
    const began = process.cpuUsage()
    await outcomeOf(target, text)
    const { user, system } = process.cpuUsage(began)
    fastestMs = Math.min(fastestMs, (user + system) / 1000)
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
