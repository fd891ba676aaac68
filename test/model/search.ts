import { hash } from 'node:crypto'
import type { Objection } from './judge.ts'

/** What is searched: a world in which each step can be taken, and taken back. */
export type Subject<S> = {
  /** To the beginning. */
  back(): void
  /** Keeps this moment; what it returns brings it back. */
  keep(): () => void
  take(step: S): void | Promise<void>
  /** The next step of the run in which nothing goes wrong; undefined once that is over. */
  undisturbed(): S | undefined
  /** Everything that can happen now, with all well meanwhile. */
  steps(): readonly S[]
  /** Forgets what was noted and objected to. */
  forget(): void
  /** The step that was just taken, with what may go wrong meanwhile. */
  troubles(step: S): readonly S[]
  /** The state by what it can still do. */
  text(): string
  objection(): Objection | undefined
  /** What keeps a person who does what is offered from an end, once all is well; undefined where there is a way. */
  deadEnd(): Objection | undefined | Promise<Objection | undefined>
}

/** What was found: the steps to it from the beginning. */
export type Found<S> = { objection: Objection; steps: readonly S[] }

/** Two ways to one state. */
export type Pair<S> = readonly [readonly S[], readonly S[]]

export type Search<S> = {
  /** All states up to this many steps from the undisturbed run are known, and none was objected to. */
  depth(): number
  states(): number
  transitions(): number
  /** Of states that were reached in two ways some, with both. */
  merged(): readonly Pair<S>[]
  /** Looks one step further; stops at the first objection, or once it is time: then the depth is not whole. */
  deeper(isTime: () => boolean): Promise<Found<S> | undefined>
}

const MOST_PAIRS = 200
/** Steps of the run in which nothing goes wrong, at most. */
const MOST_UNDISTURBED = 40

/** A state that is known: the steps to it are those to `from`, and `step`. */
type Place<S> = { from: Place<S> | undefined; step: S | undefined }

/** A search through everything that can happen, breadth first, from every state of the undisturbed run. */
export function searchOf<S>(subject: Subject<S>): Search<S> {
  const known = new Map<string, Place<S>>()
  const pairs: Pair<S>[] = []
  let merges = 0
  const random = randomFrom(30)
  let frontier: Place<S>[] = []
  let next: Place<S>[] = []
  let depth = -1
  let at = 0
  let transitions = 0

  async function goTo(place: Place<S>): Promise<void> {
    subject.back()
    for (const step of stepsTo(place)) await subject.take(step)
    subject.forget()
  }

  /** The state of this moment: known, or to be looked at later. */
  async function arrive(place: Place<S>): Promise<Found<S> | undefined> {
    transitions += 1
    const objection = subject.objection()
    if (objection !== undefined) return { objection, steps: stepsTo(place) }
    const key = keyOf(subject.text())
    const before = known.get(key)
    if (before !== undefined) {
      merges += 1
      // Each merge has the same chance to be kept, and the same search keeps the same ones.
      const chance = Math.floor(random() * merges)
      if (pairs.length < MOST_PAIRS) pairs.push([stepsTo(before), stepsTo(place)])
      else if (chance < MOST_PAIRS) pairs[chance] = [stepsTo(before), stepsTo(place)]
      return undefined
    }
    known.set(key, place)
    next.push(place)
    const stuck = await subject.deadEnd()
    return stuck && { objection: stuck, steps: stepsTo(place) }
  }

  /** All states of the run in which nothing goes wrong. */
  async function begin(): Promise<Found<S> | undefined> {
    subject.back()
    subject.forget()
    let place: Place<S> = { from: undefined, step: undefined }
    const found = await arrive(place)
    if (found !== undefined) return found
    for (let count = 0; count < MOST_UNDISTURBED; count += 1) {
      const step = subject.undisturbed()
      if (step === undefined) break
      await subject.take(step)
      place = { from: place, step }
      const odd = await arrive(place)
      if (odd !== undefined) return odd
    }
    return undefined
  }

  async function expand(place: Place<S>): Promise<Found<S> | undefined> {
    await goTo(place)
    const back = subject.keep()
    for (const well of subject.steps()) {
      subject.forget()
      await subject.take(well)
      const troubles = subject.troubles(well)
      const found = await arrive({ from: place, step: well })
      if (found !== undefined) return found
      back()
      for (const step of troubles) {
        await subject.take(step)
        const other = await arrive({ from: place, step })
        if (other !== undefined) return other
        back()
      }
    }
    return undefined
  }

  return {
    depth: () => depth,
    states: () => known.size,
    transitions: () => transitions,
    merged: () => pairs,
    async deeper(isTime) {
      if (depth < 0) {
        const found = await begin()
        if (found !== undefined) return found
      } else {
        for (; at < frontier.length; at += 1) {
          if (isTime()) return undefined
          const place = frontier[at]
          const found = place === undefined ? undefined : await expand(place)
          if (found !== undefined) return found
        }
      }
      depth += 1
      at = 0
      frontier = next
      next = []
      return undefined
    },
  }
}

