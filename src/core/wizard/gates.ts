import type { Facts, IdentityFact, Setup, ValidatorTerms } from '../chain/facts.ts'
import { ownNonces } from '../pay/gate/nonce.ts'
import { endedOf } from '../pay/payment/candidates.ts'
import type { PaymentPlan } from '../pay/payment/payment.ts'
import { paymentFact } from '../pay/payment/remembered.ts'
import { fits, isAsked, isBegun } from '../pay/payment/sign-again.ts'
import { registrationFact } from '../steps/confirm/machine.ts'
import { depositPlan } from '../steps/deposit/machine.ts'
import { genesisFact } from '../steps/genesis/machine.ts'
import { adoptable, adopts, isDoneElsewhere } from '../steps/identity/adopt.ts'
import { identityFact, keyFact } from '../steps/identity/machine.ts'
import { verifiersAgree } from '../steps/sign/facts.ts'
import { isOverPlan, type SignEvent } from '../steps/sign/machine.ts'
import { validatorIsActive } from '../steps/status/machine.ts'
import { adviseTopUp } from '../steps/topup/facts.ts'
import { topUpPlanOf } from '../steps/topup/machine.ts'
import { known } from '../view/observation.ts'
import { STEP_IDS, type StepId } from '../view/view.ts'
import { type DurableEvent, type Event, isDurable, type State } from './state.ts'

/** Returns what earlier steps have proven, derived from the state alone. */
export function collectFacts(state: State, setup: Setup): Facts {
  const genesis = genesisFact(state.genesis, setup)
  const identity = ofJournal(state, identityFact(state.identity, setup) ?? ownIdentity(state))
  const deposit = paymentFact(state.deposit)
  const signature = state.sign.signature
  const agreed = signature !== undefined && (verifiersAgree(state.sign) || isBegun(state.deposit))
  const topup = state.topup.finished.at(-1)
  const before = state.topup.finished.map(
    ({ from, nonce, hash }) => ({ from, nonce, hash, use: 'used', step: 'topup' }) as const,
  )
  const nonces = [...ownNonces(state.deposit, 'deposit'), ...ownNonces(state.topup.send, 'topup'), ...before]
  const facts: Facts = {
    nonces,
    ...(genesis === undefined ? {} : { genesis }),
    ...(identity === undefined ? {} : { identity }),
    ...(agreed ? { signature } : {}),
    ...validatorTerms(state),
    ...(deposit === undefined ? {} : { deposit }),
    ...(topup === undefined ? {} : { topup }),
  }
  const registration = registrationFact(state.confirm, facts, setup)
  return registration === undefined ? facts : { ...facts, registration }
}

/**
 * With a deposit of our own under way the key's chain facts have changed by our own doing: the file's still count. Of a
 * validator that was adopted they are asked with every payment.
 */
function ownIdentity({ deposit, identity }: State) {
  return !isBegun(deposit) && identity.adopted === undefined ? undefined : keyFact(identity)
}

/** What was adopted comes before what was registered here: since then the operator may have been changed. */
function validatorTerms({ identity, sign, deposit }: State): { validator?: ValidatorTerms } {
  const { adopted } = identity
  if (adopted !== undefined) {
    const { withdrawalCredentials, operator } = adopted
    return { validator: { withdrawalCredentials, operator, leastBalanceGwei: 0n, origin: 'adopted' } }
  }
  const { signature } = sign
  if (signature === undefined || endedOf(deposit)?.outcome.is !== 'paid') return {}
  const { withdrawalCredentials, operator, amountGwei: leastBalanceGwei } = signature
  return { validator: { withdrawalCredentials, operator, leastBalanceGwei, origin: 'registered-here' } }
}

/** A key is only ever proven together with its own journal: what is decided for one key never counts for another. */
function ofJournal({ journal }: State, identity: IdentityFact | undefined): IdentityFact | undefined {
  const another = journal.status === 'open' && journal.header.pubkey !== identity?.pubkey
  return another ? undefined : identity
}

/**
 * Whether an event may happen now. Everything that leads to money is refused unless all gates before it are open
 * and the plan is exactly the one that the facts make.
 */
