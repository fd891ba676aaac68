import { useCallback, useMemo } from 'react'
import type { Event } from '../core/state.ts'
import type { StepView } from '../core/steps/step-view.ts'
import { viewOf } from '../core/view-of.ts'
import { useSession } from './shell.tsx'

/** The step that the session is at: what to draw, and where the events of its keys go. */
export function useStep(): { view: StepView; dispatch: (events: readonly Event[]) => void } {
  const { session, state } = useSession()
  const view = useMemo(() => viewOf(state.step, state, session), [state, session])
  const dispatch = useCallback(
    (events: readonly Event[]) => {
      for (const event of events) void session.dispatch(event)
    },
    [session],
  )
  return { view, dispatch }
}
