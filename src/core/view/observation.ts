import { BaseError, type MoneyState, programError, type TemporaryFault } from '../base/errors/base.ts'
import { fileSystemError } from '../base/errors/file.ts'
import { endpointName } from '../base/format/endpoint-url.ts'
import type { Next } from '../base/format/next.ts'
import { safeText } from '../base/format/text.ts'
import type { Setup } from '../chain/facts.ts'
import { STEP_TEXT } from './text.ts'
import type { Mark } from './view.ts'

/** The parts of an error that a screen, a line of output or a JSON reply shows. */
export type ErrorFacts = {
  code: string
  shortMessage: string
  details: readonly string[]
  nextSteps: readonly Next[]
  retryable: boolean
  money: MoneyState
  /** The other side's own reason, for people alone. */
  said?: string
}

/** What is known of one fact. Never written to the journal: after a restart everything is asked anew. */
export type Observation<T> =
  /** `words` say why, where that is known; they are safe to draw. */
  | { status: 'unasked'; words?: string }
  | { status: 'asking' }
  | { status: 'known'; value: T; source: string; atMs: number }
  /** `goodAtMs`: when it was last known. */
  | { status: 'failed'; error: ErrorFacts; source: string; atMs: number; goodAtMs?: number }

/** A set of observations, one for each key of `T`. */
export type Observations<T> = { readonly [K in keyof T]: Observation<T[K]> }

/** One fresh observation of any key of `T`. */
export type Observed<T> = { [K in keyof T]: { key: K; observation: Observation<T[K]> } }[keyof T]

/** A record in which nothing has been asked. */
export function unobserved<T>(keys: readonly (keyof T)[]): Observations<T> {
  return Object.fromEntries(keys.map((key) => [key, { status: 'unasked' }])) as Observations<T>
}

/**
 * The record with one observation replaced. A question never hides the last answer, nor that there was none; a failure
 * keeps the time of the last good answer.
 */
export function withObservation<T>(record: Observations<T>, entry: Observed<T>): Observations<T> {
  const before = record[entry.key]
  const { status } = before
  if (entry.observation.status === 'asking' && (status === 'known' || status === 'failed')) return record
  const goodAtMs = status === 'known' ? before.atMs : goodTimeOf(before)
  const dated = entry.observation.status === 'failed' && goodAtMs !== undefined ? { goodAtMs } : {}
  return { ...record, [entry.key]: { ...entry.observation, ...dated } }
}

function goodTimeOf(observation: Observation<unknown>): number | undefined {
  return observation.status === 'failed' ? observation.goodAtMs : undefined
}

/** Returns the value of an observation; undefined unless it is known. */
export function known<T>(observation: Observation<T>): T | undefined {
  return observation.status === 'known' ? observation.value : undefined
}

/** Returns an answer as a document says it: `unknown` where it was asked for and did not come, null where nobody was asked. */
export function answerOf<T>(observation: Observation<T>): T | 'unknown' | null {
  if (observation.status === 'known') return observation.value
  return observation.status === 'unasked' ? null : 'unknown'
}

/**
 * What a value comes to: undefined where it settles nothing. Else `given` where the user alone can compare it, `asking`
 * where another answer must come first, `unasked` where it says that nobody could look.
 */
export type Judgement = boolean | 'given' | 'asking' | 'unasked' | undefined

/** Returns the mark of an observation whose known value is judged by `judge`. */
export function markOf<T>(observation: Observation<T>, judge: (value: T) => Judgement): Mark {
  switch (observation.status) {
    case 'unasked':
      return 'unasked'
    case 'asking':
      return 'asking'
    case 'failed':
      return 'unknown'
    case 'known':
      return MARKS[`${judge(observation.value)}`]
  }
}

const MARKS = {
  true: 'proven',
  false: 'refused',
  given: 'given',
  asking: 'asking',
  unasked: 'unasked',
  undefined: 'unknown',
} as const

/**
 * What the loading of a library with native code ends with: Node's words, the library's own, or the single executable's.
 * Windows says in one line what is wrong, and in the next with which file.
 */
const NO_LIBRARY =
  /^(?:Cannot find module '@chainsafe|Cannot find native binding|The library @chainsafe|Failed to load native|[^\n]*\.node\b|[^\n]*\n\\\\\?\\[^\n]*\.node$)/

function libraryFault(message: string): string {
  const [what = '', where = ''] = message.split(/\r?\n/)
  return where.startsWith('\\\\?\\') ? `${what} ${where}` : what
}

/** What Node names a right that it was not given, for libraries with native code and for all else. */
const FORBIDDEN: readonly unknown[] = ['ERR_DLOPEN_DISABLED', 'ERR_ACCESS_DENIED']

/** What the start of the single executable throws, which shares no class of error with the program in it. */
function isTemporaryFault(thrown: unknown): thrown is Error & TemporaryFault {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_TEMPORARY_DIRECTORY'
}

/** What loads a part of the program, or makes a temporary file, while too many files are open. */
function isTooMany(thrown: unknown): thrown is Error & { code: string; path: string } {
  if (!(thrown instanceof Error) || thrown instanceof BaseError || !('code' in thrown)) return false
  const isKnown = thrown.code === 'EMFILE' || thrown.code === 'ENFILE'
  return isKnown && 'path' in thrown && typeof thrown.path === 'string'
}

/** Returns what a person can use of any thrown value; a value that is no BaseError is a fault of the program itself. */
export function errorFacts(thrown: unknown): ErrorFacts {
  if (thrown instanceof Error && !(thrown instanceof BaseError) && NO_LIBRARY.test(thrown.message))
    return errorFacts(programError('install.library', safeText(libraryFault(thrown.message), 300), thrown))
  if (thrown instanceof Error && 'code' in thrown && FORBIDDEN.includes(thrown.code))
    return errorFacts(programError('install.forbidden', safeText(thrown.message, 300), thrown))
  if (isTooMany(thrown)) return errorFacts(fileSystemError(safeText(thrown.path), thrown.code, thrown))
  if (isTemporaryFault(thrown)) {
    const { directory, variable, found } = thrown
    const named = variable === undefined ? {} : { variable }
    return errorFacts(
      programError('install.temporary', { directory: safeText(directory), ...named, found }, thrown),
    )
  }
  if (thrown instanceof BaseError) {
    const { code, shortMessage, details, nextSteps, retryable, money, said } = thrown
    const facts = { code, shortMessage, details, nextSteps, retryable, money }
    return said === undefined ? facts : { ...facts, said }
  }
  return {
    code: 'internal.fault',
    shortMessage: STEP_TEXT.fault.title,
    details: [
      thrown instanceof Error ? safeText(`${thrown.name}: ${thrown.message}`) : STEP_TEXT.fault.unsaid,
    ],
    nextSteps: [STEP_TEXT.fault.next],
    retryable: false,
    money: 'unknown',
  }
}

type Source = (setup: Pick<Setup, 'endpoints'>) => string

/** Who answers for a fact, as its row names them. */
export const SOURCES = {
  execution: ({ endpoints }) => endpointName(endpoints.execution),
  secondExecution: ({ endpoints }) => endpointName(endpoints.secondExecution ?? ''),
  node: ({ endpoints }) => endpointName(endpoints.node),
  engine: ({ endpoints }) => endpointName(endpoints.engine ?? ''),
  /** What the engine knows better, and a node says where there is none. */
  engineOrNode: ({ endpoints }) => endpointName(endpoints.engine ?? endpoints.node),
} satisfies Record<string, Source>
