import type { MoneyState } from '../base/errors/base.ts'
import type { Facts, Setup } from '../chain/facts.ts'
import type { Offer } from '../pay/desk/offer.ts'
import { endedOf, liveOf } from '../pay/payment/candidates.ts'
import { isAsked, isBegun } from '../pay/payment/sign-again.ts'
import { leftLine } from '../pay/payment-view/view.ts'
import { confirmView } from '../steps/confirm/view.ts'
import { depositOfferNow, depositView } from '../steps/deposit/view.ts'
import { genesisView } from '../steps/genesis/view.ts'
import { isDoneElsewhere } from '../steps/identity/adopt.ts'
import { elsewhereView } from '../steps/identity/elsewhere.ts'
import { burntText, journalProblem } from '../steps/identity/problems.ts'
import { isRegistered } from '../steps/identity/state.ts'
import { identityView } from '../steps/identity/view.ts'
import { signView } from '../steps/sign/view.ts'
import { statusPage } from '../steps/status/leave-view.ts'
import { paidByGuards } from '../steps/topup/machine.ts'
import { topUpOfferNow } from '../steps/topup/offer.ts'
import { topUpView } from '../steps/topup/view.ts'
import { type ErrorFacts, known } from '../view/observation.ts'
import { errorProblem } from '../view/rows.ts'
import { goTo } from '../view/step-view.ts'
import { STEP_TEXT } from '../view/text.ts'
import type { LeftWallet, Problem, StepId } from '../view/view.ts'
import type { AnyAction, AnyView, State } from './state.ts'
import { withStory } from './story/story-view.ts'

/** Returns the view of a step with its keys, for the screens, the plain lines and the automatic rehearsal. */
export function viewOf(step: StepId, state: State, session: { facts(): Facts; setup: Setup }): AnyView {
  const view = viewOfStep(step, state, session)
  const fault = state.faults[step]
  const shown = fault === undefined ? view : stoppedView(view, fault, { isFollowed: isFollowed(state) })
  return withStory(shown, state, session.setup)
}

/** Whether a loop still asks the chain about a payment: what ends that one ends in its failure. */
const isFollowed = ({ deposit, topup }: State): boolean =>
  [deposit, topup.send].some((payment) => isAsked(payment) && payment.failure === undefined)

/**
 * A step whose questions have ended by an error that nobody foresaw: one key begins them again. That its network has ended
 * says all by itself.
 */
function stoppedView(view: AnyView, fault: ErrorFacts, { isFollowed }: { isFollowed: boolean }): AnyView {
  if (fault.code === 'rehearsal.gone') return closedView(view, errorProblem(fault))
  const { startAgain, keys, stopped, goesOn } = STEP_TEXT.fault
  const again: AnyAction = { key: 'r', label: keys.startAgain, does: [goTo(view.step)] }
  const failed = errorProblem(fault)
  const still = isFollowed ? [stopped, goesOn] : [stopped]
  const problem = { ...failed, lines: [...failed.lines, ...still], next: [startAgain, ...failed.next] }
  const closed = closedView(view, problem)
  return { ...closed, actions: [again, ...closed.actions.filter(({ key }) => key !== again.key)] }
}

/** The first step, which needs no journal, says at once that another window has the key. */
function heldView(view: AnyView, { journal }: State): AnyView {
  const isHeld = journal.status === 'refused' && journal.error.code === 'journal.held'
  const problem = isHeld && view.problem === undefined ? journalProblem(journal) : undefined
  return problem === undefined ? view : closedView(view, problem)
}

/** A step from which no key leads on: what it had proven says nothing any more. */
function closedView(view: AnyView, problem: Problem): AnyView {
  const actions = view.actions.filter(({ key }) => key !== 'return')
  return { ...view, problem, verdict: undefined, done: false, actions }
}

