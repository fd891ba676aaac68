import { nextDecision } from '../../src/compose/drive-rehearsal.ts'
import { liveOf } from '../../src/core/pay/payment/candidates.ts'
import { validatorIsActive } from '../../src/core/steps/status/machine.ts'
import type { Mark, Problem, StepId } from '../../src/core/view/view.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { Event, State } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import type { Life } from './life.ts'
import { type LifeOptions, startWorld, type World, type WorldInput } from './world.ts'

/** How a registration came to its end. */
export type Ending =
  | { end: 'active' }
  | { end: 'refused'; step: StepId; problem: Problem }
  | { end: 'waiting'; step: StepId; words: string }

/** While it holds of the state, nothing is decided. */
export type Reading = { reads?: (state: State) => boolean }

/** How long, on the clock of the world, something may stay as it is before a registration counts as waiting. */
export type Patience = { patienceSeconds?: number | undefined }

const PATIENCE_SECONDS = 400
const OPEN_MARKS: readonly Mark[] = ['unknown', 'refused']

/** A whole registration on a network of its own: what the autopilot decides, until it is active or refused. */
export async function journey<T>(
  input: WorldInput & Patience & { life?: LifeOptions },
  look: (arrived: { world: World; session: Session; ending: Ending }) => Promise<T> | T,
): Promise<T> {
  const { life = {}, patienceSeconds, ...network } = input
  const world = await startWorld(network)
  try {
    const { session, ending } = await live(world, world.begin(life), { patienceSeconds })
    return await look({ world, session, ending })
  } finally {
    await world.end()
  }
}

/** Starts the program in a process and lets it go on to the end. Never settles when the process dies before. */
export function live(
  world: World,
  life: Life,
  patience: Patience & Reading = {},
): Promise<{ session: Session; ending: Ending }> {
  return world.clock.flow(async () => {
    const session = await world.session(life)
    return { session, ending: await register(world, session, patience) }
  })
}

/** Decides what a person would decide, and asks again where something stayed unknown. While it `reads` nothing is decided. */
export function register(
  world: World,
  session: Session,
  { patienceSeconds = PATIENCE_SECONDS, reads = () => false }: Patience & Reading = {},
): Promise<Ending> {
  const { promise, resolve, reject } = Promise.withResolvers<Ending>()
  let queue = Promise.resolve()
  let over = false
  const settle = (ending: Ending) => {
    over = true
    resolve(ending)
  }
  const pump = async () => {
    if (over || reads(session.getState())) return
    const decision = nextDecision(session)
    const ending = decision?.step === 'identity' ? undefined : endingOf(session)
    if (ending !== undefined) return settle(ending)
    if (decision !== undefined) await session.dispatch(decision)
  }
  // Of events that come at once the last one is looked at: what is decided follows from the state alone.
  let isDue = false
  const next = () => {
    if (isDue) return
    isDue = true
    queue = queue.then(() => {
      isDue = false
      return pump()
    })
    queue.catch(reject)
  }
  session.subscribe((_, event) => {
    // A question that begins decides nothing and ends nothing.
    if (!('observation' in event) || event.observation.status !== 'asking') next()
  })
  const askAgain = async () => {
    for (let second = 0; second < patienceSeconds && !over; second += 1) {
      await session.clock.sleep(1000)
      const event = over ? undefined : questionAnew(session)
      if (event !== undefined) await session.dispatch(event)
    }
    if (!over) settle(waitingAt(session))
  }
  void world.clock.flow(() => askAgain()).catch(reject)
  return world.clock.flow(() =>
    session
      .start()
      .then(next)
      .then(() => promise),
  )
}

/** What the screen of the step shows, with all rows that hold a mark. */
function seenBy(session: Session) {
  const state = session.getState()
  const { title, problem, facts, checks } = viewOf(state.step, state, session)
  return { title, problem, rows: [...facts, ...checks] }
}

function endingOf(session: Session): Ending | undefined {
  const state = session.getState()
  const { step } = state
  if (step === 'status' && validatorIsActive(state.status)) return { end: 'active' }
  // Nothing is over while a deposit that was remembered as final is looked for again.
  if (step !== 'deposit' && liveOf(state.deposit) !== undefined) return undefined
  const { problem, rows } = seenBy(session)
  if (problem === undefined || rows.some(({ mark }) => mark === 'asking')) return undefined
  const failure = step === 'deposit' ? state.deposit.failure : state.topup.send.failure
  const final =
    rows.some(({ mark }) => mark === 'refused') ||
    state.journal.status === 'refused' ||
    failure?.retryable === false
  return final ? { end: 'refused', step, problem } : undefined
}

/** The key `r`, pressed where a question was answered with nothing. */
function questionAnew(session: Session): Event | undefined {
  const state = session.getState()
  const { step } = state
  const { rows, problem } = seenBy(session)
  if (rows.some(({ mark }) => mark === 'asking')) return undefined
  if (problem === undefined && !rows.some(({ mark }) => OPEN_MARKS.includes(mark))) return undefined
  switch (step) {
    case 'genesis':
    case 'identity':
    case 'sign':
    case 'confirm':
      return { step, type: 'retried' }
    case 'deposit':
    case 'topup':
      return { step, type: 'checkAsked' }
    case 'status':
      return undefined
  }
}

function waitingAt(session: Session): Ending {
  const state = session.getState()
  const { title, rows } = seenBy(session)
  const open = rows
    .filter(({ mark }) => mark !== 'proven' && mark !== 'given')
    .map(({ label, value }) => `${label}: ${value}`)
  return { end: 'waiting', step: state.step, words: [title, ...open].join(' | ') }
}
