import type { Facts, Setup } from './facts.ts'
import {
  type ConfirmCommand,
  type ConfirmEvent,
  type ConfirmState,
  confirmTransition,
  initialConfirm,
  registrationFact,
} from './steps/confirm/machine.ts'
import {
  type DepositEvent,
  type DepositState,
  depositPlan,
  depositTransition,
} from './steps/deposit/machine.ts'
import {
  type GenesisCommand,
  type GenesisEvent,
  type GenesisState,
  genesisFact,
  genesisTransition,
  initialGenesis,
} from './steps/genesis/machine.ts'
import {
  type IdentityCommand,
  type IdentityEvent,
  type IdentityState,
  identityFact,
  identityTransition,
  initialIdentity,
  keyFact,
} from './steps/identity/machine.ts'
import { known } from './steps/observation.ts'
import { paymentFact, resumeSend } from './steps/sending/machine.ts'
import { fitsPhase, isOpen } from './steps/sending/phases.ts'
import {
  initialSend,
  type PaymentPlan,
  SEND_DURABLE,
  type SendCommand,
  type SendEvent,
} from './steps/sending/state.ts'
import {
  initialSign,
  opinionsAgree,
  SIGN_DURABLE,
  type SignCommand,
  type SignEvent,
  type SignState,
  signTransition,
} from './steps/sign/machine.ts'
import {
  initialStatus,
  isActive,
  type StatusCommand,
  type StatusEvent,
  type StatusState,
  statusTransition,
} from './steps/status/machine.ts'
import {
  initialTopUp,
  type TopUpCommand,
  type TopUpEvent,
  type TopUpState,
  topUpPlan,
  topUpTransition,
} from './steps/topup/machine.ts'
import { adviseTopUp } from './steps/topup/plan.ts'
import { STEP_IDS, type StepId } from './steps/view.ts'
import type { JournalHeader } from './steps/world.ts'

type JournalState =
  | { status: 'closed' }
  | { status: 'open'; header: JournalHeader; path: string; resumed: boolean }
  | { status: 'refused'; reason: string }

export type State = {
  step: StepId
  journal: JournalState
  genesis: GenesisState
  identity: IdentityState
  sign: SignState
  deposit: DepositState
  confirm: ConfirmState
  topup: TopUpState
  status: StatusState
}

type SessionEvent =
  | { step: 'session'; type: 'started' }
  | { step: 'session'; type: 'went'; to: StepId }
  | { step: 'session'; type: 'opened'; header: JournalHeader; path: string; history: readonly DurableEvent[] }
  | { step: 'session'; type: 'refused'; reason: string }

export type Event =
  | SessionEvent
  | GenesisEvent
  | IdentityEvent
  | SignEvent
  | DepositEvent
  | ConfirmEvent
  | TopUpEvent
  | StatusEvent

/** An event that is in the journal before it is applied. */
export type DurableEvent = SignEvent | SendEvent

export type Command =
  | GenesisCommand
  | IdentityCommand
  | SignCommand
  | SendCommand
  | ConfirmCommand
  | TopUpCommand
  | StatusCommand

export type Result = readonly [State, readonly Command[]]

export const initialState: State = {
  step: 'genesis',
  journal: { status: 'closed' },
  genesis: initialGenesis,
  identity: initialIdentity,
  sign: initialSign,
  deposit: initialSend,
  confirm: initialConfirm,
  topup: initialTopUp,
  status: initialStatus,
}

/** Whether an event is a decision or a money event, which the journal holds before anything follows from it. */
export function isDurable(event: Event): event is DurableEvent {
  if (event.step === 'sign') return SIGN_DURABLE.includes(event.type)
  if (event.step !== 'deposit' && event.step !== 'topup') return false
  return (SEND_DURABLE as readonly string[]).includes(event.type)
}

/** What earlier steps have proven, derived from the state alone. */
export function collectFacts(state: State, setup: Setup): Facts {
  const genesis = genesisFact(state.genesis, setup)
  const identity = identityFact(state.identity, setup) ?? ownIdentity(state)
  const deposit = paymentFact(state.deposit)
  const signature = state.sign.signature
  const agreed = signature !== undefined && (opinionsAgree(state.sign) || state.deposit.phase !== 'idle')
  const topup = state.topup.finished.at(-1)
  const facts: Facts = {
    ...(genesis === undefined ? {} : { genesis }),
    ...(identity === undefined ? {} : { identity }),
    ...(agreed ? { signature } : {}),
    ...(deposit === undefined ? {} : { deposit }),
    ...(topup === undefined ? {} : { topup }),
  }
  const registration = registrationFact(state.confirm, facts, setup)
  return registration === undefined ? facts : { ...facts, registration }
}

/** With a deposit of our own under way the key's chain facts have changed by our own doing: the file's still count. */
function ownIdentity(state: State) {
  const key = known(state.identity.seen.key)
  const home = known(state.identity.seen.home)
  if (key === undefined || home === undefined || state.deposit.phase === 'idle') return undefined
  return keyFact(key, home.keyFile)
}

/**
 * Whether an event may happen now. Everything that leads to money is refused unless all gates before it are open
 * and the plan is exactly the one that the facts make (safety #5, #79).
 */
