import { useMemo } from 'react'
import type { GenesisEvent } from '../core/steps/genesis/machine.ts'
import { genesisView } from '../core/steps/genesis/view.ts'
import { useSession } from './session-provider.tsx'
import { type ActionTable, type StepHook, useActions } from './use-step.ts'

const RETRY: GenesisEvent = { step: 'genesis', type: 'retried' }
const ACTIONS: ActionTable = { retry: () => [RETRY] }

/** The genesis step for its screen. */
export function useGenesis(): StepHook {
  const { session, state } = useSession()
  const view = useMemo(() => genesisView(state.genesis, session.setup), [state.genesis, session])
  return { view, actions: useActions('genesis', ACTIONS) }
}
