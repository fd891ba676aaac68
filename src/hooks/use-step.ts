import { useCallback } from 'react'
import type { Offer } from '../core/pay/desk/offer.ts'
import type { EarlyView } from '../core/view/early-view.ts'
import { type ResumeSay, resumeView } from '../core/wizard/resume-view.ts'
import type { Session } from '../core/wizard/session.ts'
import type { AnyView, Event, State } from '../core/wizard/state.ts'
import { offerNow, viewOf } from '../core/wizard/view-of.ts'
import { useOfState, useSession, useShell, useTick, type WayBack } from './shell.tsx'
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

/** What stands in the place of the steps, and where its keys lead; undefined where nothing does. */
export function useResume(): { view: EarlyView<ResumeSay>; tell(event: ResumeSay): void } | undefined {
  const session = useSession()
  const { wayBack } = useShell()
  const label = wayBack?.label
  const read = useCallback((state: State, of: Session) => resumeView(state, of, label), [label])
  const { value: view } = useOfState(read)
  const tell = (event: ResumeSay) => (event === 'back' ? wayBack?.run() : void session.dispatch(event))
  return view && { view, tell }
}
