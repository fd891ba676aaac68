import fc from 'fast-check'
import { BaseError } from '../../src/core/base/errors/base.ts'
import { nextText } from '../../src/core/base/format/next-text.ts'
import { inputs } from './inputs.ts'

/** Something that reads text from outside. */
export type Target = {
  name: string
  /** Real texts, which are changed. */
  samples: readonly string[]
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
  const property = fc.asyncProperty(inputs(target.samples), async (text) => {
    counts.runs += 1
    const tookMs = await timed(target, text, counts)
    counts.slowestMs = Math.max(counts.slowestMs, tookMs)
  })
  const details = await fc.check(property, { numRuns: options.runs, seed: options.seed })
  const failure = details.failed ? failureWords(details) : undefined
  return { name: target.name, ...counts, failure }
}

/** A slow answer is asked for again: this machine may have been busy, the parser may not. */
async function timed(
  target: Target,
  text: string,
  counts: { accepted: number; refused: number },
): Promise<number> {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && fastestMs > LONGEST_MS; attempt += 1) {
    const beganMs = performance.now()
    const outcome = await outcomeOf(target, text)
    fastestMs = Math.min(fastestMs, performance.now() - beganMs)
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

function failureWords(details: {
  counterexample: [string] | null
  errorInstance: unknown
  seed: number
}): string {
  const { counterexample, errorInstance, seed } = details
  const input = JSON.stringify(counterexample?.[0] ?? '').slice(0, 600)
  const error = errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : 'no error'
  return `${error}\n  input: ${input}\n  seed: ${seed}`
}
