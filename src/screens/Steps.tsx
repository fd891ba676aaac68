import { memo, type ReactNode } from 'react'
import type { State } from '../core/wizard/state.ts'
import { ShellProvider, useOfState, useSession, useShell, type WayBack } from '../hooks/shell.tsx'
import { useNotifier } from '../hooks/step-keys.ts'
import { useResume, useStep, useWayBack } from '../hooks/use-step.ts'
import { EarlyScreen } from './EarlyScreen.tsx'
import { StepScreen } from './StepScreen.tsx'

/**
 * The seven steps of the running session, and the welcome back where one was left unfinished. `wayBack` ends the session
 * and leads to what was before it; `newKey` begins anew with another key of a rehearsal's node.
 */
export function Steps({ wayBack, newKey }: { wayBack?: WayBack; newKey?: () => void }): ReactNode {
  const shell = useShell()
  const { setup } = useSession()
  const { kind, label } = setup.network
  const notifier = useNotifier(shell)
  const back = useWayBack(wayBack)
  return (
    <ShellProvider
      shell={{ ...shell, network: { kind, label }, ...notifier, ...back, ...(newKey && { newKey }) }}
    >
      <Step />
    </ShellProvider>
  )
}

/** Drawn again only with another view. */
const SameStepScreen = memo(StepScreen)

const stepOf = ({ step }: State) => step

function Step(): ReactNode {
  const step = useOfState(stepOf).value
  const shown = useStep()
  const resume = useResume()
  if (resume !== undefined) return <EarlyScreen {...resume} />
  // What is being read, typed or confirmed belongs to one page of one step.
  return <SameStepScreen key={[step, shown.view.page].join('.')} {...shown} />
}