function viewOfStep(step: StepId, state: State, session: { facts(): Facts; setup: Setup }): AnyView {
  const { setup } = session
  const facts = session.facts()
  const { topup } = state
  const withCost = (view: AnyView): AnyView => withMoney(view, state, facts, setup)
  /** These two tell of the first deposit, and with a top-up that is not all that has left. */
  const afterTopUp = (view: AnyView): AnyView =>
    topup.finished.length > 0 || liveOf(topup.send) !== undefined ? withCost(view) : view
  switch (step) {
    case 'genesis':
      return withCost(heldView(genesisView(state.genesis, setup), state))
    case 'identity':
      return withCost(identityView(state.identity, state.journal, setup))
    case 'sign':
      if (isDoneElsewhere(facts)) return withCost(elsewhereView(step, state.identity, setup))
      return withCost(signView(state.sign, setup, { isInUse: isBegun(state.deposit) }))
    case 'deposit':
      if (isDoneElsewhere(facts)) return withCost(elsewhereView(step, state.identity, setup))
      return afterTopUp(depositView(state.deposit, facts, setup))
    case 'confirm':
      return afterTopUp(confirmView(state.confirm, facts, setup))
    case 'topup':
      return topUpView(state.topup, facts, setup)
    case 'status':
      return statusPage(state.status, facts, setup, { isPaidUp: endedOf(state.topup.send) !== undefined })
  }
}

/**
 * Builds an opened offer again from the present state, to compare the two before a typed word counts; undefined where
 * it is no longer possible.
 */
export function offerNow(
  opened: Offer,
  step: StepId,
  state: State,
  session: { facts(): Facts; setup: Setup },
): Offer | undefined {
  const { setup } = session
  if (state.step !== step) return undefined
  if (step === 'deposit') return depositOfferNow(opened, state.deposit, session.facts(), setup)
  return step === 'topup' ? topUpOfferNow(opened, state.topup, session.facts(), setup) : undefined
}

/** A step that sends nothing, with what has left the wallet by the payments of the others. */
function withMoney(view: AnyView, state: State, facts: Facts, setup: Setup): AnyView {
  const left = leftOf(view.step, state, { facts, setup })
  const { problem } = view
  const { worst } = view.money
  // Before the key is known nobody knows what was paid for it, and the first step is not about a key.
  if (left === undefined && (state.journal.status === 'closed' || view.step === 'genesis'))
    return { ...view, money: { line: STEP_TEXT.left.unread, worst, isUnread: true } }
  if (left === undefined) return view
  const shown = { ...view, money: { line: STEP_TEXT.sendsNothing(left.text), worst } }
  if (problem?.money !== 'untouched') return shown
  return { ...shown, problem: { ...problem, money: moneyBeside(left, state) } }
}

/** What a problem that moved no money itself says of it beside a band: no other thing than the band. */
function moneyBeside({ is }: LeftWallet, { deposit, topup }: State): MoneyState {
  const isOpen = liveOf(deposit) !== undefined || liveOf(topup.send) !== undefined
  if (isOpen || is === 'unknown' || is === 'perhaps') return 'unknown'
  // What a stranger lost was never in this wallet.
  return is === 'strangers' ? 'untouched' : 'moved'
}

/** Returns what has left the wallet, as far as the step may know; undefined where no payment is known. */
export function leftOf(
  step: StepId,
  state: State,
  { facts, setup }: { facts: Facts; setup: Setup },
): LeftWallet | undefined {
  const { journal, deposit, topup } = state
  const isUnknown = journal.status === 'refused'
  const { send: topUp, finished } = topup
  const paid = leftLine({ isUnknown, deposit, topUp, finished, byGuards: paidByGuards(topup) }, facts, setup)
  return paid ?? (step !== 'genesis' && isPaidUnseen(state) ? unseenLine(state, setup) : undefined)
}

/** What was paid for the key before this journal: lost by the logs, else nothing is known of it here. */
function unseenLine({ identity }: State, setup: Setup): LeftWallet {
  const { left } = STEP_TEXT
  const burnt = burntText(identity, setup)
  if (burnt === undefined) return { is: 'unknown', text: left.unknown }
  return burnt.by === 'stranger'
    ? { is: 'strangers', text: left.strangers(burnt.amount) }
    : { is: 'lost', text: left.lost(burnt.amount) }
}

/** Whether the chain knows the key of a journal without a deposit: somebody paid for it, perhaps from this very wallet. */
function isPaidUnseen({ identity, deposit }: State): boolean {
  const { adopted, own, keyOnly } = identity
  if (keyOnly || adopted !== undefined || own !== undefined || isBegun(deposit)) return false
  const operator = known(identity.observed.operator)?.operator
  return isRegistered(identity) || (operator !== undefined && BigInt(operator) !== 0n)
}
