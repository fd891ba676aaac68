import { EXIT, type ExitCode } from '../commands/exit-codes.ts'
import type { CommandIo } from '../commands/io.ts'
import type { Session } from '../core/session.ts'
import type { FactRow, StepId, StepView } from '../core/steps/view.ts'
import { nextDecision } from './autopilot.ts'
import { factLine, plainAscii, viewOf } from './fact-lines.ts'

const ROUNDS_BEFORE_UNKNOWN = 10
const SHORTEST_ROUND_MS = 1000

/** Steps that say themselves why a journal cannot be opened. */
const BEFORE_JOURNAL: readonly StepId[] = ['genesis', 'identity']

type Ended = { code: ExitCode; view: StepView }

/**
 * Lets the autopilot decide until the validator is active (0), a check says no (1), or something stays unknown for
 * ten rounds of asking (3); 4 when the signal came first. Each fact is told once, as a line while it goes on or, with
 * `json`, in one document at the end.
 */
export async function driveRehearsal(
  session: Session,
  io: CommandIo,
  options: { json: boolean },
): Promise<ExitCode> {
  const { json } = options
  const rows: ReturnType<typeof factOf>[] = []
  const teller = factTeller((step, row) => {
    if (json) rows.push(factOf(step, row))
    else io.out(factLine(step, row))
  })
  const ended = await untilEnded(session, io.signal, teller)
  if (ended !== undefined) teller(ended.view)
  if (json) {
    const code = ended?.code ?? EXIT.stopped
    const notes = ended === undefined || code === EXIT.done ? [] : reasonLines(ended.view)
    const network = session.setup.network.id
    io.out(JSON.stringify({ command: 'rehearse', network, verdict: VERDICTS[code], rows, notes }))
  }
  if (ended === undefined) return EXIT.stopped
  const { code, view } = ended
  if (code === EXIT.done && !json) {
    io.out(plainAscii('status    ok  active: the validator is in the engine’s set'))
  }
  if (code !== EXIT.done) for (const text of reasonLines(view)) io.err(text)
  return code
}

const VERDICTS: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'yes',
  [EXIT.no]: 'no',
  [EXIT.wrongUse]: 'wrong use',
  [EXIT.unknown]: 'unknown',
  [EXIT.stopped]: 'stopped',
}

/** Handles one event after the other; whoever finds the end first settles it. */
function untilEnded(
  session: Session,
  signal: AbortSignal,
  tell: (view: StepView) => void,
): Promise<Ended | undefined> {
  return new Promise((resolve, reject) => {
    let over = false
    const end = (how: Ended | undefined) => {
      over = true
      resolve(how)
    }
    signal.addEventListener('abort', () => end(undefined), { once: true })
    let queue = Promise.resolve()
    session.subscribe(() => {
      queue = queue.then(async () => {
        if (over) return
        const how = await goOn(session, tell)
        if (how !== undefined) end(how)
      })
      queue.catch(reject)
    })
    session.start().catch(reject)
    patience(session, signal, () => over).then(end, (reason: unknown) => {
      if (!over) reject(reason)
    })
  })
}

/** One look at the step: the end of the way, a refusal, or the next decision. */
async function goOn(session: Session, tell: (view: StepView) => void): Promise<Ended | undefined> {
  const state = session.getState()
  if (state.journal.status === 'refused' && !BEFORE_JOURNAL.includes(state.step)) {
    return { code: EXIT.unknown, view: viewOf('identity', state, session) }
  }
  const view = viewOf(state.step, state, session)
  if (view.done) tell(view)
  if (state.step === 'status' && view.done) return { code: EXIT.done, view }
  if (view.problem !== undefined) {
    return rowsOf(view).some(isUnsettled) ? undefined : { code: EXIT.no, view }
  }
  const decision = nextDecision(session)
  if (decision !== undefined) await session.dispatch(decision)
  return undefined
}

/** Asks again and again what could not be found out; resolves when that has gone on for too long. */
async function patience(
  session: Session,
  signal: AbortSignal,
  isOver: () => boolean,
): Promise<Ended | undefined> {
  const roundMs = Math.max(SHORTEST_ROUND_MS, session.setup.network.slotMs)
  for (let rounds = 0; rounds < ROUNDS_BEFORE_UNKNOWN; ) {
    await session.clock.sleep(roundMs, signal)
    if (isOver()) return undefined
    rounds = (await askAgain(session)) ? rounds + 1 : 0
  }
  const state = session.getState()
  return { code: EXIT.unknown, view: viewOf(state.step, state, session) }
}

/** Whether the step has answered everything and something stayed unknown; then it is asked anew. */
async function askAgain(session: Session): Promise<boolean> {
  const state = session.getState()
  const { step } = state
  const view = viewOf(step, state, session)
  const rows = rowsOf(view)
  if (view.done || !rows.some(isUnknown) || rows.some(({ mark }) => mark === 'asking')) return false
  if (step === 'genesis' || step === 'identity' || step === 'sign') {
    await session.dispatch({ step, type: 'retried' })
  }
  if (step === 'deposit' || step === 'topup') await session.dispatch({ step, type: 'checkAsked' })
  return true
}

const isUnknown = ({ mark }: FactRow): boolean => mark === 'unknown'

const isUnsettled = ({ mark }: FactRow): boolean => mark === 'unknown' || mark === 'asking'

function rowsOf(view: StepView): FactRow[] {
  return [...view.facts, ...view.checks]
}

function factTeller(tell: (step: StepId, row: FactRow) => void): (view: StepView) => void {
  const told = new Set<string>()
  return (view) => {
    for (const row of rowsOf(view)) {
      const key = `${view.step}.${row.id}.${row.value}`
      if ((row.mark !== 'proven' && row.mark !== 'refused') || told.has(key)) continue
      told.add(key)
      tell(view.step, row)
    }
  }
}

function factOf(step: StepId, { id, mark, label, value, long, source }: FactRow) {
  return { step, id, mark, label, value, long, source }
}

/** Why it ended without an active validator: the problem in words, else the facts that stayed unknown. */
function reasonLines(view: StepView): string[] {
  const { step, problem } = view
  const unknown = rowsOf(view)
    .filter(isUnknown)
    .map((row) => factLine(step, row))
  if (problem === undefined) return unknown
  const values = problem.values.map(({ label, value }) => `${label}: ${value}`)
  const next = problem.next.map((text) => `next: ${text}`)
  const title = `${step}: ${problem.title} (money ${problem.money})`
  return [...unknown, ...[title, ...values, ...problem.lines, ...next].map(plainAscii)]
}
