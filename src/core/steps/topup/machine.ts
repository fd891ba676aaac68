import type { Gwei } from '../../base/format/amount.ts'
import { gweiToWei, weiToGwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import { encodeTopUp } from '../../chain/deposit/calldata.ts'
import type { Facts, PaymentFact, Setup } from '../../chain/facts.ts'
import { amountError, typedAmount } from '../../chain/network/network.ts'
import { type GuardStanding, type GuardsHere, guardPayment, withGuard } from '../../observe/picture.ts'
import { endedOf, hashesOf, initialPayment, isPaid } from '../../pay/payment/candidates.ts'
import { paymentTransition } from '../../pay/payment/machine.ts'
import type { PaymentCommand, PaymentEvent, PaymentPlan, PaymentState } from '../../pay/payment/payment.ts'
import { paymentFact, resumePayment } from '../../pay/payment/remembered.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'
import type { Observation } from '../../view/observation.ts'
import {
  capProposedGwei,
  GUARD_READ,
  type GuardPage,
  type GuardPageCommand,
  type GuardPageEvent,
  guardPageTransition,
  initialGuardPage,
} from './guard-page.ts'

/** A deposit for the key, and who sent its transaction, where that is known. */
export type Arrival = {
  hash: Hex
  block: bigint
  amountGwei: Gwei
  from: Hex | undefined
  /** Signed for a guard of this computer. */
  byGuard?: true
}

export type TopUpState = {
  snapshot: Observation<SetSnapshot>
  /** Chosen amount; the proposal counts while nothing was chosen. */
  chosenGwei: Gwei | undefined
  /** Chosen while a paid top-up stood there: what the next one begins with. */
  nextGwei: Gwei | undefined
  error: string | undefined
  send: PaymentState
  /** Every deposit for the key since the first one, as an endpoint tells. */
  arrivals: readonly Arrival[]
  /** Up to which block those were told; whether the last question for them failed. */
  arrivalsRead: { upTo: bigint } | 'failed' | undefined
  /** Top-ups that are final, oldest first. */
  finished: readonly PaymentFact[]
  guard: GuardPage
  /** The guards of the validator here as they were seen last; undefined before they were read. */
  guards: GuardsHere | undefined
}

export type TopUpEvent =
  | (PaymentEvent & { step: 'topup' })
  | { step: 'topup'; type: 'entered' }
  | { step: 'topup'; type: 'snapshot-read'; snapshot: Observation<SetSnapshot> }
  | { step: 'topup'; type: 'arrived'; arrivals: readonly Arrival[]; upTo: bigint }
  | { step: 'topup'; type: 'arrivals-failed' }
  | { step: 'topup'; type: 'chosen'; text: string }
  | { step: 'topup'; type: 'nudged'; byGwei: Gwei; fromGwei: Gwei }
  | { step: 'topup'; type: 'guardsRead'; guards: GuardsHere }
  | GuardPageEvent

/** A command that `looks` alone: an error in it is the step's, and none of the payment. */
export type TopUpCommand =
  | (PaymentCommand & { step: 'topup' })
  | { step: 'topup'; type: 'snapshot'; scope: 'here'; looks: true }
  | GuardPageCommand

export const initialTopUp: TopUpState = {
  snapshot: { status: 'unasked' },
  chosenGwei: undefined,
  nextGwei: undefined,
  error: undefined,
  send: initialPayment,
  arrivals: [],
  arrivalsRead: undefined,
  finished: [],
  guard: initialGuardPage,
  guards: undefined,
}

type Result = readonly [TopUpState, readonly (PaymentCommand | TopUpCommand)[]]

/** Returns the sixth step: add what a place in the active set needs. */
export function topUpTransition(state: TopUpState, event: TopUpEvent, setup: Setup): Result {
  switch (event.type) {
    case 'entered':
      return enter(state)
    case 'snapshot-read': {
      const keep = event.snapshot.status === 'asking' && state.snapshot.status === 'known'
      return [keep ? state : { ...state, snapshot: event.snapshot }, []]
    }
    case 'arrived':
      return arrive(state, event)
    case 'arrivals-failed':
      return [{ ...state, arrivalsRead: 'failed' }, []]
    case 'chosen':
      return recheck(state, choose(state, event.text, setup))
    case 'nudged':
      return recheck(state, nudge(state, event.fromGwei + event.byGwei, setup))
    case 'guardsRead':
      return [{ ...state, guards: event.guards }, []]
    case 'guardTurned':
      return turnGuard(state, event, setup)
    case 'guardUntilTyped':
    case 'guardSlotsTyped':
    case 'guardAgreed':
    case 'guardTakenBack':
    case 'guardImported':
    case 'guardSaveAsked':
    case 'guardTold': {
      const [guard, commands] = guardPageTransition(state.guard, event)
      return [{ ...state, guard }, commands]
    }
    default:
      return pay(state, event)
  }
}

const LOOK: TopUpCommand = { step: 'topup', type: 'snapshot', scope: 'here', looks: true }

/** With the page the amount on the table is the cap: what is asked for it is what the guard is armed by. */
function turnGuard(state: TopUpState, event: GuardPageEvent & { type: 'guardTurned' }, setup: Setup): Result {
  const [guard] = guardPageTransition(state.guard, event)
  const chosenGwei = event.open ? (state.chosenGwei ?? capProposedGwei(setup)) : undefined
  const [after, commands] = recheck(state, { ...state, guard, chosenGwei, error: undefined })
  return [after, [...commands, ...(event.open ? [GUARD_READ] : [])]]
}

function enter(state: TopUpState): Result {
  if (!isBegun(state.send)) {
    const [send, commands] = paymentTransition(state.send, { step: 'topup', type: 'checkAsked' })
    return [{ ...state, send }, [LOOK, ...commands]]
  }
  const [send, commands] = resumePayment(state.send, 'topup')
  return [{ ...state, send }, [LOOK, ...commands]]
}

/** After a payment that was not on the screen the amount is proposed anew, and what was asked before says nothing of it. */
function arrive(state: TopUpState, { arrivals, upTo }: Extract<TopUpEvent, { type: 'arrived' }>): Result {
  const isNew = ({ hash }: Arrival) => !state.arrivals.some((one) => sameHex(one.hash, hash))
  const news = arrivals.filter(isNew)
  const arrived = { ...state, arrivals: [...state.arrivals, ...news], arrivalsRead: { upTo } }
  const isFirst = state.arrivalsRead === undefined
  if (isFirst || news.length === 0 || isBegun(state.send)) return [arrived, []]
  const [asked, commands] = paymentTransition(state.send, { step: 'topup', type: 'checkAsked' })
  // Nobody asked: why the last word sent nothing stays until somebody acts.
  const send = { ...asked, failure: state.send.failure }
  // The cap of a guard is a term that was typed, and proposes nothing.
  const chosenGwei = state.guard.isOpen ? state.chosenGwei : undefined
  return [{ ...arrived, send, chosenGwei, error: undefined }, [LOOK, ...commands]]
}

/** Another amount is another payment: what was asked for the old one says nothing about it. */
function recheck(before: TopUpState, after: TopUpState): Result {
  if (before.chosenGwei === after.chosenGwei) return [after, []]
  const [send, commands] = paymentTransition(after.send, { step: 'topup', type: 'checkAsked' })
  return [{ ...after, send }, commands]
}

function pay(state: TopUpState, event: PaymentEvent): Result {
  const [send, commands] = paymentTransition(state.send, event)
  const finished = finishedAfter(state, event, send)
  if (event.type !== 'reopened') return [{ ...state, send, finished }, commands]
  const next = { ...state, send, finished, chosenGwei: state.nextGwei, nextGwei: undefined }
  if (!isPaid(state.send)) return [next, commands]
  // The set that was seen before the payment would call for it again.
  return [{ ...next, snapshot: initialTopUp.snapshot }, [LOOK, ...commands]]
}

/** A top-up that the chain does not know after all is none of those that are final. */
function finishedAfter(
  state: TopUpState,
  { type }: PaymentEvent,
  send: PaymentState,
): TopUpState['finished'] {
  const { finished } = state
  const outcome = endedOf(state.send)?.outcome
  if (type === 'contradicted')
    return finished.filter(({ hash }) => outcome?.is !== 'paid' || hash !== outcome.included.hash)
  const payment = type === 'ended' ? paymentFact(send) : undefined
  return payment === undefined ? finished : [...finished, payment]
}

function choose(state: TopUpState, text: string, setup: Setup): TopUpState {
  if (isBegun(state.send) && !isPaid(state.send)) return state
  const typed = typedAmount(text, setup.network)
  if (isPaid(state.send)) return 'error' in typed ? state : { ...state, nextGwei: typed.amountGwei }
  if ('error' in typed) return { ...state, error: typed.error }
  return { ...state, chosenGwei: typed.amountGwei, error: undefined }
}

function nudge(state: TopUpState, amountGwei: Gwei, setup: Setup): TopUpState {
  if (isBegun(state.send) || amountError(amountGwei, setup.network) !== undefined) return state
  return { ...state, chosenGwei: amountGwei, error: undefined }
}

/** Returns the one payment that fits the chosen amount: zero credentials, zero signature, operator zero. */
export function topUpPlan(amountGwei: Gwei, facts: Facts, setup: Setup): PaymentPlan | undefined {
  const { genesis, identity, registration } = facts
  if (genesis === undefined || identity === undefined || registration === undefined) return undefined
  if (amountError(amountGwei, setup.network) !== undefined) return undefined
  return {
    to: setup.network.spec.depositContract,
    valueWei: gweiToWei(amountGwei),
    data: encodeTopUp({ pubkey: identity.pubkey }),
  }
}

/** The same for the amount of a plan: it is this one, or none. */
export const topUpPlanOf = ({ valueWei }: Pick<PaymentPlan, 'valueWei'>, facts: Facts, setup: Setup) =>
  topUpPlan(weiToGwei(valueWei), facts, setup)

/** Returns the deposits for the key that no payment of this journal made, oldest first. */
export function arrivalsOf(
  { arrivals, finished, send }: Pick<TopUpState, 'arrivals' | 'finished' | 'send'>,
  { deposit }: Pick<Facts, 'deposit'>,
): readonly Arrival[] {
  const own = [...hashesOf(send), ...send.settled, ...finished.map(({ hash }) => hash)]
  if (deposit !== undefined) own.push(deposit.hash)
  return arrivals.filter(({ hash }) => !own.some((one) => sameHex(one, hash)))
}

/** What the guards here have paid for the key, in gwei; `isAll`: nothing more of them may have left. */
export type PaidByGuards = { paidGwei: Gwei; isAll: boolean }

/** Returns what the guards here have paid for the key, each of them once: all that is signed for one has the same nonce. */
export function paidByGuards({ arrivals, guards }: Pick<TopUpState, 'arrivals' | 'guards'>): PaidByGuards {
  const { guards: seen, isWhole } = guards ?? NONE_READ
  const paid = new Map<GuardStanding | Hex, Gwei>()
  for (const { hash, amountGwei, byGuard } of arrivals) {
    const guard = seen.find(({ hashes }) => hashes.some((one) => sameHex(one, hash)))
    if (byGuard) paid.set(guard ?? hash, amountGwei)
  }
  for (const guard of seen) {
    const payment = guardPayment(guard)
    if (payment !== undefined) paid.set(guard, payment.amountGwei)
  }
  const isOnItsWay = (guard: GuardStanding) =>
    WAITING.includes(guard.stand) && guard.amountGwei !== undefined && !paid.has(guard)
  return {
    paidGwei: [...paid.values()].reduce((sum, amountGwei) => sum + amountGwei, 0n),
    isAll: isWhole && !seen.some(isOnItsWay),
  }
}

const NONE_READ: GuardsHere = { guards: [], isWhole: true }
const WAITING: readonly GuardStanding['stand'][] = ['handed-over', 'cancelling']

/** Returns the state after a guard was told anew, by any step. */
export function withGuardTold(state: TopUpState, told: GuardStanding | 'none' | undefined): TopUpState {
  if (typeof told !== 'object') return state
  return { ...state, guards: withGuard(state.guards ?? { guards: [], isWhole: false }, told) }
}
