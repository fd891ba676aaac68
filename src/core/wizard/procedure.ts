import type { Setup } from '../chain/facts.ts'
import { agreedPlan } from '../pay/payment/candidates.ts'
import { asRemembered, resumePayment } from '../pay/payment/remembered.ts'
import { isUnsigned, possiblyBroadcast } from '../pay/payment/sign-again.ts'
import { confirmTransition } from '../steps/confirm/machine.ts'
import { type DepositStepEvent, depositTransition } from '../steps/deposit/machine.ts'
import { genesisTransition } from '../steps/genesis/machine.ts'
import { isDoneElsewhere } from '../steps/identity/adopt.ts'
import { identityTransition } from '../steps/identity/machine.ts'
import type { IdentityEvent } from '../steps/identity/state.ts'
import { initialSign, signedInstead, signTransition } from '../steps/sign/machine.ts'
import { initialStatus, statusTransition } from '../steps/status/machine.ts'
import { GUARD_FIND } from '../steps/topup/guard-page.ts'
import { type TopUpEvent, topUpTransition, withGuardTold } from '../steps/topup/machine.ts'
import type { StepId } from '../view/view.ts'
import { collectFacts, leadsTo } from './gates.ts'
import type { Command, DurableEvent, Event, JournalState, SessionEvent, State, StateResult } from './state.ts'

/** Returns the whole procedure as one pure step: state and event in, state and commands out. */
export function transition(state: State, event: Event, setup: Setup): StateResult {
  switch (event.step) {
    case 'session':
      return sessionTransition(state, event, setup)
    case 'genesis':
      return lift(state, 'genesis', genesisTransition(state.genesis, event))
    case 'identity':
      return withoutFirstDeposit(lift(state, 'identity', identityTransition(state.identity, event)), event)
    case 'sign':
      return withOwnDeposit(
        lift(state, 'sign', signTransition(state.sign, event, setup, collectFacts(state, setup))),
      )
    case 'deposit':
      return withOwnDeposit(
        withFoundMessage(lift(state, 'deposit', depositTransition(state.deposit, event)), event),
      )
    case 'confirm':
      return lift(state, 'confirm', confirmTransition(state.confirm, event))
    case 'topup':
      return withGuardSeen(
        withoutOldStand(lift(state, 'topup', topUpTransition(state.topup, event, setup)), event),
        event.type === 'guardTold' ? event.here : undefined,
      )
    case 'status':
      return withGuardSeen(
        lift(state, 'status', statusTransition(state.status, event)),
        event.type === 'guarded' ? event.guard : undefined,
      )
  }
}

function lift<K extends StepId>(
  state: State,
  key: K,
  [part, commands]: readonly [State[K], readonly Command[]],
): StateResult {
  return [part === state[key] ? state : { ...state, [key]: part }, commands]
}

/** What any step is told of a guard counts in what has left the wallet. */
function withGuardSeen(
  [state, commands]: StateResult,
  told: Parameters<typeof withGuardTold>[1],
): StateResult {
  const topup = withGuardTold(state.topup, told)
  return [topup === state.topup ? state : { ...state, topup }, commands]
}

/** For a validator that is adopted no first deposit is planned, signed or sent any more. */
function withoutFirstDeposit([state, commands]: StateResult, { type }: IdentityEvent): StateResult {
  if (type !== 'adopted' || !isUnsigned(state.deposit)) return [state, commands]
  const identity = { ...state.identity, own: undefined }
  const [deposit] = resumePayment(state.deposit, 'deposit')
  return [{ ...state, identity, sign: initialSign, deposit }, commands]
}

/** A deposit that was abandoned and is found brings its message back. */
function withFoundMessage([state, commands]: StateResult, { type }: DepositStepEvent): StateResult {
  const found = type === 'found' ? agreedPlan(state.deposit) : undefined
  return [found === undefined ? state : { ...state, sign: signedInstead(state.sign, found) }, commands]
}

