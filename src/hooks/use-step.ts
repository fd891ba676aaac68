import { useCallback, useMemo, useState } from 'react'
import type { AnyView } from '../core/any-step.ts'
import type { Session } from '../core/session.ts'
import type { Event, State } from '../core/state.ts'
import type { Offer } from '../core/steps/desk/offer.ts'
import { offerNow, viewOf } from '../core/view-of.ts'
import { type ResumeView, resumeViewOf } from './resume-view.ts'
import { useOfState, useSession, useTick, type WayBack } from './shell.tsx'
import { isSigning } from './step-panel.ts'

const presentView = (state: State, session: Session): AnyView => viewOf(state.step, state, session)

/** The step that the session is at: what to draw, when its ages were taken, and where the events of its keys go. */
export function useStep(): {
  view: AnyView
  nowMs: number
  dispatch: (events: readonly Event[]) => void
  offerNow: (opened: Offer) => Offer | undefined
} {
  const session = useSession()
  useTick()
  const { value: view, nowMs } = useOfState(presentView)
  const dispatch = useCallback(
    (events: readonly Event[]) => {
      for (const event of events) void session.dispatch(event)
    },
    [session],
  )
  const { step } = view
  const ofState = useCallback(
    (opened: Offer) => offerNow(opened, step, session.getState(), session),
    [session, step],
  )
  return { view, nowMs, dispatch, offerNow: ofState }
}

/** The way out of the steps as a part of the shell; none while a payment is being signed, which would be cut short. */
export function useWayBack(wayBack: WayBack | undefined): { wayBack?: WayBack } {
  const { value: isBusy } = useOfState(isSigning)
  return wayBack === undefined || isBusy ? {} : { wayBack }
}

type ResumeHook = { view: ResumeView; proceed(): void }

const nothing = (): undefined => undefined

/** The way back into an unfinished registration; undefined when there is none or it was taken already. */
export function useResume(): ResumeHook | undefined {
  const session = useSession()
  const [taken, take] = useState(false)
  const { value: view } = useOfState(taken ? nothing : resumeViewOf)
  return useMemo(() => {
    if (view === undefined) return undefined
    return {
      view,
      proceed() {
        take(true)
        void session.dispatch({ step: 'session', type: 'went', to: view.step })
      },
    }
  }, [session, view])
}
