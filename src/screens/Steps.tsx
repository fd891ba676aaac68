import type { ReactNode } from 'react'
import { useNotifier } from '../hooks/notice.ts'
import { ShellProvider, useSession, useShell, type WayBack } from '../hooks/shell.tsx'
import { useResume } from '../hooks/use-resume.ts'
import { useStep } from '../hooks/use-step.ts'
import { useWayBack } from '../hooks/use-way-back.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { Resume } from './Resume.tsx'
import { StepScreen } from './StepScreen.tsx'
import { journalLost } from './words.ts'

/**
 * The seven steps of the running session, and the welcome back where one was left unfinished. `wayBack` ends the session
 * and leads to what was before it.
 */
export function Steps({ wayBack }: { wayBack?: WayBack }): ReactNode {
  const shell = useShell()
  const { session } = useSession()
  const { kind, label } = session.setup.network
  const notifier = useNotifier(shell)
  const back = useWayBack(wayBack)
  return (
    <ShellProvider shell={{ ...shell, network: { kind, label }, ...notifier, ...back }}>
      <Step />
    </ShellProvider>
  )
}

function Step(): ReactNode {
  const { state } = useSession()
  const shown = useStep()
  const resume = useResume()
  const { journal, step } = state
  if (resume !== undefined) return <Resume view={resume.view} onContinue={resume.proceed} />
  if (journal.status === 'refused' && step !== 'genesis' && step !== 'identity')
    return <ErrorScreen code="journal.refused" problem={journalLost(journal.reason)} />
  // What is being read, typed or confirmed belongs to one step.
  return <StepScreen key={step} {...shown} />
}