/** The set that was seen before a top-up says nothing of the validator once that has ended: it would call for another. */
function withoutOldStand([state, commands]: StateResult, { type }: TopUpEvent): StateResult {
  if (type !== 'ended') return [state, commands]
  const { snapshot } = initialStatus.observed
  const status = {
    ...state.status,
    observed: { ...state.status.observed, snapshot },
    lastSnapshot: undefined,
  }
  return [{ ...state, status }, commands]
}

/**
 * What the chain says about the key may be our own doing from the first signed byte on, or the first exported; and from
 * the signed message on, for that may be sent in another way. A rescue finds its operator set anyway.
 */
function withOwnDeposit([state, commands]: StateResult): StateResult {
  const { signature } = state.sign
  const { own: before } = state.identity
  const out = possiblyBroadcast(state.deposit)
  if (!out && (before?.out === true || signature?.rescue === true)) return [state, commands]
  if (signature === undefined && out) return [state, commands]
  const own = signature && {
    operator: signature.operator,
    withdrawalCredentials: signature.withdrawalCredentials,
    out,
    rescue: signature.rescue,
  }
  return [{ ...state, identity: { ...state.identity, own } }, commands]
}

function sessionTransition(state: State, event: SessionEvent, setup: Setup): StateResult {
  switch (event.type) {
    case 'started': {
      // The key is looked at in the background: its journal says whether something is open from before.
      const [next, commands] = transition(state, { step: state.step, type: 'entered' }, setup)
      const [after, more] = transition(next, { step: 'identity', type: 'entered' }, setup)
      return [after, [...commands, ...more]]
    }
    case 'went': {
      const to = leadsTo(state, event.to, setup) ?? event.to
      return transition(
        {
          ...state,
          step: to,
          // The welcome back was read.
          journal: state.journal.status === 'open' ? { ...state.journal, resumed: false } : state.journal,
          storyOpen: false,
          faults: { ...state.faults, [to]: undefined },
        },
        enteringOf(state, to, setup),
        setup,
      )
    }
    case 'faulted':
      return [{ ...state, faults: { ...state.faults, [event.at]: event.error } }, []]
    case 'refused':
      return [{ ...state, journal: { status: 'refused', error: event.error } }, []]
    case 'storyRead':
      return [{ ...state, story: event.story }, []]
    // The network hears of it, and its story says what came of it.
    case 'hasteWished':
      return [state, []]
    case 'storyTurned':
      return [{ ...state, storyOpen: event.open }, []]
    case 'opened': {
      const { header, path, history } = event
      const journal: JournalState = { status: 'open', header, path, resumed: history.length > 0 }
      return resume(replay({ ...state, journal }, history, setup))
    }
  }
}

/** Where nothing is done any more, because it was done elsewhere, what the chain says of it is read for words alone. */
function enteringOf(state: State, to: StepId, setup: Setup): Event {
  const isThere = (to === 'sign' || to === 'deposit') && isDoneElsewhere(collectFacts(state, setup))
  return isThere ? { step: 'identity', type: 'historyAsked' } : { step: to, type: 'entered' }
}

/** Decisions and money events applied again; nothing is asked and nothing is sent by a replay. */
function replay(state: State, history: readonly DurableEvent[], setup: Setup): State {
  return history.reduce((current, event) => transition(current, event, setup)[0], state)
}

/** A payment whose fate is open, or only remembered, is looked for; one that was never signed is asked for again; and a guard. */
function resume(state: State): StateResult {
  const [deposit, depositCommands] = resumePayment(asRemembered(state.deposit), 'deposit')
  const [send, topupCommands] = resumePayment(asRemembered(state.topup.send), 'topup')
  return [
    { ...state, deposit, topup: { ...state.topup, send } },
    [...depositCommands, ...topupCommands, GUARD_FIND],
  ]
}
