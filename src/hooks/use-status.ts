import { useMemo } from 'react'
import { statusView } from '../core/steps/status/view.ts'
import { useSession } from './session-provider.tsx'
import { useShell } from './shell.tsx'
import { type ActionTable, type StepHook, useActions } from './use-step.ts'

/** The status step for its screen. */
export function useStatus(): StepHook {
  const { session, state } = useSession()
  const { quit } = useShell()
  const view = useMemo(() => statusView(state.status, session.facts(), session.setup), [state, session])
  const table = useMemo<ActionTable>(
    () => ({
      topup: () => [{ step: 'session', type: 'went', to: 'topup' }],
      finish: () => {
        quit()
        return []
      },
    }),
    [quit],
  )
  return { view, actions: useActions('status', table) }
}
