import { createNodeClock } from '../core/base/effects/node-clock.ts'
import { createSecretGate } from '../hooks/secret-gate.ts'
import { type Shell, ShellProvider } from '../hooks/shell.tsx'
import type { ExitCode } from '../output/io.ts'
import { App } from '../screens/App.tsx'
import { ThemeProvider, themeOf } from '../screens/theme.tsx'
import { renderApp } from '../terminal/render.tsx'
import { type WizardInput, wizardOf } from './wizard.ts'

/**
 * Shows the screens until the user is done, then ends all that is open and leaves a summary in the terminal's history.
 */
export async function runWizard(input: WizardInput): Promise<ExitCode> {
  const { io, ending } = input
  const putRight: string[] = []
  const theme = themeOf(process.env, process.platform)
  const clock = createNodeClock()
  const secret = createSecretGate(clock)
  const wizard = wizardOf(input, {
    secret,
    suspend: (during) => app.suspend(during),
    tell: (sentence) => void putRight.push(sentence),
    plain: theme.plain,
    clock,
  })
  let closed: ReturnType<typeof wizard.end> | undefined
  const close = () => {
    closed ??= wizard.end()
    return closed
  }
  const shell: Shell = {
    clock,
    secret,
    quit: () => app.close(),
    notify: (text) => app.notify(text),
    run: wizard.run,
    begin: wizard.begin,
  }
  const app = renderApp(
    <ThemeProvider theme={theme}>
      <ShellProvider shell={shell}>
        <App launcher={wizard.launcher} />
      </ShellProvider>
    </ThemeProvider>,
    {
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      process,
      term: process.env.TERM,
      mayHear: secret.mayHear,
      closing: close,
    },
  )
  ending.atLast(app.restore)
  ending.signal.addEventListener('abort', app.close)
  if (ending.signal.aborted) app.close()
  const end = await app.end
  const { code, lines } = await close()
  for (const text of putRight) io.err(text)
  for (const text of lines) io.out(text)
  if (end.reason === 'fault') throw end.error
  return code
}
