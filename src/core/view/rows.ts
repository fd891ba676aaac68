import { failureWords, type MoneyState } from '../base/errors/base.ts'
import type { Next } from '../base/format/next.ts'
import type { Setup } from '../chain/facts.ts'
import { holdsWhereOffered, type Offered } from '../chain/network/offered.ts'
import {
  type ErrorFacts,
  type Judgement,
  markOf,
  type Observation,
  type Observations,
  unobserved,
} from './observation.ts'
import { STEP_TEXT } from './text.ts'
import type { Explain, FactRow, Mark, MoneyBand, Numbers, Problem, Verdict } from './view.ts'

export type RowSpec<T> = {
  /** For advice, which closes nothing. */
  advice?: true
  id: string
  label: string
  observation: Observation<T>
  judge: (value: T) => Judgement
  /** The text of a known value. */
  say: (value: T) => string
  long?: (value: T) => string | undefined
  /** What of a known value is a number, for programs. */
  numbers?: ((value: T) => Numbers) | undefined
  /** The text of what was never asked, e.g. because the tool is not there. */
  unasked?: string | undefined
  /** For a known value that closes the gate: why in a few words, and what to do. An error says its next step itself. */
  closed?: ((value: T) => Closed | undefined) | undefined
  /** What to change where a known value is refused. */
  change?: (() => Next | undefined) | undefined
  explain: Explain
}

type Closed = Pick<FactRow, 'reason' | 'next'>

const CLOSED = ['refused', 'unknown']

/** Draws one fact as a row: its value, its failure, or that it is being asked. */
export function factRow<T>(spec: RowSpec<T>): FactRow {
  const { id, label, observation, explain, advice } = spec
  const mark = markOf(observation, spec.judge)
  const row = { id, label, mark, source: '', explain, ...(advice === true ? { advice } : {}) }
  switch (observation.status) {
    case 'unasked':
      return unaskedRow(row, observation.words ?? spec.unasked)
    case 'asking':
      return { ...row, value: STEP_TEXT.row.asking }
    case 'failed': {
      const { error, source, atMs, goodAtMs = atMs } = observation
      const [next] = error.nextSteps
      const known = { value: failureWords(error), source, learntAtMs: goodAtMs }
      return { ...row, ...known, ...(next === undefined ? {} : { next }) }
    }
    case 'known': {
      const { value, source, atMs } = observation
      const numbers = spec.numbers === undefined ? {} : { numbers: spec.numbers(value) }
      const known = { value: spec.say(value), long: spec.long?.(value), ...numbers, source, learntAtMs: atMs }
      const closed = CLOSED.includes(mark) ? spec.closed?.(value) : undefined
      const next = mark === 'refused' ? spec.change?.() : undefined
      return { ...row, ...known, ...closed, ...(next === undefined ? {} : { next }) }
    }
  }
}

function unaskedRow(row: Omit<FactRow, 'value'>, why: string | undefined): FactRow {
  return why === undefined ? { ...row, value: STEP_TEXT.row.unasked, isAhead: true } : { ...row, value: why }
}

/** A fact that an endpoint need not offer: where it does not, that is said without a fault. */
function optionalRow<T>(
  spec: Omit<RowSpec<T>, 'observation'> & { observation: Observation<Offered<T>> },
): FactRow {
  const { observation, ...rest } = spec
  if (observation.status !== 'known') return factRow({ ...rest, observation })
  const { value: offered, ...dated } = observation
  if (offered.offer === 'yes') return factRow({ ...rest, observation: { ...dated, value: offered.value } })
  const { id, label, explain } = spec
  const row = { id, label, explain, source: dated.source, learntAtMs: dated.atMs }
  return offered.offer === 'no'
    ? { ...row, mark: 'unasked', value: STEP_TEXT.row.notOffered }
    : { ...row, mark: 'unknown', value: offered.words }
}

/** The money band while nothing has been sent in this registration. */
export function moneyUntouched(worst: string, token: string): MoneyBand {
  return { line: STEP_TEXT.sendsNothing(STEP_TEXT.left.paid(`0 ${token}`)), worst, isUntouched: true }
}

/** Returns a problem with the values it is about; most have moved no money. */
export function problemOf(
  { id, kind }: Pick<Problem, 'id' | 'kind'>,
  { title, lines, next }: Pick<Problem, 'title' | 'lines' | 'next'>,
  values: Problem['values'] = [],
  money: MoneyState = 'untouched',
): Problem {
  return { id, kind, title, money, values, lines, next }
}

