import { useCallback, useMemo } from 'react'
import type { Event } from '../core/state.ts'
import { elsewhereView, isDoneElsewhere } from '../core/steps/identity/elsewhere.ts'
import { planOf, type SignField } from '../core/steps/sign/machine.ts'
import { signView } from '../core/steps/sign/view.ts'
import { useSession } from './session-provider.tsx'
import { type ActionTable, type StepHook, useActions } from './use-step.ts'

/** The signing step for its screen. */
export function useSign(): StepHook {
  const { session, state } = useSession()
  const view = useMemo(
    () =>
      isDoneElsewhere(session.facts())
        ? elsewhereView('sign', state.identity, session.setup)
        : signView(state.sign, session.setup),
    [state, session],
  )
  const table = useMemo<ActionTable>(
    () => ({
      plan: () => {
        const plan = planOf(session.getState().sign)
        return plan === undefined ? [] : [{ step: 'sign', type: 'planned', plan }]
      },
      elsewhere: () => {
        const plan = planOf(session.getState().sign)
        return plan === undefined
          ? []
          : [{ step: 'sign', type: 'planned', plan: { ...plan, elsewhere: true } }]
      },
      drop: () => [{ step: 'sign', type: 'dropped' }],
      save: () => [{ step: 'sign', type: 'saveAsked' }],
      retry: () => [{ step: 'sign', type: 'retried' }],
    }),
    [session],
  )
  const submit = useCallback(
    (field: string, text: string): Event[] => [
      field === 'signature'
        ? { step: 'sign', type: 'brought', text }
        : { step: 'sign', type: 'submitted', field: field as SignField, text },
    ],
    [],
  )
  return { view, actions: useActions('sign', table, submit) }
}
