import { dirname } from 'node:path'
import { formatGwei } from '../core/base/format/amount.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import { sameHex } from '../core/base/format/hex.ts'
import { command, distinctNext, type Next, parts, withoutKeys } from '../core/base/format/next.ts'
import type { Setup } from '../core/chain/facts.ts'
import { liveOf } from '../core/pay/payment/candidates.ts'
import { isBegun } from '../core/pay/payment/sign-again.ts'
import { adoptable, adoptionOf } from '../core/steps/identity/adopt.ts'
import { awaitsTypedKey } from '../core/steps/identity/machine.ts'
import { challengeOf } from '../core/steps/sign/typing.ts'
import { goTo } from '../core/view/step-view.ts'
import { STEP_NAMES_TEXT } from '../core/view/text.ts'
import type { FactRow, Mark, Problem, StepId } from '../core/view/view.ts'
import { isAllowed } from '../core/wizard/gates.ts'
import type { Session } from '../core/wizard/session.ts'
import {
  type AnyField,
  type AnyView,
  type Event,
  type JournalState,
  type State,
  taken,
} from '../core/wizard/state.ts'
import { viewOf } from '../core/wizard/view-of.ts'
import { factLine, MONEY_WORDS } from '../output/fact-lines.ts'
import { EXIT, type ExitCode, isOfDisk } from '../output/io.ts'

/** A rehearsal tells something new every few slots; after so many without it nothing more will come. */
const ROUNDS_WITHOUT_NEWS = 200

/** Why a rehearsal ended without an active validator: a sentence first, then its parts and what to do. */
export type Reason = readonly [string, ...Next[]]

/** How it ended by a name that stays the same: the problem of a step by its id, else one of these; and why. */
type Why = { end: string; reason: Reason }
const ENDS = { refused: 'refused', unknown: 'unknown', noNews: 'no-news' } as const

const RUN_AGAIN = 'next: run the same command again, it goes on from there'
const BEGIN_ANEW = 'next: or begin a new rehearsal, with another --state'

/** Why a rehearsal that was stopped from outside ended. */
const STOPPED_REASON: Reason = [
  'The rehearsal was stopped before the validator was active: by a signal, or because its output is not read.',
  RUN_AGAIN,
]

/** Why it ends where somebody would have to type the key that the home of the rehearsal has not. */
const KEY_IS_AWAY: Reason = [
  'identity: the node home of this rehearsal does not hold its key any more. (money untouched)',
  'next: put the key file and the settings of the home back as the network made them',
  BEGIN_ANEW,
]

/** All rows of a view. */
const viewRows = (view: AnyView): FactRow[] => [...view.facts, ...view.checks]

/** A payment that waits for the chain is no answer that is missing. */
const isUnknown = ({ mark, advice, waits }: FactRow): boolean =>
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
  'journal.unknown',
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

const ROUNDS_BEFORE_UNKNOWN = 10
const SHORTEST_ROUND_MS = 1000

/** Steps that say themselves why a journal cannot be opened. */
const BEFORE_JOURNAL: readonly StepId[] = ['genesis', 'identity']

/** How a rehearsal ended. Any end but an active validator has its reason with it. */
export type RehearsalEnd = { code: typeof EXIT.done } | ({ code: Exclude<ExitCode, typeof EXIT.done> } & Why)

/** Takes each proven or refused fact once. */
export type TellFact = (step: StepId, row: FactRow) => void

/** The end of a rehearsal that was stopped from outside. */
export const STOPPED: RehearsalEnd = {
  code: EXIT.stopped,
  end: 'stopped',
  reason: STOPPED_REASON,
}

/**
 * Lets the autopilot decide until the validator is active (0), a check says no (1), or something stays unknown for
 * ten rounds of asking, or the disk fails (3); 4 when the signal came first. Each fact is told once.
 */
export async function driveRehearsal(
  session: Session,
  { signal }: { signal: AbortSignal },
  tell: TellFact,
): Promise<RehearsalEnd> {
  if (signal.aborted) return STOPPED
  const reporter = factReporter(tell)
  const { how, view } = await untilEnded(session, signal, reporter)
  if (view !== undefined) reporter.tell(view)
  return how
}

/** The last view is there where the facts of the end are still to be told. */
type End = { how: RehearsalEnd; view?: AnyView }