export function isAllowed(state: State, event: Event, setup: Setup): boolean {
  if (!isDurable(event))
    return event.step !== 'session' || event.type !== 'went' || mayEnter(state, event.to, setup)
  if (state.journal.status !== 'open') return false
  const facts = collectFacts(state, setup)
  if (event.step === 'sign') {
    const rescues = facts.identity?.rescueOperator !== undefined
    if (event.type === 'planned' && event.plan.rescue !== rescues) return false
    return mayChangeSignature(state, facts)
  }
  if (!fitsPhase(event.step === 'deposit' ? state.deposit : state.topup.send, event)) return false
  if (event.type !== 'confirmed') return true
  if (event.step === 'deposit') return samePlan(event.plan, freshDepositPlan(state, facts, setup))
  const amountGwei = event.plan.valueWei / 1_000_000_000n
  return !isOpen(state.deposit) && samePlan(event.plan, topUpPlan(amountGwei, facts, setup))
}

function mayChangeSignature(state: State, facts: Facts): boolean {
  return facts.genesis !== undefined && facts.identity !== undefined && state.deposit.phase === 'idle'
}

function freshDepositPlan(state: State, facts: Facts, setup: Setup): PaymentPlan | undefined {
  return opinionsAgree(state.sign) ? depositPlan(facts, setup) : undefined
}

function samePlan(a: PaymentPlan, b: PaymentPlan | undefined): boolean {
  return b !== undefined && a.to === b.to && a.valueWei === b.valueWei && a.data === b.data
}

/**
 * Whether a step may be looked at: going back always, going on only when the steps before it are
 * settled. The status may be watched from registration on.
 */
function mayEnter(state: State, to: StepId, setup: Setup): boolean {
  const last = to === 'status' ? 'topup' : to
  return STEP_IDS.slice(0, STEP_IDS.indexOf(last)).every((step) => isDone(state, step, setup))
}

/** Whether a step is settled. */
export function isDone(state: State, step: StepId, setup: Setup): boolean {
  const facts = collectFacts(state, setup)
  switch (step) {
    case 'genesis':
      return facts.genesis !== undefined
    case 'identity':
      return facts.identity !== undefined && state.journal.status === 'open'
    case 'sign':
      return facts.signature !== undefined
    case 'deposit':
      return facts.deposit !== undefined
    case 'confirm':
      return facts.registration !== undefined
    case 'topup':
      return facts.topup !== undefined || needsNoTopUp(state, facts, setup)
    case 'status':
      return isActive(state.status)
  }
}

function needsNoTopUp(state: State, facts: Facts, setup: Setup): boolean {
  const survey = known(state.topup.survey)
  if (state.topup.send.phase !== 'idle') return false
  if (survey === undefined || facts.identity === undefined || facts.registration === undefined) return false
  return adviseTopUp(survey, facts.identity.pubkey, setup).proposedGwei === 0n
}

/** The whole procedure as one pure step: state and event in, state and commands out. */
export function transition(state: State, event: Event, setup: Setup): Result {
  switch (event.step) {
    case 'session':
      return sessionTransition(state, event, setup)
    case 'genesis':
      return lift(state, 'genesis', genesisTransition(state.genesis, event))
    case 'identity':
      return lift(state, 'identity', identityTransition(state.identity, event))
    case 'sign':
      return lift(state, 'sign', signTransition(state.sign, event, setup, collectFacts(state, setup)))
    case 'deposit':
      return withOwnDeposit(lift(state, 'deposit', depositTransition(state.deposit, event)))
    case 'confirm':
      return lift(state, 'confirm', confirmTransition(state.confirm, event))
    case 'topup':
      return lift(state, 'topup', topUpTransition(state.topup, event, setup))
    case 'status':
      return lift(state, 'status', statusTransition(state.status, event))
  }
}

function lift<K extends StepId>(
  state: State,
  key: K,
  [part, commands]: readonly [State[K], readonly Command[]],
): Result {
  return [{ ...state, [key]: part }, commands]
}

/** From the first signed byte on, what the chain says about the key may be our own doing. */
function withOwnDeposit([state, commands]: Result): Result {
  const { signature } = state.sign
  const signed = state.deposit.hash !== undefined
  if (!signed || signature === undefined || state.identity.own !== undefined) return [state, commands]
  const { operator, withdrawalCredentials } = signature
  return [{ ...state, identity: { ...state.identity, own: { operator, withdrawalCredentials } } }, commands]
}

function sessionTransition(state: State, event: SessionEvent, setup: Setup): Result {
  switch (event.type) {
    case 'started': {
      // The key is looked at in the background: its journal says whether something is open from before.
      const [next, commands] = transition(state, { step: state.step, type: 'entered' }, setup)
      const [after, more] = transition(next, { step: 'identity', type: 'entered' }, setup)
      return [after, [...commands, ...more]]
    }
    case 'went':
      return transition({ ...state, step: event.to }, { step: event.to, type: 'entered' }, setup)
    case 'refused':
      return [{ ...state, journal: { status: 'refused', reason: event.reason } }, []]
    case 'opened': {
      const { header, path, history } = event
      const journal: JournalState = { status: 'open', header, path, resumed: history.length > 0 }
      return resume(replay({ ...state, journal }, history, setup))
    }
  }
}

/** Decisions and money events applied again; nothing is asked and nothing is sent by a replay. */
function replay(state: State, history: readonly DurableEvent[], setup: Setup): State {
  return history.reduce((current, event) => transition(current, event, setup)[0], state)
}

/** A payment whose fate is open is looked for; one that was never signed is asked for again. */
function resume(state: State): Result {
  const [deposit, depositCommands] = resumeSend(state.deposit, 'deposit')
  const [send, topupCommands] = resumeSend(state.topup.send, 'topup')
  return [{ ...state, deposit, topup: { ...state.topup, send } }, [...depositCommands, ...topupCommands]]
}
