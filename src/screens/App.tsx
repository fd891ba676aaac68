import { lazy, type ReactNode, Suspense } from 'react'
import { useLauncher } from '../hooks/launcher.tsx'
import { SessionProvider } from '../hooks/session-provider.tsx'
import { ShellProvider, useShell } from '../hooks/shell.tsx'
import { type Launch, useLaunch } from '../hooks/use-launch.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { Opening } from './Opening.tsx'
import { SetupForm } from './SetupForm.tsx'
import { Start } from './Start.tsx'

// The steps carry the chain's own arithmetic; it is loaded while the network is opened, after the first frame.
const Steps = lazy(() => import('./Steps.tsx').then((module) => ({ default: module.Steps })))

/** The whole program on the screen: the choice of a network, then the seven steps. */
export function App(): ReactNode {
  return <LaunchScreen launch={useLaunch()} />
}

function LaunchScreen({ launch }: { launch: Launch }): ReactNode {
  const { state } = launch
  const { validator: named } = useLauncher()
  const validator = named === undefined ? {} : { validator: named }
  switch (state.phase) {
    case 'choose':
      return (
        <Start
          onChoose={launch.choose}
          {...validator}
          {...(state.error === undefined ? {} : { error: state.error })}
        />
      )
    case 'form':
      return <Form launch={launch} state={state} />
    case 'opening':
      return <Opening words={state.words} sinceMs={state.sinceMs} onBack={launch.back} />
    case 'failed': {
      const { shortMessage, money, details, nextSteps, code } = state.error
      const problem = { title: shortMessage, money, values: [], lines: details, next: nextSteps }
      return (
        <ErrorScreen
          problem={problem}
          code={code}
          onRetry={() => launch.choose(state.choice)}
          onBack={launch.back}
        />
      )
    }
    case 'running':
      return (
        <Suspense fallback={<Opening words="for the steps" onBack={launch.back} />}>
          <SessionProvider session={state.session}>
            <Steps
              wayBack={{
                label: state.form === undefined ? 'back' : 'back to the addresses',
                run: launch.back,
              }}
            />
          </SessionProvider>
        </Suspense>
      )
  }
}

function Form({
  launch,
  state,
}: {
  launch: Launch
  state: Extract<Launch['state'], { phase: 'form' }>
}): ReactNode {
  const shell = useShell()
  const { draft, values, typed, error } = state
  const next = draft.fields.find(({ id }) => values[id] === undefined)
  const fields = draft.fields.map((field) => ({
    ...field,
    value: values[field.id] ?? '',
    ...(typed[field.id] === undefined ? {} : { suggestion: typed[field.id] }),
    ...(field.id === next?.id && error !== undefined ? { error } : {}),
  }))
  return (
    <ShellProvider shell={{ ...shell, network: draft.badge }}>
      <SetupForm
        view={{
          title: draft.title,
          intro: draft.intro,
          fields,
          ...(next === undefined ? {} : { activeField: next.id }),
          facts: [],
          ready: next === undefined,
        }}
        onSubmit={launch.submit}
        onContinue={launch.proceed}
        onBack={launch.back}
      />
    </ShellProvider>
  )
}