/** Handles one event after the other; whoever finds the end first settles it. */
function untilEnded(session: Session, signal: AbortSignal, reporter: FactReporter): Promise<End> {
  return new Promise((resolve, reject) => {
    let over = false
    const end = (how: End) => {
      over = true
      resolve(how)
    }
    signal.addEventListener('abort', () => end({ how: STOPPED }), { once: true })
    if (signal.aborted) {
      end({ how: STOPPED })
      return
    }
    let queue = Promise.resolve()
    session.subscribe(() => {
      queue = queue.then(async () => {
        if (over) return
        const how = await goOn(session, reporter)
        if (how !== undefined) end(how)
      })
      queue.catch(reject)
    })
    session.start().catch(reject)
    patience(session, { signal, reporter, isOver: () => over }).then(
      (how) => {
        if (how !== undefined) end(how)
      },
      (thrown: unknown) => {
        if (!over) reject(thrown)
      },
    )
  })
}

/** One look at the step: the end of the way, a refusal, or the next decision. */
async function goOn(session: Session, reporter: FactReporter): Promise<End | undefined> {
  const state = session.getState()
  if (state.journal.status === 'refused' && !BEFORE_JOURNAL.includes(state.step)) {
    return stuck(EXIT.unknown, viewOf('identity', state, session), session)
  }
  const view = viewOf(state.step, state, session)
  if (view.done) reporter.tell(view)
  if (state.step === 'status' && view.done) return { how: { code: EXIT.done } }
  if (state.step === 'identity' && !isStillAsked(state) && awaitsTypedKey(state.identity))
    return { how: { code: EXIT.no, end: 'key-away', reason: KEY_IS_AWAY }, view }
  const decision = nextDecision(session)
  // The second step says why there is no journal; the first only says it early.
  const isEarly = state.step === 'genesis' && state.journal.status === 'refused' && decision !== undefined
  const goesOn = decision?.step === 'identity' || isEarly
  if (view.problem !== undefined && !goesOn) {
    if (isStillAsked(state) || isUnanswered(state) || viewRows(view).some(isUnsettled)) return undefined
    return stuck(isOfDisk(view.problem.id) ? EXIT.unknown : EXIT.no, view, session)
  }
  if (decision !== undefined) await session.dispatch(decision)
  return undefined
}

/** Whether the key is still asked about: what is reported of it is there before its proof, and may be adopted only then. */
const isStillAsked = ({ step, identity }: State): boolean => step === 'identity' && identity.asking

/** Whether a payment stopped at an endpoint without a usable answer: nothing has refused it then, and it is asked again. */
function isUnanswered({ step, deposit, topup }: State): boolean {
  const failure = step === 'topup' ? topup.send.failure : deposit.failure
  return failure?.code.startsWith('client.') === true
}

type Patience = { signal: AbortSignal; reporter: FactReporter; isOver: () => boolean }

/**
 * Asks again and again what could not be found out or what the gate refuses; resolves when that has gone on for too
 * long. The view is the one before the last asking: afterwards it only says that it is being asked.
 */
async function patience(session: Session, { signal, reporter, isOver }: Patience): Promise<End | undefined> {
  const roundMs = Math.max(SHORTEST_ROUND_MS, session.setup.network.slotMs)
  for (let rounds = 0, unanswered = 0, quiet = 0, reported = 0; ; quiet += 1) {
    await session.clock.sleep(roundMs, signal)
    if (isOver()) return undefined
    if (reporter.count() !== reported) quiet = 0
    reported = reporter.count()
    const view = currentView(session)
    if (quiet >= ROUNDS_WITHOUT_NEWS) return stuck(EXIT.unknown, view, session)
    const rows = viewRows(view)
    if (rows.some(({ mark }) => mark === 'asking') && !rows.some(isUnknown)) continue
    if (view.problem !== undefined && isUnanswered(session.getState())) {
      // It counts to the end of the rehearsal: between two of them the gate is open.
      unanswered += 1
      if (unanswered >= ROUNDS_BEFORE_UNKNOWN) return stuck(EXIT.unknown, view, session)
      await askAnew(session)
      continue
    }
    if (view.done || !isOpen(view)) {
      rounds = 0
      continue
    }
    rounds += 1
    if (rounds >= ROUNDS_BEFORE_UNKNOWN)
      return stuck(rows.some(isUnknown) ? EXIT.unknown : EXIT.no, view, session)
    await askAnew(session)
  }
}

