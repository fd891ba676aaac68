import type { ExitCode } from '../commands/exit-codes.ts'
import type { CommandIo } from '../commands/io.ts'
import { createNodeClock } from '../core/effects/node-clock.ts'
import type { NetworkChoice } from '../core/launch/choice.ts'
import type { Session } from '../core/session.ts'
import { LauncherProvider } from '../hooks/launcher.tsx'
import { type Shell, ShellProvider } from '../hooks/shell.tsx'
import { App } from '../screens/App.tsx'
import { ThemeProvider, themeOf } from '../screens/theme.tsx'
import { renderApp } from '../terminal/render.tsx'
import { closeSession } from './close-session.ts'
import type { Ending } from './ending.ts'
import { lazyLauncher } from './lazy-launcher.ts'
import { prefillTopUp } from './prefill-top-up.ts'

export type WizardInput = {
  stateDirectory: string
  choice: NetworkChoice | undefined
  /** A registered validator that was named without a network. */
  validator?: string | undefined
  /** An amount that is proposed for its top-up, as it was typed. */
  topup?: string | undefined
  io: CommandIo
  ending: Ending
}

/**
 * Shows the screens until the user is done, then ends all that is open and leaves a summary in the terminal's history.
 */
export async function runWizard({
  stateDirectory,
  choice,
  validator,
  topup,
  io,
  ending,
}: WizardInput): Promise<ExitCode> {
  let session: Session | undefined
  const putRight: string[] = []
  const theme = themeOf(process.env, process.platform)
  const { launcher, settled } = lazyLauncher({
    stateDirectory,
    initial: choice,
    ...(validator === undefined ? {} : { validator }),
    onSession: (opened) => {
      session = opened
      prefillTopUp(opened, topup)
    },
    suspend: (during) => app.suspend(during),
    signal: ending.signal,
    tell: (sentence) => void putRight.push(sentence),
  })
  const clock = createNodeClock()
  const shell: Shell = {
    clock,
    quit: () => app.close(),
    notify: (text) => app.notify(text),
  }
  const app = renderApp(
    <ThemeProvider theme={theme}>
      <ShellProvider shell={shell}>
        <LauncherProvider launcher={launcher}>
          <App />
        </LauncherProvider>
      </ShellProvider>
    </ThemeProvider>,
    { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, process, term: process.env.TERM },
  )
  ending.atLast(app.restore)
  ending.signal.addEventListener('abort', app.close)
  if (ending.signal.aborted) app.close()
  const end = await app.end
  ending.begin()
  await settled()
  const { code, lines } = await closeSession(session, { choice, stateDirectory, plain: theme.plain, clock })
  for (const text of putRight) io.err(text)
  for (const text of lines) io.out(text)
  if (end.reason === 'fault') throw end.error
  return code
}
