import { useMemo } from 'react'
import type { Session } from '../core/session.ts'
import type { Event } from '../core/state.ts'
import { endedOf } from '../core/steps/payment/candidates.ts'
import { rescueAmount } from '../core/steps/status/outlook.ts'
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
      topup: () => topUpEvents(session),
      finish: () => {
        quit()
        return []
      },
    }),
    [quit, session],
  )
  return { view, actions: useActions('status', table) }
}

/**
 * Goes to the top-up step. Where an amount keeps the place it stands ready there, as if it had been typed, in a payment
 * of its own when the last one has ended.
 */
export function topUpEvents(session: Session): Event[] {
  const state = session.getState()
  const text = rescueAmount(state.status, session.facts(), session.setup)
  const go: Event = { step: 'session', type: 'went', to: 'topup' }
  if (text === undefined) return [go]
  const anew = endedOf(state.topup.send) !== undefined
  return [
    ...(anew ? [{ step: 'topup', type: 'reopened' } as const] : []),
    { step: 'topup', type: 'chosen', text },
    go,
  ]
}
