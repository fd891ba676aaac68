import { EXIT, type ExitCode } from '../commands/exit-codes.ts'
import type { CommandIo } from '../commands/io.ts'
import { createNodeClock } from '../core/effects/node-clock.ts'
import { shellCommand } from '../core/format/shell-word.ts'
import type { NetworkChoice } from '../core/launch/choice.ts'
import type { Session } from '../core/session.ts'
import { errorFacts } from '../core/steps/observation.ts'
import { type Launcher, LauncherProvider } from '../hooks/launcher.tsx'
import { type Shell, ShellProvider } from '../hooks/shell.tsx'
import { App } from '../screens/App.tsx'
import { receiptLines } from '../screens/receipt.ts'
import { ThemeProvider, themeOf } from '../screens/theme.tsx'
import { renderApp } from '../terminal/render.tsx'
import { checkField } from './check-field.ts'
import type { LauncherInput } from './create-launcher.ts'
import type { Ending } from './ending.ts'
import { lookOptions, ownProgram, sessionOptions, startedAs } from './own-command.ts'
import type { Suspend } from './real-effects.ts'
import type { OwnCommand } from './receipt-file.ts'
import { stateDirectory } from './state-directory.ts'

export type WizardInput = {
  stateDirectory: string
  choice: NetworkChoice | undefined
  /** A registered validator that was named without a network. */
  validator?: string | undefined
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
    },
    suspend: (during) => app.suspend(during),
    signal: ending.signal,
    tell: (sentence) => void putRight.push(sentence),
  })
  const shell: Shell = {
    clock: createNodeClock(),
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
  const { code, lines } = await closeSession(session, { choice, stateDirectory, plain: theme.plain })
  for (const text of putRight) io.err(text)
  for (const text of lines) io.out(text)
  if (end.reason === 'fault') throw end.error
  return code
}

type Closing = Pick<WizardInput, 'choice' | 'stateDirectory'> & { plain: (text: string) => string }

async function closeSession(
  session: Session | undefined,
  { plain, ...begun }: Closing,
): Promise<{ code: ExitCode; lines: string[] }> {
  if (session === undefined) return { code: EXIT.stopped, lines: [] }
  await session.stop()
  const { summaryOf } = await import('./summary.ts')
  const place = { ...begun, defaultDirectory: stateDirectory(process.env, process.platform) }
  const started = startedAs(process)
  const { validator } = session.setup
  const again = [
    ...sessionOptions(session.setup, place),
    ...(validator === undefined ? [] : ['--validator', validator.pubkey]),
  ]
  const { done, receipt } = summaryOf(session)
  const program = ownProgram(started, { anywhere: true })
  const written = await receiptLine(session, { program, options: lookOptions(session.setup, place) })
  const back = done ? [] : [`  ${plain(shellCommand(...ownProgram(started), ...again))}`]
  return {
    code: done ? EXIT.done : EXIT.stopped,
    lines: [...receiptLines(receipt, plain), ...back, ...written],
  }
}

/** Where the receipt was written, or why it was not: never a reason to end otherwise. */
async function receiptLine(session: Session, own: OwnCommand): Promise<string[]> {
  const [{ writeReceipt }, { createNodeStore }] = await Promise.all([
    import('./receipt-file.ts'),
    import('../core/effects/node-store.ts'),
  ])
  try {
    const path = await writeReceipt({ store: createNodeStore(), clock: createNodeClock() }, session, own)
    return path === undefined ? [] : ['  The receipt, with one for machines (.json) beside it:', `  ${path}`]
  } catch (thrown) {
    return [`  The receipt was not written: ${errorFacts(thrown).shortMessage}`]
  }
}

type LazyInput = Omit<LauncherInput, 'effects'> & { suspend: Suspend; signal: AbortSignal }

type Lazy = {
  launcher: Launcher
  /** Resolves once nothing is being opened any more. */
  settled(): Promise<unknown>
}

/** The launcher, whose heavy parts are loaded with its first use: after the first frame. */
function lazyLauncher({ suspend, signal, ...input }: LazyInput): Lazy {
  let loaded: Promise<Launcher> | undefined
  const opening = new Set<Promise<Session>>()
  const load = () => {
    loaded ??= Promise.all([import('./create-launcher.ts'), import('./real-effects.ts')]).then(
      ([{ createLauncher }, { realEffects }]) =>
        createLauncher({ ...input, effects: realEffects({ suspend, signal, tell: input.tell }) }),
    )
    return loaded
  }
  const open = (own: AbortSignal, how: (launcher: Launcher, either: AbortSignal) => Promise<Session>) => {
    const either = AbortSignal.any([own, signal])
    const opened = load().then((launcher) => how(launcher, either))
    opening.add(opened)
    return opened.finally(() => opening.delete(opened))
  }
  const launcher: Launcher = {
    initial: input.initial,
    ...(input.validator === undefined ? {} : { validator: input.validator }),
    check: checkField,
    underWay: async (options) => (await load()).underWay(options),
    openRehearsal: (choice, own) => open(own, (given, either) => given.openRehearsal(choice, either)),
    look: async (path) => (await load()).look(path),
    complete: async (path) => (await load()).complete(path),
    draft: async (...given) => (await load()).draft(...given),
    open: (choice, values, own) => open(own, (given, either) => given.open(choice, values, either)),
  }
  return { launcher, settled: () => Promise.allSettled(opening) }
}
