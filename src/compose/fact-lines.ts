import type { Session } from '../core/session.ts'
import type { State } from '../core/state.ts'
import { confirmView } from '../core/steps/confirm/view.ts'
import { depositView } from '../core/steps/deposit/view.ts'
import { genesisView } from '../core/steps/genesis/view.ts'
import { elsewhereView, isDoneElsewhere } from '../core/steps/identity/elsewhere.ts'
import { identityView } from '../core/steps/identity/view.ts'
import { signView } from '../core/steps/sign/view.ts'
import { statusView } from '../core/steps/status/view.ts'
import { topUpView } from '../core/steps/topup/view.ts'
import type { FactRow, StepId, StepView } from '../core/steps/view.ts'
import { MARK_WORDS, plainAscii } from './plain.ts'

/** The view of any step, for output without screens. */
export function viewOf(step: StepId, state: State, session: Session): StepView {
  const { setup } = session
  const facts = session.facts()
  switch (step) {
    case 'genesis':
      return genesisView(state.genesis, setup)
    case 'identity':
      return identityView(state.identity, state.journal, setup)
    case 'sign':
      if (isDoneElsewhere(facts)) return elsewhereView(step, state.identity, setup)
      return signView(state.sign, setup)
    case 'deposit':
      if (isDoneElsewhere(facts)) return elsewhereView(step, state.identity, setup)
      return depositView(state.deposit, facts, setup)
    case 'confirm':
      return confirmView(state.confirm, facts, setup)
    case 'topup':
      return topUpView(state.topup, facts, setup)
    case 'status':
      return statusView(state.status, facts, setup)
  }
}

/** One fact as one plain line: step, mark, what, value, who said it. ASCII alone, no control codes. */
export function factLine(step: StepId, row: FactRow): string {
  const value = [row.value, row.long].filter((part) => part !== undefined && part !== '').join(' ')
  const source = row.source === '' ? '' : `  (${row.source})`
  return plainAscii(`${step.padEnd(9)} ${MARK_WORDS[row.mark].padEnd(3)} ${row.label}: ${value}${source}`)
}
