import { awaitsTypedKey } from '../core/steps/identity/machine.ts'
import type { FactRow, Mark, StepId } from '../core/view/view.ts'
import type { AnyView } from '../core/wizard/any-step.ts'
import type { Session } from '../core/wizard/session.ts'
import type { State } from '../core/wizard/state.ts'
import { viewOf } from '../core/wizard/view-of.ts'
import { EXIT, type ExitCode } from '../output/io.ts'
import { nextDecision } from './next-decision.ts'
import {
  isUnknown,
  KEY_IS_AWAY,
  ROUNDS_WITHOUT_NEWS,
  STOPPED_REASON,
  viewRows,
  type Why,
  whyOf,
} from './rehearsal-reason.ts'

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
 * ten rounds of asking (3); 4 when the signal came first. Each fact is told once.
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
    return stuck(EXIT.no, view, session)
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
