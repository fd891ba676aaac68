import type { Clock } from '../base/effects/effects.ts'
import { ClientError } from '../base/errors/client.ts'

/** An answer, and when it was given, by the monotonic clock. */
type Known<T> = { value: T; atMs: number }

/** Since when an answer is lacking, when it was asked for last, and why; `fault` is left out where there was nobody to be asked. */
type Lack = { sinceMs: number; lastMs: number; fault?: ClientError }

/**
 * What one look has of an answer. `last` is what was known before: for words and for what hardly changes, never for a gate.
 */
export type Part<T> = Known<T> | { unknown: Lack; last?: Known<T> }

/** What is known at one moment; left out is what no look has asked for yet. */
export type Picture<Answers> = { readonly [K in keyof Answers]?: Part<Answers[K]> }

/** One question, and what decides when it is asked. */
type Question<Answers, K extends keyof Answers, Context> = {
  /** Answers that it rests on: while one of them is unknown it is not asked, and is unknown as well. */
  needs?: readonly (keyof Answers)[]
  /** What has its answer, or none, before this is asked: by what it says this is asked, or the order is safety. */
  after?: readonly (keyof Answers)[]
  /** Whether it is asked in this look; where not, what is known stands. Left out: in every look. */
  due?: (picture: Picture<Answers>, context: Context) => boolean
  /** No look waits for it: its answer is part of the looks that begin after it. One beside a look waits for others beside. */
  beside?: boolean
  /** Asks. Undefined where there is nobody to be asked. A `ClientError` makes it unknown; anything else ends the look. */
  ask: (picture: Picture<Answers>, context: Context) => Promise<Answers[K] | undefined>
}

/** The questions of an observer. Which are asked at once follows from what each one rests on. */
export type Questions<Answers, Context> = {
  readonly [K in keyof Answers]: Question<Answers, K, Context>
}

/** Makes pictures, look by look. */
export type Observer<Answers, Context> = {
  /**
   * Asks all that is due, each question once and as soon as what it rests on is there. Rejects only with what is no fault of
   * an endpoint: a signal that ends, the program itself, a disk.
   */
  look(context: Context): Promise<Picture<Answers>>
  /** What is known now. */
  picture(): Picture<Answers>
  /** Resolves once nothing is asked beside the last look. */
  whole(): Promise<void>
}

/** Returns the present value of a part; undefined where it is unknown or was never asked for. */
export function knownOf<T>(part: Part<T> | undefined): T | undefined {
  return part !== undefined && 'value' in part ? part.value : undefined
}

/** Returns the present value of a part, or else the last one that was known. */
export function lastOf<T>(part: Part<T> | undefined): T | undefined {
  if (part === undefined) return undefined
  return 'value' in part ? part.value : part.last?.value
}

/** Returns the value of a part, or throws why it is unknown; undefined where it was not asked for. */
export function replyIn<T>(part: Part<T> | undefined): T | undefined {
  if (part !== undefined && 'unknown' in part && part.unknown.fault !== undefined) throw part.unknown.fault
  return knownOf(part)
}

/** Returns when a part was last asked for (monotonic milliseconds); undefined where it never was. */
export function askedMs(part: Part<unknown> | undefined): number | undefined {
  if (part === undefined) return undefined
  return 'value' in part ? part.atMs : part.unknown.lastMs
}

