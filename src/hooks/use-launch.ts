import { useEffect, useState, useSyncExternalStore } from 'react'
import type { EarlyView } from '../core/view/early-view.ts'
import { type EarlyPhase, launchView, openingView, wayBackLabel } from '../core/wizard/launch/launch-view.ts'
import type { LaunchSay, Screen } from '../core/wizard/launch/state.ts'
import { type Launcher, launchLoop } from './launch-loop.ts'
import { useShell, type WayBack } from './shell.tsx'

type Launch = {
  screen: Screen
  /** What is drawn before the steps. */
  viewOf(screen: EarlyPhase): EarlyView<LaunchSay>
  tell(event: LaunchSay): void
  /** The way back from the steps. */
  wayBackFrom(screen: { form: object | undefined }): WayBack
  /** Gives the node of the running rehearsal another key. */
  newKey(): void
}

/** Leads from the choice of a network to a running session, and back. */
export function useLaunch(launcher: Launcher): Launch {
  const { clock, run } = useShell()
  const [loop] = useState(() => launchLoop(launcher, clock))
  const state = useSyncExternalStore(loop.subscribe, loop.getState)
  useEffect(() => {
    loop.begin()
    return loop.leave
  }, [loop])
  const { tell } = loop
  return {
    screen: state.screen,
    viewOf: (screen) => launchView(screen, state, run),
    tell,
    newKey: () => tell({ type: 'newKeyWished' }),
    wayBackFrom: (screen) => ({ label: wayBackLabel(screen), run: () => tell({ type: 'back' }) }),
  }
}

/** What is drawn while the steps are loaded; the wait counts from the moment that it is shown. */
export function useLoadingView(): EarlyView<LaunchSay> {
  const { clock } = useShell()
  const [sinceMs] = useState(() => clock.monotonicMs())
  return openingView('steps', sinceMs)
}
