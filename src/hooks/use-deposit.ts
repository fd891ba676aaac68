import { useCallback, useMemo } from 'react'
import type { Event } from '../core/state.ts'
import { depositAgreement } from '../core/steps/deposit/machine.ts'
import { depositView } from '../core/steps/deposit/view.ts'
import { elsewhereView, isDoneElsewhere } from '../core/steps/identity/elsewhere.ts'
import { paymentActionTable, paymentSubmit } from './payment-actions.ts'
import { useSession } from './session-provider.tsx'
import { type ActionTable, type StepHook, useActions } from './use-step.ts'

/** The deposit step for its screen. */
export function useDeposit(): StepHook {
  const { session, state } = useSession()
  const view = useMemo(() => {
    const facts = session.facts()
    return isDoneElsewhere(facts)
      ? elsewhereView('deposit', state.identity, session.setup)
      : depositView(state.deposit, facts, session.setup)
  }, [state, session])
  const table = useMemo<ActionTable>(
    () => ({
      ...paymentActionTable('deposit', () => session.getState().deposit),
      send: () => {
        const agreement = depositAgreement(session.facts(), session.setup)
        return agreement === undefined ? [] : [agreement]
      },
    }),
    [session],
  )
  const submit = useCallback(
    (field: string, text: string): Event[] => paymentSubmit('deposit', field, text),
    [],
  )
  return { view, actions: useActions('deposit', table, submit) }
}
