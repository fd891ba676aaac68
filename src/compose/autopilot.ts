import { formatGwei } from '../core/format/amount.ts'
import { isDone } from '../core/gates.ts'
import type { Session } from '../core/session.ts'
import type { Event, State } from '../core/state.ts'
import { depositAgreement } from '../core/steps/deposit/machine.ts'
import { gateIsOpen } from '../core/steps/gate/rows.ts'
import { adoptable, adoptionOf } from '../core/steps/identity/adopt.ts'
import { known } from '../core/steps/observation.ts'
import { liveOf } from '../core/steps/payment/candidates.ts'
import { isBegun } from '../core/steps/payment/sign-again.ts'
import { challengeOf } from '../core/steps/sign/check-field.ts'
import { nextField, planOf, type SignField } from '../core/steps/sign/machine.ts'
import { topUpPlan } from '../core/steps/topup/machine.ts'
import { agreedWorld, amountOnTheTable } from '../core/steps/topup/plan.ts'
import { STEP_IDS, type StepId } from '../core/steps/view.ts'

/**
 * What a person would decide next in a rehearsal, or undefined while there is nothing to decide. The same events
 * as from the screens, through the same gates. Only ever used on a rehearsal network.
 */
export function nextDecision(session: Session): Event | undefined {
  const state = session.getState()
  const { setup } = session
  if (setup.network.kind !== 'rehearsal') return undefined
  if (AFTER_DEPOSIT.includes(state.step) && liveOf(state.deposit) !== undefined) return goTo('deposit')
  if (state.step !== 'status' && isDone(state, state.step, setup)) return goOn(state.step)
  switch (state.step) {
    case 'identity':
      return adoptDecision(state, session)
    case 'sign':
      return signDecision(state, session)
    case 'deposit':
      return depositDecision(state, session)
    case 'topup':
      return topUpDecision(state, session)
    default:
      return undefined
  }
}

/** Steps that rest on a final deposit; how it ended may turn out to have been remembered wrongly. */
const AFTER_DEPOSIT: readonly StepId[] = ['confirm', 'topup']

function goOn(step: StepId): Event | undefined {
  const to = STEP_IDS[STEP_IDS.indexOf(step) + 1]
  return to === undefined ? undefined : goTo(to)
}

const goTo = (to: StepId): Event => ({ step: 'session', type: 'went', to })

/** A validator that the rehearsal's own wallet registered, in an earlier run whose journal is gone, is adopted. */
function adoptDecision({ identity, journal }: State, { setup }: Session): Event | undefined {
  const { suggestedAddress: text } = setup
  if (text === undefined || journal.status !== 'open' || identity.adoptionError !== undefined)
    return undefined
  const found = adoptable(identity, setup)
  if (found === undefined || 'error' in adoptionOf(text, found)) return undefined
  return { step: 'identity', type: 'addressTyped', text }
}

function signDecision(state: State, session: Session): Event | undefined {
  if (state.sign.plan !== undefined) return undefined
  const field = nextField(state.sign)
  if (field !== undefined)
    return { step: 'sign', type: 'submitted', field, text: answerFor(field, state, session) }
  const plan = planOf(state.sign)
  return plan === undefined ? undefined : { step: 'sign', type: 'planned', plan }
}

function answerFor(field: SignField, { sign }: State, { setup }: Session): string {
  switch (field) {
    case 'withdrawal':
    case 'operator':
      return setup.suggestedAddress ?? ''
    case 'withdrawalAgain':
      return challengeOf(sign.accepted.withdrawal ?? '', sign.challengeOffset)
    case 'operatorAgain':
      return challengeOf(sign.accepted.operator ?? '', sign.challengeOffset)
    case 'amount':
      return formatGwei(setup.network.minimumDepositGwei).replaceAll(',', '')
  }
}

function depositDecision(state: State, session: Session): Event | undefined {
  const { setup } = session
  const { seen } = state.deposit
  const isSent = known(seen.key)?.sent !== undefined
  if (isBegun(state.deposit) || !(isSent || gateIsOpen(seen, setup))) return undefined
  return depositAgreement(session.facts(), setup)
}

function topUpDecision(state: State, session: Session): Event | undefined {
  const { setup } = session
  const facts = session.facts()
  if (isBegun(state.topup.send)) return undefined
  const { survey } = state.topup
  if (survey.status !== 'known') return undefined
  const amountGwei = amountOnTheTable(state.topup, facts.identity?.pubkey, setup)
  if (amountGwei === undefined || !gateIsOpen(state.topup.send.seen, setup)) return undefined
  const plan = topUpPlan(amountGwei, facts, setup)
  const world = agreedWorld(state.topup, facts.identity?.pubkey, amountGwei, setup)
  if (plan === undefined || world === undefined) return undefined
  return { step: 'topup', type: 'agreed', plan, world }
}
