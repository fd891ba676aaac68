import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Screen } from '../core/launch/state.ts'
import { useLauncher } from '../hooks/launcher.tsx'
import { SessionProvider, ShellProvider, useShell } from '../hooks/shell.tsx'
import { type Launch, useLaunch } from '../hooks/use-launch.ts'
import { type ErrorKey, ErrorScreen, PlainScreen } from './PlainScreen.tsx'
import { SetupForm } from './SetupForm.tsx'
import { Start } from './Start.tsx'
import { line } from './ui/line.ts'
import { failureProblem, rehearsalWays, WAITS, wayBackWords } from './words.ts'

/** `sinceMs`: when the wait began, where that was before it is shown. */
export type OpeningProps = { words: string; sinceMs?: number; onBack: () => void }

/** What is shown while a network starts or its endpoints are asked for the first time. */
export function Opening({ words, sinceMs, onBack }: OpeningProps) {
  const { clock } = useShell()
  const [shownMs] = useState(() => clock.monotonicMs())
  return (
    <PlainScreen
      title={line(' One moment', 'strong')}
      content={[]}
      money={{ line: 'nothing is sent here', worst: 'worst case here: none.' }}
      waiting={{ label: words, sinceMs: sinceMs ?? shownMs }}
      bindings={[{ key: 'escape', label: 'back', run: onBack }]}
    />
  )
}

// The steps carry the chain's own arithmetic; it is loaded while the network is opened, after the first frame.
const Steps = lazy(() => import('./Steps.tsx').then((module) => ({ default: module.Steps })))

/** The whole program on the screen: the choice of a network, then the seven steps. */
export function App(): ReactNode {
  return <LaunchScreen launch={useLaunch()} />
}

function LaunchScreen({ launch }: { launch: Launch }): ReactNode {
  const { screen, underWay } = launch.state
  const shell = useShell()
  const { validator } = useLauncher()
  switch (screen.phase) {
    case 'choose':
      return (
        <Start
          onChoose={launch.choose}
          onContinue={launch.proceedWith}
          underWay={underWay ?? []}
          {...(validator === undefined ? {} : { validator })}
          {...(screen.error === undefined ? {} : { error: screen.error })}
        />
      )
    case 'form':
      return (
        <ShellProvider shell={{ ...shell, network: screen.draft.badge }}>
          <SetupForm form={screen} onEvent={launch.inForm} onContinue={launch.proceed} onBack={launch.back} />
        </ShellProvider>
      )
    case 'opening':
      return <Opening words={WAITS[screen.words]} sinceMs={screen.sinceMs} onBack={launch.back} />
    case 'failed':
      return <Failed launch={launch} screen={screen} />
    case 'running':
      return (
        <Suspense fallback={<Opening words="for the steps" onBack={launch.back} />}>
          <SessionProvider session={screen.session}>
            <Steps
              wayBack={{
                label: wayBackWords(screen.form),
                run: launch.back,
              }}
            />
          </SessionProvider>
        </Suspense>
      )
  }
}

function Failed({
  launch,
  screen,
}: {
  launch: Launch
  screen: Extract<Screen, { phase: 'failed' }>
}): ReactNode {
  const { error } = screen
  const { run } = useShell()
  const keys: ErrorKey[] = rehearsalWays(screen).map(({ choice, ...key }) => ({
    ...key,
    run: () => launch.choose(choice),
  }))
  const problem = failureProblem(error, run)
  return (
    <ErrorScreen
      problem={problem}
      code={error.code}
      keys={keys}
      onRetry={launch.retry}
      onBack={launch.back}
    />
  )
}
