import type { Facts, Setup } from './facts.ts'
import type { State } from './state.ts'
import { confirmView } from './steps/confirm/view.ts'
import { depositView } from './steps/deposit/view.ts'
import { genesisView } from './steps/genesis/view.ts'
import { isDoneElsewhere } from './steps/identity/adopt.ts'
import { elsewhereView } from './steps/identity/elsewhere.ts'
import { identityView } from './steps/identity/view.ts'
import { endedOf } from './steps/payment/candidates.ts'
import { isBegun } from './steps/payment/sign-again.ts'
import { signView } from './steps/sign/view.ts'
import { statusView } from './steps/status/view.ts'
import type { StepView } from './steps/step-view.ts'
import { topUpView } from './steps/topup/view.ts'
import type { StepId } from './steps/view.ts'

/** What a step draws and what its keys do, for the screen, for output without one, and for the automatic rehearsal. */
export function viewOf(step: StepId, state: State, session: { facts(): Facts; setup: Setup }): StepView {
  const { setup } = session
  const facts = session.facts()
  switch (step) {
    case 'genesis':
      return genesisView(state.genesis, setup)
    case 'identity':
      return identityView(state.identity, state.journal, setup)
    case 'sign':
      if (isDoneElsewhere(facts)) return elsewhereView(step, state.identity, setup)
      return signView(state.sign, setup, { isInUse: isBegun(state.deposit) })
    case 'deposit':
      if (isDoneElsewhere(facts)) return elsewhereView(step, state.identity, setup)
      return depositView(state.deposit, facts, setup)
    case 'confirm':
      return confirmView(state.confirm, facts, setup)
    case 'topup':
      return topUpView(state.topup, facts, setup)
    case 'status':
      return statusView(state.status, facts, setup, { isPaidUp: endedOf(state.topup.send) !== undefined })
  }
}
