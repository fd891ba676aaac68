import { useMemo } from 'react'
import type { Event } from '../core/state.ts'
import { identityView } from '../core/steps/identity/view.ts'
import { useSession } from './session-provider.tsx'
import { type ActionTable, type StepHook, useActions } from './use-step.ts'

const ACTIONS: ActionTable = {
  retry: () => [{ step: 'identity', type: 'retried' }],
  confirm: () => [{ step: 'session', type: 'went', to: 'confirm' }],
}

const TYPED = { pubkey: 'keyTyped', operator: 'rescueTyped', withdrawal: 'addressTyped' } as const

const typeField = (field: string, text: string): Event[] =>
  isTyped(field) ? [{ step: 'identity', type: TYPED[field], text }] : []

function isTyped(field: string): field is keyof typeof TYPED {
  return Object.hasOwn(TYPED, field)
}

/** The identity step for its screen. */
export function useIdentity(): StepHook {
  const { session, state } = useSession()
  const view = useMemo(
    () => identityView(state.identity, state.journal, session.setup),
    [state.identity, state.journal, session],
  )
  return { view, actions: useActions('identity', ACTIONS, typeField) }
}
