import type { Chronicle } from '../chain/network/chronicle.ts'
import type { JournalOwner } from '../observe/context.ts'
import type { Desk, OpenedAction } from '../pay/desk/desk.ts'
import type { Offer } from '../pay/desk/offer.ts'
import { initialPayment } from '../pay/payment/candidates.ts'
import type { DurablePaymentEvent, PaymentCommand } from '../pay/payment/payment.ts'
import { PAYMENT_DURABLE } from '../pay/payment/sign-again.ts'
import {
  type ConfirmCommand,
  type ConfirmEvent,
  type ConfirmState,
  initialConfirm,
} from '../steps/confirm/machine.ts'
import type { DepositCommand, DepositState, DepositStepEvent } from '../steps/deposit/machine.ts'
import {
  type GenesisCommand,
  type GenesisEvent,
  type GenesisState,
  initialGenesis,
} from '../steps/genesis/machine.ts'
import { initialIdentity } from '../steps/identity/machine.ts'
import {
  type DurableIdentityEvent,
  IDENTITY_DURABLE,
  type IdentityCommand,
  type IdentityEvent,
  type IdentityState,
} from '../steps/identity/state.ts'
import {
  type DurableSignEvent,
  initialSign,
  SIGN_DURABLE,
  type SignCommand,
  type SignEvent,
  type SignState,
} from '../steps/sign/machine.ts'
import {
  initialStatus,
  type StatusCommand,
  type StatusEvent,
  type StatusState,
} from '../steps/status/machine.ts'
import { initialTopUp, type TopUpCommand, type TopUpEvent, type TopUpState } from '../steps/topup/machine.ts'
import type { ErrorFacts } from '../view/observation.ts'
import type { ActionView, Does, StepField, StepView } from '../view/step-view.ts'
import type { StepId, WentEvent } from '../view/view.ts'

export type JournalState =
  | { status: 'closed' }
  | { status: 'open'; header: JournalOwner; path: string; resumed: boolean }
  | { status: 'refused'; error: ErrorFacts }

export type State = {
  step: StepId
  journal: JournalState
  /** What a step met that is no answer of anybody: its commands have ended, until it is entered again. */
  faults: { readonly [K in StepId]?: ErrorFacts | undefined }
  genesis: GenesisState
  identity: IdentityState
  sign: SignState
  deposit: DepositState
  confirm: ConfirmState
  topup: TopUpState
  status: StatusState
  /** What has happened on a rehearsal network with a story, and whether its card is looked at. */
  story: Chronicle | undefined
  storyOpen: boolean
}

export type SessionEvent =
  | { step: 'session'; type: 'started' }
  | WentEvent
  | { step: 'session'; type: 'opened'; header: JournalOwner; path: string; history: readonly DurableEvent[] }
  | { step: 'session'; type: 'refused'; error: ErrorFacts }
  | { step: 'session'; type: 'faulted'; at: StepId; error: ErrorFacts }
  | { step: 'session'; type: 'storyRead'; story: Chronicle }
  | { step: 'session'; type: 'storyTurned'; open: boolean }
  | { step: 'session'; type: 'hasteWished'; hasten: boolean }

export type Event =
  | SessionEvent
  | GenesisEvent
  | IdentityEvent
  | SignEvent
  | DepositStepEvent
  | ConfirmEvent
  | TopUpEvent
  | StatusEvent

/** An event that is in the journal before it is applied. */
export type DurableEvent = DurableIdentityEvent | DurableSignEvent | DurablePaymentEvent

export type Command =
  | GenesisCommand
  | IdentityCommand
  | SignCommand
  | PaymentCommand
  | DepositCommand
  | ConfirmCommand
  | TopUpCommand
  | StatusCommand

export type StateResult = readonly [State, readonly Command[]]

export const initialState: State = {
  step: 'genesis',
  journal: { status: 'closed' },
  faults: {},
  genesis: initialGenesis,
  identity: initialIdentity,
  sign: initialSign,
  deposit: initialPayment,
  confirm: initialConfirm,
  topup: initialTopUp,
  status: initialStatus,
  story: undefined,
  storyOpen: false,
}

/** Whether an event is a decision or a money event, which the journal holds before anything follows from it. */
export function isDurable(event: Event): event is DurableEvent {
  if (event.step === 'identity') return IDENTITY_DURABLE.includes(event.type)
  if (event.step === 'sign') return SIGN_DURABLE.includes(event.type)
  if (event.step !== 'deposit' && event.step !== 'topup') return false
  return PAYMENT_DURABLE.includes(event.type)
}

/** What a desk draws, of whatever step it is. */
export type AnyView = StepView<Event, Offer>
/** A key of any step. */
export type AnyAction = ActionView<Event, Offer>
/** A field of any step. */
export type AnyField = StepField<Event>
/** What a key of any step does. */
export type AnyDoes = Does<Event>
/** An action of any step that asks for a word. */
export type AnyOpened = OpenedAction<Event>
/** The same, with what was typed. */
export type AnyDesk = Desk<Event>

/** Returns the event that a typed text makes in a field. */
export function taken({ takes }: Pick<AnyField, 'takes'>, text: string): Event {
  return { ...takes, text }
}