/** Creates an observer for a table of questions. Throws a `RangeError` where questions need one another in a circle. */
export function createObserver<Answers, Context>(
  questions: Questions<Answers, Context>,
  { clock }: { clock: Pick<Clock, 'monotonicMs'> },
): Observer<Answers, Context> {
  const keys = Object.keys(questions) as (keyof Answers)[]
  wavesOf(questions)
  /** What is asked beside the looks, from the look on that it was due in. */
  const beside = new Map<keyof Answers, Promise<void>>()
  const waiting = new Map<keyof Answers, () => Promise<void>>()
  let picture: Picture<Answers> = {}
  /** What a question beside the looks ended with that is no fault of an endpoint. */
  let ended: { thrown: unknown } | undefined

  const tell = <K extends keyof Answers>(key: K, value: Answers[K] | undefined, fault?: ClientError) => {
    const atMs = clock.monotonicMs()
    const part = value === undefined ? unknownPart(picture[key], atMs, fault) : { value, atMs }
    picture = { ...picture, [key]: part }
  }

  const ask = async <K extends keyof Answers>(key: K, context: Context): Promise<void> => {
    const { needs = [], due, ask } = questions[key]
    if (due?.(picture, context) === false) return
    const lacking = needs.find((need) => knownOf(picture[need]) === undefined)
    if (lacking !== undefined) return tell(key, undefined, faultOf(picture[lacking]))
    try {
      tell(key, await ask(picture, context))
    } catch (thrown) {
      if (!(thrown instanceof ClientError)) throw thrown
      tell(key, undefined, thrown)
    }
  }

  /** Asks beside the look; what is still asked there is asked once more after it, for the newest look. */
  const askBeside = (key: keyof Answers, asking: () => Promise<void>): void => {
    if (beside.has(key)) {
      waiting.set(key, asking)
      return
    }
    const asked = asking()
      .catch((thrown: unknown) => {
        ended = { thrown }
      })
      .finally(() => {
        beside.delete(key)
        const next = waiting.get(key)
        waiting.delete(key)
        if (next !== undefined && ended === undefined) askBeside(key, next)
      })
    beside.set(key, asked)
  }

  return {
    picture: () => picture,
    async whole() {
      while (beside.size > 0) await Promise.all(beside.values())
    },
    async look(context) {
      if (ended !== undefined) throw ended.thrown
      const begun = new Map<keyof Answers, Promise<void>>()
      /** Resolves once a question of this look is settled: for one beside it when that is, for all others at once. */
      const settle = (key: keyof Answers, isBeside = false): Promise<void> => {
        const waited = begun.get(key) ?? begin(key)
        return isBeside ? (beside.get(key) ?? waited) : waited
      }
      const begin = (key: keyof Answers): Promise<void> => {
        const { needs = [], after = [], beside: isBeside = false } = questions[key]
        const asking = async () => {
          await Promise.all([...needs, ...after].map((other) => settle(other, isBeside)))
          await ask(key, context)
        }
        if (isBeside) askBeside(key, asking)
        const waited = isBeside ? Promise.resolve() : asking()
        begun.set(key, waited)
        return waited
      }
      await Promise.all(keys.map((key) => settle(key)))
      return picture
    },
  }
}

const faultOf = (part: Part<unknown> | undefined): ClientError | undefined =>
  part !== undefined && 'unknown' in part ? part.unknown.fault : undefined

function unknownPart<T>(
  before: Part<T> | undefined,
  lastMs: number,
  fault: ClientError | undefined,
): Part<T> {
  const because = fault === undefined ? {} : { fault }
  if (before === undefined || 'value' in before) {
    const unknown = { sinceMs: lastMs, lastMs, ...because }
    return before === undefined ? { unknown } : { unknown, last: before }
  }
  return { ...before, unknown: { sinceMs: before.unknown.sinceMs, lastMs, ...because } }
}

/** Sorts questions into waves that are asked together, one wave after another. Throws a `RangeError` for a circle. */
export function wavesOf<Answers, Context>(questions: Questions<Answers, Context>): (keyof Answers)[][] {
  const waves: (keyof Answers)[][] = []
  let left = Object.keys(questions) as (keyof Answers)[]
  while (left.length > 0) {
    const waiting = left
    const wave = left.filter((key) => {
      const { needs = [], after = [] } = questions[key]
      return ![...needs, ...after].some((other) => waiting.includes(other))
    })
    if (wave.length === 0) throw new RangeError(`questions wait for one another: ${left.join(', ')}`)
    waves.push(wave)
    left = left.filter((key) => !wave.includes(key))
  }
  return waves
}
