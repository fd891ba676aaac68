import { padRight } from '../core/format/drawable.ts'
import { type Names, withCommands } from '../core/format/next-text.ts'
import type { NetworkChoice, UnderWay } from '../core/launch/choice.ts'
import type { OpeningWords, Screen } from '../core/launch/state.ts'
import type { ErrorFacts } from '../core/steps/observation.ts'
import type { Consent, Problem } from '../core/steps/view.ts'
import { BEGIN, NETWORKS, type Offer, SCENARIOS, underWayOffer } from './offers.ts'
import { drawable, longValueLines } from './ui/text.ts'

/** What leads one screen back is called so. */
export const BACK_WORD = 'back'

/** The way back from the steps: to the form where there was one. */
export const wayBackWords = (form: object | undefined): string =>
  form === undefined ? BACK_WORD : 'back to the addresses'

/** The title of what stops a step: where it does not say itself that something ends there, that is put before it. */
export function stopTitle({ kind, title }: Pick<Problem, 'kind' | 'title'>): string {
  return kind === 'event' ? `Stop: ${title}` : title
}

/** What is waited for before the steps. */
export const WAITS: Readonly<Record<OpeningWords, string>> = {
  list: 'for what is under way',
  addresses: 'for the addresses',
  endpoints: 'for the endpoints',
  'rehearsal-start': 'for the rehearsal network to start',
  'rehearsal-answer': 'for the rehearsal network to answer',
  end: 'for the open questions to end',
}

/** Cells of an address in groups of four. */
const ADDRESS = 51

/** The receiver and the amount of a consent, a line each. */
export function sentLines({ to, amount, fee }: Consent): readonly [to: string, amount: string] {
  return [`to: ${longValueLines(to.address, ADDRESS).join(' ')} · ${to.name}`, `amount: ${amount} · ${fee}`]
}

/** Why a key had no effect where a word is asked for, on screens and in lines. */
export const WORD_REFUSALS = {
  early: 'Keys of the first second do not count. Type it now.',
  pasted: 'A paste does not count: nothing is sent. Type it letter by letter.',
  hasty: 'Enter arrived together with the letters. Press it once more.',
  unknown: 'A check was not known when Enter came. Press it once more.',
} as const

/** The lists of the first screen. */
export type List = 'begin' | 'scenario' | 'validator'

/** What each list asks. */
export const TITLES: Readonly<Record<List, string>> = {
  begin: 'What do you want to do?',
  scenario: 'Which rehearsal?',
  validator: 'Which network is the validator on?',
}

/** What each list is about. */
export const INTROS: Readonly<Record<List, string>> = {
  begin: 'Seven steps, about 5 minutes in rehearsal. Nothing is sent until you type it.',
  scenario: 'A new network with a new key and play money. Each story has its own catch.',
  validator: 'A validator that is registered already: watch it, top it up. Its key or index comes next.',
}

/** Entries of a list under one heading. */
export type Section = { title: string | undefined; note?: string; offers: readonly Offer[] }

/** A list with its headings; what is under way comes before what can be begun. */
export function sectionsOf(list: List, underWay: readonly UnderWay[]): Section[] {
  if (list === 'scenario') return [{ title: undefined, offers: SCENARIOS }]
  if (list === 'validator') return [{ title: undefined, offers: NETWORKS }]
  if (underWay.length === 0) return [{ title: undefined, offers: BEGIN }]
  const remembered = { title: 'Continue', note: 'as remembered here; the chain is asked again' }
  return [
    { ...remembered, offers: underWay.map(underWayOffer) },
    { title: 'Begin', offers: BEGIN },
  ]
}

/** Where the money is after a failure. */
export const FAILURE_MONEY: Readonly<Record<Problem['money'], string>> = {
  untouched: 'this failure touched no money',
  unknown: 'it is not known yet whether something was sent; the journal holds what was signed',
  moved: 'money has moved; the journal holds what was sent',
}

/** A failure before the steps. */
export function failureProblem(
  { code, shortMessage, details, nextSteps, money }: ErrorFacts,
  run: Names['run'] | undefined,
): Problem {
  const next = run === undefined ? nextSteps : nextSteps.map((step) => withCommands(step, run))
  return { id: code, kind: 'event', title: shortMessage, money, values: [], lines: details, next }
}

/** The end of a session whose journal is lost. */
export function journalLost({ code, shortMessage, details, nextSteps }: ErrorFacts): Problem {
  return {
    id: code,
    kind: 'event',
    title: 'The journal cannot be written, so this program stops.',
    money: 'unknown',
    values: [],
    lines: [
      shortMessage,
      ...details,
      'What could not be written down did not happen: nothing more was sent.',
    ],
    next: [
      ...nextSteps,
      'quit; started again, the program looks for what was sent before it offers anything',
    ],
  }
}

/** A key that leads from a failure to another choice. */
export type Way = { key: string; label: string; choice: NetworkChoice }

/** The ways on where a rehearsal network is not the one that was meant: only a key begins another one. */
export function rehearsalWays({
  error,
  choice,
}: Pick<Extract<Screen, { phase: 'failed' }>, 'error' | 'choice'>): Way[] {
  if (error.code !== 'rehearsal.ended' && error.code !== 'rehearsal.other-scenario') return []
  const scenario =
    choice.kind === 'rehearsal' && choice.scenario !== undefined ? { scenario: choice.scenario } : {}
  const begin: Way = {
    key: 'n',
    label: 'new rehearsal',
    choice: { kind: 'rehearsal', which: 'new', ...scenario },
  }
  if (error.code === 'rehearsal.ended') return [begin]
  return [{ key: 'g', label: 'go on with it', choice: { kind: 'rehearsal', which: 'last' } }, begin]
}

/** What stays in the terminal's history when the screens are gone. */
export type ReceiptView = {
  /** One sentence: how far it came. */
  title: string
  rows: readonly { label: string; value: string }[]
  /** What the user can do next, e.g. how to come back. */
  next: readonly string[]
}

const LABEL = 14
const COLUMNS = 78

/** The summary as plain lines of at most 78 cells; values are whole, hex in groups of four. */
export function receiptLines(receipt: ReceiptView, plain: (text: string) => string): string[] {
  const rows = receipt.rows.flatMap(({ label, value }) =>
    longValueLines(value, COLUMNS - LABEL - 3).map(
      (text, index) => `  ${padRight(index === 0 ? drawable(label) : '', LABEL)} ${text}`,
    ),
  )
  const next = receipt.next.map((text) => `  ${drawable(text)}`)
  return [drawable(receipt.title), ...rows, ...(next.length > 0 ? ['', ...next] : [])].map(plain)
}