/** Returns an error as a problem, with further next steps. */
export function errorProblem(error: ErrorFacts, ...more: readonly Next[]): Problem {
  const { code: id, shortMessage: title, details: lines, nextSteps, money } = error
  return problemOf({ id, kind: 'event' }, { title, lines, next: [...nextSteps, ...more] }, [], money)
}

/** Returns a failed observation as a problem; undefined for any other. */
export function failureProblem(observation: Observation<unknown>): Problem | undefined {
  return observation.status === 'failed' ? errorProblem(observation.error) : undefined
}

/**
 * Whether the gate of a step waits for a fact: always; only where it was asked at all; only for the end of the question,
 * so that whoever cannot answer shuts nothing; or never.
 */
type Gate = 'needed' | 'where asked' | 'where answered' | 'told'

/**
 * One fact of a step: who is asked, how the answer is judged, whether the gate waits for it, and what its row says; one
 * without a label has no row. Answers that need not be offered are judged where they are.
 */
type Fact<T, About> = {
  /** For advice, which closes nothing. */
  advice?: true
  /** For another choice than the one that is agreed to, shown for comparison. */
  alternative?: true
  /** Computed here from another answer: it has no age of its own. */
  isComputed?: true
  /** Who answers; where nobody is named, whoever asks says so. */
  source?: (setup: Setup) => string
  judge: (value: ValueOf<T>, about: About) => Judgement
  /** What of the value is a number, for programs, under names with their units. */
  numbers?: (value: ValueOf<T>, about: About) => Numbers
  gate: Gate
  /** What suffices for the gate, where that is not what the row must show as proven. */
  suffices?: (value: ValueOf<T>, about: About) => boolean
  /** Whether the setup has somebody to ask; by default there always is. */
  isAsked?: (about: About) => boolean
  /** A fact that is only worth a row at times. */
  hasRow?: (about: About) => boolean
} & (FactText<T, About> | { [K in keyof FactText<T, About>]?: never }) &
  (IsOffered<T> extends true ? { isOptional: true } : { isOptional?: never })

type IsOffered<T> = [T] extends [Offered<unknown>] ? true : false
type AnyFact<About> = Omit<Fact<unknown, About>, 'isOptional'> & { isOptional?: true }

/** What a fact says in one language. */
type FactText<T, About> = {
  label: string | ((about: About) => string)
  say: (value: ValueOf<T>, about: About) => string
  long?: (value: ValueOf<T>, about: About) => string | undefined
  /** The text of what was never asked, where there is a reason to give. */
  unasked?: (about: About) => string | undefined
  /** For a value that closes the gate: why in fewer words, and what to do. */
  closed?: (value: ValueOf<T>, about: About) => Closed
  /** What to change where the value is refused: the same in a step and in a command. */
  change?: (about: About) => Next
  explain: Explain | ((about: About) => Explain)
}

type ValueOf<T> = [T] extends [Offered<infer V>] ? V : T

/** All facts of a step, in the order of their rows. */
export type FactTable<Answers, About> = { readonly [K in keyof Answers]: Fact<Answers[K], About> }
export type FactTexts<Answers, About> = { readonly [K in keyof Answers]: FactText<Answers[K], About> }

/** The names of the facts of a table. */
export const factIds = <Answers, About>(table: FactTable<Answers, About>) =>
  Object.keys(table) as (keyof Answers & string)[]

/** A record in which no fact of a table has been asked. */
export const nothingAsked = <Answers, About>(table: FactTable<Answers, About>): Observations<Answers> =>
  unobserved<Answers>(factIds(table))

/** Draws the rows of a table whose texts stand apart: those that the texts have words for. */
export function tableRows<Answers, About>(
  table: FactTable<Answers, About>,
  texts: Partial<FactTexts<Answers, About>>,
  observed: Observations<Answers>,
  about: About,
): FactRow[] {
  const entries = factIds(table).map((id) => [id, { ...table[id], ...texts[id] }])
  return drawRows(Object.fromEntries(entries) as FactTable<Answers, About>, observed, about)
}

