import { useCallback, useMemo, useState } from 'react'
import type { Event } from '../core/state.ts'
import type { StepView } from '../core/steps/step-view.ts'
import { viewOf } from '../core/view-of.ts'
import { type ResumeView, resumeViewOf } from './resume-view.ts'
import { useSession, type WayBack } from './shell.tsx'
import { isSigning } from './step-panel.ts'

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

/** The way out of the steps as a part of the shell; none while a payment is being signed, which would be cut short. */
export function useWayBack(wayBack: WayBack | undefined): { wayBack?: WayBack } {
  const { state } = useSession()
  return wayBack === undefined || isSigning(state) ? {} : { wayBack }
}

type ResumeHook = { view: ResumeView; proceed(): void }

/** The way back into an unfinished registration; undefined when there is none or it was taken already. */
export function useResume(): ResumeHook | undefined {
  const { session, state } = useSession()
  const [taken, take] = useState(false)
  return useMemo(() => {
    const view = taken ? undefined : resumeViewOf(state, session)
    if (view === undefined) return undefined
    return {
      view,
      proceed() {
        take(true)
        void session.dispatch({ step: 'session', type: 'went', to: view.step })
      },
    }
  }, [taken, session, state])
}
