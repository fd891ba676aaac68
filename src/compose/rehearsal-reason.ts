import { dirname } from 'node:path'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import { command, distinctNext, type Next, parts, withoutKeys } from '../core/base/format/next.ts'
import type { Setup } from '../core/chain/facts.ts'
import { STEP_NAMES_TEXT } from '../core/view/names-text.ts'
import type { FactRow, Problem } from '../core/view/view.ts'
import type { AnyView } from '../core/wizard/any-step.ts'
import type { JournalState } from '../core/wizard/state.ts'
import { factLine, MONEY_WORDS } from '../output/fact-lines.ts'
import { EXIT, type ExitCode } from '../output/io.ts'

/** A rehearsal tells something new every few slots; after so many without it nothing more will come. */
export const ROUNDS_WITHOUT_NEWS = 200

/** Why a rehearsal ended without an active validator: a sentence first, then its parts and what to do. */
export type Reason = readonly [string, ...Next[]]

/** How it ended by a name that stays the same: the problem of a step by its id, else one of these; and why. */
export type Why = { end: string; reason: Reason }
const ENDS = { refused: 'refused', unknown: 'unknown', noNews: 'no-news' } as const

const RUN_AGAIN = 'next: run the same command again, it goes on from there'
const BEGIN_ANEW = 'next: or begin a new rehearsal, with another --state'

/** Why a rehearsal that was stopped from outside ended. */
export const STOPPED_REASON: Reason = [
  'The rehearsal was stopped before the validator was active: by a signal, or because its output is not read.',
  RUN_AGAIN,
]

/** Why it ends where somebody would have to type the key that the home of the rehearsal has not. */
export const KEY_IS_AWAY: Reason = [
  'identity: the node home of this rehearsal does not hold its key any more. (money untouched)',
  'next: put the key file and the settings of the home back as the network made them',
  BEGIN_ANEW,
]

/** All rows of a view. */
export const viewRows = (view: AnyView): FactRow[] => [...view.facts, ...view.checks]

/** A payment that waits for the chain is no answer that is missing. */
export const isUnknown = ({ mark, advice, waits }: FactRow): boolean =>
  mark === 'unknown' && advice !== true && waits !== true

type About = Pick<Setup, 'endpoints' | 'passwordDescriptor' | 'journalDirectory'>

/** Returns the problem in words, else what refuses, else what stayed unknown, else where nothing came any more. */
export function whyOf(code: ExitCode, view: AnyView, setup: About, journal: JournalState): Why {
  const { step, problem } = view
  const rows = viewRows(view)
  const unknown = rows.filter(isUnknown).map((row) => factLine(step, row))
  if (problem !== undefined) {
    const values = problem.values.map(({ label, value }) => `${label}: ${value}`)
    const title = `${STEP_NAMES_TEXT.of[step].name}: ${problem.title} (money ${moneyWords(problem)})`
    const next = nextOf(problem, setup, journal)
    return { end: problem.id, reason: [title, ...unknown, ...values, ...problem.lines, ...next] }
  }
  if (code === EXIT.no) {
    const refused = view.checks.filter(({ mark }) => mark === 'refused').map((row) => factLine(step, row))
    const title = `${STEP_NAMES_TEXT.of[step].name}: a check before the payment says no, and did so each time it was asked. Nothing was sent.`
    const next = 'next: change what the lines above name'
    return { end: ENDS.refused, reason: [title, ...refused, next, RUN_AGAIN] }
  }
  if (unknown.length > 0) {
    const title = `${STEP_NAMES_TEXT.of[step].name}: something could not be found out, however often it was asked.`
    const next = remediesOf(rows.filter(isUnknown), setup.endpoints)
    return { end: ENDS.unknown, reason: [title, ...unknown, ...next, RUN_AGAIN] }
  }
  const open = rows
    .filter(({ mark }) => mark !== 'proven' && mark !== 'given')
    .map((row) => factLine(step, row))
  const title = `${STEP_NAMES_TEXT.of[step].name}: nothing new has come for ${ROUNDS_WITHOUT_NEWS} slots.`
  return { end: ENDS.noNews, reason: [title, ...open, RUN_AGAIN] }
}

const moneyWords = ({ money, lost }: Problem): string =>
  lost === undefined ? MONEY_WORDS[money] : `${lost} lost`

/** Of journals that no start goes on from. */
const LOST_JOURNALS: readonly string[] = [
  'journal.damaged',
  'journal.newer',
  'journal.older',
  'journal.another',
]

/** What to do, where no key can be pressed: what asking again does is done by running the command again. */
function nextOf({ next: steps }: Problem, setup: About, journal: JournalState): Next[] {
  const { next, decides, asks } = withoutKeys(steps)
  const { passwordDescriptor, journalDirectory } = setup
  const lines = next.map(nextLine)
  if (decides && passwordDescriptor !== undefined) {
    const options = ['--devnet', passwordDescriptor, '--state', dirname(journalDirectory)]
    lines.push(parts`next: the wizard has the keys to decide it: ${command(...options)}`)
  }
  if (journal.status === 'refused' && LOST_JOURNALS.includes(journal.error.code)) lines.push(BEGIN_ANEW)
  else if (!decides && asks) lines.push(RUN_AGAIN)
  return lines
}

const nextLine = (step: Next): Next => parts`next: ${step}`

/** What helps where an endpoint did not answer, and what each other answerer says itself: a file, or the keystore. */
function remediesOf(unknown: readonly FactRow[], endpoints: Setup['endpoints']): Next[] {
  const names = new Set(Object.values(endpoints).flat().map(endpointName))
  const own = unknown.filter(({ source }) => !names.has(source)).flatMap(({ next = [] }) => next)
  const lines = distinctNext(withoutKeys(own).next).map(nextLine)
  const isOfEndpoint = lines.length === 0 || unknown.some(({ source }) => names.has(source))
  return isOfEndpoint ? [...lines, 'next: see that all three endpoints run and answer'] : lines
}
