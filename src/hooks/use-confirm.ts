import { useMemo } from 'react'
import { confirmView } from '../core/steps/confirm/view.ts'
import { useSession } from './session-provider.tsx'
import { type ActionTable, type StepHook, useActions } from './use-step.ts'

const ACTIONS: ActionTable = {
  retry: () => [{ step: 'confirm', type: 'retried' }],
  watch: () => [{ step: 'session', type: 'went', to: 'status' }],
}

/** The confirmation step for its screen. */
export function useConfirm(): StepHook {
  const { session, state } = useSession()
  const view = useMemo(() => confirmView(state.confirm, session.facts(), session.setup), [state, session])
  return { view, actions: useActions('confirm', ACTIONS) }
}
