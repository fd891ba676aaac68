import { failureWords } from '../errors/base.ts'
import type { Offered } from '../network/offered.ts'
import type { Observation } from './observation.ts'
import { markOf } from './observation.ts'
import type { Explain, FactRow, MoneyBand, Problem } from './view.ts'

export type RowSpec<T> = {
  /** For advice, which closes nothing. */
  advice?: true
  id: string
  label: string
  observation: Observation<T>
  /** undefined where the value settles nothing: it is unknown then. */
  judge: (value: T) => boolean | undefined
  /** Words for a known value. */
  say: (value: T) => string
  long?: (value: T) => string | undefined
  /** Words for what was never asked, e.g. because the tool is not there. */
  unasked?: string
  /** For a known value that closes the gate: why in a few words, and what to do. An error says its next step itself. */
  closed?: (value: T) => Pick<FactRow, 'reason' | 'next'>
  explain: Explain
}

/** One fact as a row: an answer in words, a failure in words, or that it is being asked. */
export function factRow<T>(spec: RowSpec<T>): FactRow {
  const row = plainRow(spec)
  return spec.advice === true ? { ...row, advice: true } : row
}

const CLOSED = ['refused', 'unknown']

function plainRow<T>(spec: RowSpec<T>): FactRow {
  const { id, label, observation, explain } = spec
  const mark = markOf(observation, spec.judge)
  switch (observation.status) {
    case 'unasked':
      return {
        id,
        label,
        mark,
        value: observation.words ?? spec.unasked ?? 'not asked yet',
        source: '',
        explain,
      }
    case 'asking':
      return { id, label, mark, value: 'asking', source: '', explain }
    case 'failed':
      return {
        id,
        label,
        mark,
        value: failureWords(observation.error),
        source: observation.source,
        learntAtMs: observation.goodAtMs ?? observation.atMs,
        explain,
        ...nextOf(observation.error.nextSteps),
      }
    case 'known': {
      const long = spec.long?.(observation.value)
      return {
        id,
        label,
        mark,
        value: spec.say(observation.value),
        source: observation.source,
        learntAtMs: observation.atMs,
        explain,
        ...(long === undefined ? {} : { long }),
        ...(CLOSED.includes(mark) ? spec.closed?.(observation.value) : {}),
      }
    }
  }
}

function nextOf([next]: readonly string[]): Pick<FactRow, 'next'> {
  return next === undefined ? {} : { next }
}

/** A fact that an endpoint need not offer: where it does not, that is said without a fault. */
export function optionalRow<T>(
  spec: Omit<RowSpec<T>, 'observation'> & { observation: Observation<Offered<T>> },
): FactRow {
  const { observation, ...rest } = spec
  if (observation.status !== 'known') return factRow({ ...rest, observation })
  const { value: offered, ...told } = observation
  if (offered.offer === 'yes') return factRow({ ...rest, observation: { ...told, value: offered.value } })
  const { id, label, explain } = spec
  const row = { id, label, explain, source: told.source, learntAtMs: told.atMs }
  return offered.offer === 'no'
    ? { ...row, mark: 'unasked', value: 'not offered by this node' }
    : { ...row, mark: 'unknown', value: offered.words }
}

/** The money band while nothing has been sent in this registration. */
export function moneyUntouched(worst: string, token: string): MoneyBand {
  return { line: `left the wallet 0 ${token} · this step sends nothing`, worst }
}

/** The first failed or refused observation's own words as a problem, or undefined. */
export function failureProblem(observation: Observation<unknown>): Problem | undefined {
  if (observation.status !== 'failed') return undefined
  const { error } = observation
  return {
    title: error.shortMessage,
    money: error.money,
    values: [],
    lines: error.details,
    next: error.nextSteps,
  }
}