/** Searches as many steps deep; what is found first. */
export async function searchTo<S>(search: Search<S>, depth: number): Promise<Found<S> | undefined> {
  for (let reached = 0; reached <= depth; reached += 1) {
    const found = await search.deeper(() => false)
    if (found !== undefined) return found
  }
  return undefined
}

function stepsTo<S>(place: Place<S>): S[] {
  const steps: S[] = []
  for (let one: Place<S> | undefined = place; one !== undefined; one = one.from)
    if (one.step !== undefined) steps.push(one.step)
  return steps.reverse()
}

export const keyOf = (text: string): string => hash('sha256', text, 'base64').slice(0, 16)

/** Numbers from 0 to 1, the same ones every time. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** A subject whose ways to one state are gone on with; `told` is what it shows to whoever looks. */
export type Going<S> = Subject<S> & { told(): string; nameOf(step: S): unknown }

/** How two ways that count as one state went apart. */
export type Apart<S> = { pair: Pair<S>; after: number; what: string }

/**
 * Goes on from both ways to a state in the same manner, by chance, and compares at every step what can be done, what is told
 * and objected to, and the state that follows.
 */
export async function goOn<S>(
  both: readonly [Going<S>, Going<S>],
  pair: Pair<S>,
  { length, random, log }: { length: number; random: () => number; log?: S[] },
): Promise<Apart<S> | undefined> {
  const [one, other] = both
  for (const [at, subject] of both.entries()) {
    subject.back()
    for (const step of pair[at === 0 ? 0 : 1]) await subject.take(step)
    subject.forget()
  }
  const apart = (after: number, what: string): Apart<S> => ({ pair, after, what })
  if (one.text() !== other.text()) return apart(0, 'they were never one state')
  for (let after = 1; after <= length; after += 1) {
    const [first = [], second = []] = both.map((subject) => subject.steps())
    const names = [first, second].map((steps) => JSON.stringify(steps.map((step) => one.nameOf(step))))
    if (names[0] !== names[1]) return apart(after, 'other things can be done')
    const nth = Math.floor(random() * first.length)
    // What may go wrong meanwhile depends on what is asked for, which the deed itself shows once all is well.
    const steps: S[][] = []
    for (const [at, subject] of both.entries()) {
      const step = (at === 0 ? first : second)[nth]
      if (step === undefined) return apart(after, 'nothing can be done')
      const back = subject.keep()
      subject.forget()
      await subject.take(step)
      const troubles = subject.troubles(step)
      back()
      steps.push([step, ...troubles])
    }
    const counts = steps.map(({ length: count }) => count)
    if (counts[0] !== counts[1]) return apart(after, `other troubles: ${counts.join(' and ')}`)
    const chosen = Math.floor(random() * (counts[0] ?? 0))
    for (const [at, subject] of both.entries()) {
      const step = steps[at]?.[chosen]
      if (step !== undefined) await subject.take(step)
      if (step !== undefined && at === 0) log?.push(step)
    }
    const told = both.map((subject) => subject.told())
    if (told[0] !== told[1]) return apart(after, `${told[0]} and ${told[1]}`)
    const rules = both.map((subject) => subject.objection()?.rule)
    if (rules[0] !== rules[1]) return apart(after, `${rules[0]} and ${rules[1]}`)
    if (rules[0] !== undefined) return undefined
    if (one.text() !== other.text()) return apart(after, 'other states follow')
  }
  return undefined
}
