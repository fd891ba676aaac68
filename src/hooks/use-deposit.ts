import { useMemo } from 'react'
import { depositPlan } from '../core/steps/deposit/machine.ts'
import { depositView } from '../core/steps/deposit/view.ts'
import { useSession } from './session-provider.tsx'
import { type ActionTable, type StepHook, useActions } from './use-step.ts'

/** The deposit step for its screen. */
export function useDeposit(): StepHook {
  const { session, state } = useSession()
  const view = useMemo(() => depositView(state.deposit, session.facts(), session.setup), [state, session])
  const table = useMemo<ActionTable>(
    () => ({
      send: () => {
        const plan = depositPlan(session.facts(), session.setup)
        return plan === undefined ? [] : [{ step: 'deposit', type: 'confirmed', plan }]
      },
      reopen: () => [
        { step: 'deposit', type: 'reopened' },
        { step: 'deposit', type: 'checkAsked' },
      ],
      retry: () => [{ step: 'deposit', type: 'entered' }],
    }),
    [session],
  )
  return { view, actions: useActions('deposit', table) }
}
