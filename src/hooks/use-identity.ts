import { useMemo } from 'react'
import type { Event } from '../core/state.ts'
import { identityView } from '../core/steps/identity/view.ts'
import { useSession } from './session-provider.tsx'
import { type ActionTable, type StepHook, useActions } from './use-step.ts'

const ACTIONS: ActionTable = { retry: () => [{ step: 'identity', type: 'retried' }] }

const typeField = (field: string, text: string): Event[] => [
  { step: 'identity', type: field === 'pubkey' ? 'keyTyped' : 'rescueTyped', text },
]

/** The identity step for its screen. */
export function useIdentity(): StepHook {
  const { session, state } = useSession()
  const view = useMemo(
    () => identityView(state.identity, state.journal, session.setup),
    [state.identity, state.journal, session],
  )
  return { view, actions: useActions('identity', ACTIONS, typeField) }
}
