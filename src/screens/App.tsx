import { lazy, type ReactNode, Suspense } from 'react'
import type { LaunchSay } from '../core/wizard/launch/state.ts'
import type { Launcher } from '../hooks/launch-loop.ts'
import { SessionProvider } from '../hooks/shell.tsx'
import { useLaunch, useLoadingView } from '../hooks/use-launch.ts'
import { EarlyScreen } from './EarlyScreen.tsx'

// The steps carry the chain's own arithmetic; it is loaded while the network is opened, after the first frame.
const Steps = lazy(() => import('./Steps.tsx').then((module) => ({ default: module.Steps })))

/** What is shown while the steps are loaded. */
export function Loading({ tell }: { tell: (event: LaunchSay) => void }) {
  return <EarlyScreen view={useLoadingView()} tell={tell} />
}

/** The whole program on the screen: the choice of a network, then the seven steps. */
export function App({ launcher }: { launcher: Launcher }): ReactNode {
  const { screen, viewOf, tell, wayBackFrom, newKey } = useLaunch(launcher)
  if (screen.phase !== 'running')
    return <EarlyScreen view={viewOf(screen)} tell={tell} edit={(edit) => tell({ type: 'edited', edit })} />
  return (
    <Suspense fallback={<Loading tell={tell} />}>
      <SessionProvider session={screen.session}>
        <Steps wayBack={wayBackFrom(screen)} newKey={newKey} />
      </SessionProvider>
    </Suspense>
  )
}