function currentView(session: Session): AnyView {
  const state = session.getState()
  return viewOf(state.step, state, session)
}

/** Whether asking again may help: a fact is unknown, or the gate before a payment says no. */
function isOpen(view: AnyView): boolean {
  return viewRows(view).some(isUnknown) || view.checks.some(({ mark }) => mark === 'refused')
}

async function askAnew(session: Session): Promise<void> {
  const { step } = session.getState()
  if (step === 'genesis' || step === 'identity' || step === 'sign') {
    await session.dispatch({ step, type: 'retried' })
  }
  if (step === 'deposit' || step === 'topup') await session.dispatch({ step, type: 'checkAsked' })
}

const isUnsettled = ({ mark, waits }: FactRow): boolean =>
  (mark === 'unknown' || mark === 'asking') && waits !== true

const TOLD: readonly Mark[] = ['proven', 'given', 'refused']

type FactReporter = { tell(view: AnyView): void; count(): number }

function factReporter(tell: TellFact): FactReporter {
  const reported = new Set<string>()
  return {
    count: () => reported.size,
    tell(view) {
      for (const row of viewRows(view)) {
        const key = `${view.step}.${row.id}.${row.value}`
        if (!TOLD.includes(row.mark) || reported.has(key)) continue
        reported.add(key)
        tell(view.step, row)
      }
    },
  }
}

/** The end at a step that goes no further, with the facts of its last view. */
function stuck(code: typeof EXIT.no | typeof EXIT.unknown, view: AnyView, session: Session): End {
  const why = whyOf(code, view, session.setup, session.getState().journal)
  return { how: { code, ...why }, view }
}

/** Steps that rest on a final deposit; how it ended may turn out to have been remembered wrongly. */
const AFTER_DEPOSIT: readonly StepId[] = ['confirm', 'topup']

/**
 * What a person would decide next in a rehearsal, or undefined while there is nothing to decide: a field is filled, or
 * Enter is pressed on what the step shows. Only ever used on a rehearsal network.
 */
export function nextDecision(session: Session): Event | undefined {
  const state = session.getState()
  if (session.setup.network.kind !== 'rehearsal' || state.step === 'status') return undefined
  if (AFTER_DEPOSIT.includes(state.step) && liveOf(state.deposit) !== undefined) return goTo('deposit')
  const view = viewOf(state.step, state, session)
  const field = view.fields.find(({ id }) => id === view.activeField) ?? adoptionField(view, state, session)
  if (field !== undefined) {
    const text = answerFor(field, state, session)
    return text === undefined ? undefined : taken(field, text)
  }
  // Enter on a payment that waits would change it.
  const waits = { deposit: isBegun(state.deposit), topup: isBegun(state.topup.send) }
  if (!view.done && Object.entries(waits).some(([step, begun]) => step === state.step && begun))
    return undefined
  const does = view.actions.find(({ key }) => key === 'return')?.does
  return does === undefined || typeof does === 'string' || 'edit' in does ? undefined : does[0]
}

/**
 * A validator that the rehearsal's own wallet registered, in an earlier run whose journal is gone, is adopted. Not one that
 * somebody else manages; and not before it may be, for the answer would be given again and again.
 */
function adoptionField({ fields }: AnyView, state: State, { setup }: Session): AnyField | undefined {
  const { suggestedAddress } = setup
  const found = adoptable(state.identity, setup)
  if (state.step !== 'identity' || suggestedAddress === undefined || found === undefined) return undefined
  if (!sameHex(found.operator, suggestedAddress)) return undefined
  const adoption = adoptionOf(suggestedAddress, found)
  if ('error' in adoption) return undefined
  if (!isAllowed(state, { step: 'identity', type: 'adopted', ...adoption }, setup)) return undefined
  return fields.find(({ id, error }) => id === 'withdrawal' && error === undefined)
}

function answerFor({ id }: AnyField, { sign }: State, { setup }: Session): string | undefined {
  switch (id) {
    case 'withdrawal':
    case 'operator':
      return setup.suggestedAddress
    case 'withdrawalAgain':
      return challengeOf(sign.accepted.withdrawal ?? '', sign.challengeOffset)
    case 'operatorAgain':
      return challengeOf(sign.accepted.operator ?? '', sign.challengeOffset)
    case 'amount':
      return formatGwei(setup.network.minimumDepositGwei).replaceAll(',', '')
    default:
      return undefined
  }
}