/** Draws the rows of a table of facts. */
export function drawRows<Answers, About>(
  table: FactTable<Answers, About>,
  observed: Observations<Answers>,
  about: About,
): FactRow[] {
  return factIds(table).flatMap((id) => {
    const fact = table[id] as AnyFact<About> & (FactText<unknown, About> | { label?: never })
    if (fact.label === undefined || fact.hasRow?.(about) === false) return []
    const { label, say, long, unasked, closed, change, explain } = fact
    const spec: Omit<RowSpec<unknown>, 'observation'> = {
      id,
      ...(fact.advice === true ? { advice: true } : {}),
      label: typeof label === 'string' ? label : label(about),
      judge: (value) => fact.judge(value, about),
      say: (value) => say(value, about),
      long: (value) => long?.(value, about),
      numbers: fact.numbers && ((value) => fact.numbers?.(value, about) ?? {}),
      unasked: unasked?.(about),
      closed: (value) => closed?.(value, about),
      change: () => change?.(about),
      explain: typeof explain === 'function' ? explain(about) : explain,
    }
    const row =
      fact.isOptional === true
        ? optionalRow({ ...spec, observation: observed[id] as Observation<Offered<unknown>> })
        : factRow({ ...spec, observation: observed[id] })
    const { alternative, isComputed } = fact
    const ageless = isComputed === true ? { learntAtMs: undefined } : {}
    return [{ ...row, ...ageless, ...(alternative === true ? { alternative } : {}) }]
  })
}

/** Whether every fact that a step's gate requires is known and good. */
export function gateHolds<Answers, About>(
  table: FactTable<Answers, About>,
  observed: Observations<Answers>,
  about: About,
): boolean {
  return factIds(table).every((id) => {
    const fact = table[id] as AnyFact<About>
    const observation: Observation<unknown> = observed[id]
    if (fact.gate === 'told' || fact.isAsked?.(about) === false) return true
    if (fact.gate === 'where asked' && observation.status === 'unasked') return true
    if (fact.gate === 'where answered' && observation.status !== 'known')
      return observation.status !== 'asking'
    if (observation.status !== 'known') return false
    const isGood = (value: unknown) => fact.suffices?.(value, about) ?? fact.judge(value, about) === true
    return fact.isOptional === true
      ? holdsWhereOffered(observation.value as Offered<unknown>, isGood)
      : isGood(observation.value)
  })
}

/** Returns the marks of the facts that a gate always requires; a fact that satisfies the gate counts as proven. */
export function neededMarks<Answers, About>(
  table: FactTable<Answers, About>,
  observed: Observations<Answers>,
  about: About,
): Record<string, Mark> {
  const needed = factIds(table).filter((id) => {
    const { gate, isAsked } = table[id] as AnyFact<About>
    return gate === 'needed' && isAsked?.(about) !== false
  })
  return Object.fromEntries(
    needed.map((id) => {
      const fact = table[id] as AnyFact<About>
      const judge = (value: unknown) => fact.suffices?.(value, about) ?? fact.judge(value, about)
      return [id, markOf(observed[id] as Observation<unknown>, judge)]
    }),
  )
}

const withMark = (rows: readonly FactRow[], ...marks: readonly Mark[]): readonly FactRow[] =>
  rows.filter(({ mark }) => marks.includes(mark))

function reasonOf({ label, value, reason }: FactRow): string {
  const text = reason ?? (value === '' ? label : `${label}: ${value}`)
  return text.replace(/[.。]$/, '')
}

/**
 * What the rows of a gate come to, the worst first: a refusal with its words, then what is not known, then what is still
 * being asked. Only an open gate is good. Advice closes nothing, and what need not be asked counts only while nothing else
 * keeps the gate shut. A shut gate names what to do, and an amount stands in it with every digit.
 */
export function rowsVerdict(all: readonly FactRow[], gate: { isOpen: boolean; good: string }): Verdict {
  if (gate.isOpen) return { mark: 'proven', text: gate.good }
  const rows = all.filter(({ advice }) => advice !== true)
  const decide = withMark(rows, 'proven', 'refused', 'unknown', 'asking').length
  const asking = withMark(rows, 'asking').length
  const worst = (mark: 'refused' | 'unknown'): Verdict | undefined => {
    const [first, ...others] = withMark(rows, mark)
    if (first === undefined) return undefined
    const text = STEP_TEXT.verdict[mark](others.length + 1, decide, reasonOf(first))
    return { mark, text, next: first.next ?? STEP_TEXT.verdict.askAgain }
  }
  return (
    worst('refused') ??
    (asking > 0 ? { mark: 'asking', text: STEP_TEXT.verdict.asking(asking, decide) } : undefined) ??
    worst('unknown') ?? { mark: 'unasked', text: STEP_TEXT.verdict.unasked }
  )
}

/** How many rows are proven. */
export const provenCount = (rows: readonly FactRow[]): number => withMark(rows, 'proven').length