export function isAllowed(state: State, event: Event, setup: Setup): boolean {
  if (!isDurable(event)) return isAllowedUnrecorded(state, event, setup)
  if (state.journal.status !== 'open') return false
  const facts = collectFacts(state, setup)
  if (event.step === 'identity') return mayAdopt(state, event, setup)
  if (event.step === 'sign') {
    return mayChangeSignature(state, facts) && fitsPlan(state, event, facts)
  }
  if (event.step === 'deposit' && state.identity.adopted !== undefined && BEGINS.includes(event.type))
    return false
  if (!fits(event.step === 'deposit' ? state.deposit : state.topup.send, event)) return false
  if (event.type !== 'agreed') return true
  if (event.step === 'deposit') return samePlan(event.plan, freshDepositPlan(state, facts, setup))
  return !isAsked(state.deposit) && samePlan(event.plan, topUpPlanOf(event.plan, facts, setup))
}

/** What begins a payment. */
const BEGINS: readonly string[] = ['agreed', 'reopened']

/** Going on has its gates, and once the journal of a key is open no other key is typed. */
function isAllowedUnrecorded(state: State, event: Event, setup: Setup): boolean {
  if (event.step === 'session' && event.type === 'went') return leadsTo(state, event.to, setup) !== undefined
  if (event.step === 'identity' && event.type === 'keyTyped') return state.journal.status !== 'open'
  return true
}

/** A registered validator is adopted as the endpoints show it, while no payment of this journal is under way. */
function mayAdopt(state: State, event: Extract<DurableEvent, { step: 'identity' }>, setup: Setup): boolean {
  const { deposit, topup, identity } = state
  if (genesisFact(state.genesis, setup) === undefined) return false
  if (isAsked(deposit) || isAsked(topup.send)) return false
  if (isBegun(topup.send) && endedOf(topup.send) === undefined) return false
  const found = adoptable(identity, setup)
  return found !== undefined && adopts(event, found)
}

function mayChangeSignature(state: State, facts: Facts): boolean {
  if (state.identity.adopted !== undefined) return false
  return facts.genesis !== undefined && facts.identity !== undefined && !isBegun(state.deposit)
}

/** A plan must fit the key, a signature the plan: what was chosen is what is signed, wherever that is done. */
function fitsPlan(state: State, event: SignEvent, { identity }: Facts): boolean {
  if (event.type === 'planned') {
    if (identity?.key.kind === 'elsewhere' && event.plan.elsewhere !== true) return false
    return event.plan.rescue === (identity?.rescueOperator !== undefined)
  }
  if (event.type !== 'signed') return true
  const { plan } = state.sign
  return plan !== undefined && isOverPlan(event.signature, plan)
}

function freshDepositPlan(state: State, facts: Facts, setup: Setup): PaymentPlan | undefined {
  return verifiersAgree(state.sign) ? depositPlan(facts, setup) : undefined
}

function samePlan(a: PaymentPlan, b: PaymentPlan | undefined): boolean {
  return b !== undefined && a.to === b.to && a.valueWei === b.valueWei && a.data === b.data
}

/**
 * The step to which a key leads, where it may be looked at. The status may be looked at before: from there a key to a step
 * that is not open yet leads to the one that keeps it shut.
 */
export function leadsTo(state: State, to: StepId, setup: Setup): StepId | undefined {
  if (mayEnter(state, to, setup)) return to
  if (state.step !== 'status') return undefined
  return STEP_IDS.slice(0, STEP_IDS.indexOf(to)).findLast((step) => mayEnter(state, step, setup))
}

/**
 * Whether a step may be looked at: going back always, going on only when the steps before it are
 * settled. The status may be watched from the first deposit on.
 */
function mayEnter(state: State, to: StepId, setup: Setup): boolean {
  const last = to === 'status' ? 'confirm' : to
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
      return facts.signature !== undefined || isDoneElsewhere(facts)
    case 'deposit':
      return facts.deposit !== undefined || isDoneElsewhere(facts)
    case 'confirm':
      return facts.registration !== undefined
    case 'topup':
      return facts.topup !== undefined || needsNoTopUp(state, facts, setup)
    case 'status':
      return validatorIsActive(state.status)
  }
}

function needsNoTopUp(state: State, facts: Facts, setup: Setup): boolean {
  const snapshot = known(state.topup.snapshot)
  if (isBegun(state.topup.send)) return false
  if (snapshot === undefined || facts.identity === undefined || facts.registration === undefined) return false
  return adviseTopUp(snapshot, facts.identity.pubkey, setup).proposedGwei === 0n
}
