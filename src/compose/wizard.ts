import type { Clock } from '../core/base/effects/effects.ts'
import type { OwnCommand } from '../core/base/format/next.ts'
import type { NetworkChoice } from '../core/wizard/launch/choice.ts'
import type { Session } from '../core/wizard/session.ts'
import type { Launcher } from '../hooks/launcher.tsx'
import type { CommandIo, ExitCode } from '../output/io.ts'
import type { LauncherInput } from './create-launcher.ts'
import type { Ending } from './ending.ts'
import { checkField } from './network-choice.ts'
import { startedAs, startedCommand, wizardCommand } from './own-command.ts'
import type { Suspend } from './real-effects.ts'
import { stateDirectory as defaultStateDirectory } from './state-directory.ts'

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

/** What is peculiar to one way of showing the wizard. */
type Shown = {
  /** Gives the terminal away while a child asks for a password. */
  suspend?: Suspend
  linesOnly?: boolean
  /** Hears in a sentence what was put right on the disk. */
  tell(sentence: string): void
  plain(text: string): string
  clock: Clock
}

type Wizard = {
  launcher: Launcher
  /** A command of this program, as a shell takes it where this one was started. */
  run(command: OwnCommand): string
  /** The same of one that begins the wizard, with the place of its state. */
  begin(words: readonly string[]): string
  /** Ends all that is open; answers with what stays in the history of the terminal. */
  end(): Promise<{ code: ExitCode; lines: string[] }>
}

/** Returns the wizard without screens or lines: the launcher that begins sessions, and what ends all that is open. */
export function wizardOf(input: WizardInput, shown: Shown): Wizard {
  const { stateDirectory, choice, validator, topup, ending } = input
  const { tell, plain, clock, ...terminal } = shown
  const place = { stateDirectory, defaultDirectory: defaultStateDirectory(process.env, process.platform) }
  let session: Session | undefined
  const { launcher, settled } = lazyLauncher({
    stateDirectory,
    initial: choice,
    ...(validator === undefined ? {} : { validator }),
    onSession: (opened) => {
      session = opened
      prefillTopUp(opened, topup)
    },
    ...terminal,
    signal: ending.signal,
    tell,
  })
  return {
    launcher,
    run: (command) => startedCommand(command, startedAs(process)),
    begin: (words) => wizardCommand(words, startedAs(process), place),
    async end() {
      ending.begin()
      await settled()
      const { closeSession } = await import('./summary.ts')
      return closeSession(session, { choice, stateDirectory, plain, clock })
    },
  }
}

type LazyInput = Omit<LauncherInput, 'effects'> &
  Pick<Shown, 'suspend' | 'linesOnly'> & { signal: AbortSignal }

type Lazy = {
  launcher: Launcher
  /** Resolves once nothing is being opened any more. */
  settled(): Promise<unknown>
}

/** The launcher, whose heavy parts are loaded with its first use: after the first frame. */
function lazyLauncher({ suspend, linesOnly = false, signal, ...input }: LazyInput): Lazy {
  let loaded: Promise<Launcher> | undefined
  const opening = new Set<Promise<Session>>()
  const load = () => {
    loaded ??= Promise.all([import('./create-launcher.ts'), import('./real-effects.ts')]).then(
      ([{ createLauncher }, { realEffects }]) =>
        createLauncher({
          ...input,
          effects: realEffects({
            ...(suspend === undefined ? {} : { suspend }),
            linesOnly,
            signal,
            tell: input.tell,
          }),
        }),
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
    price: async (asked, own) => (await load()).price(asked, AbortSignal.any([own, signal])),
    open: (choice, values, own) => open(own, (given, either) => given.open(choice, values, either)),
  }
  return { launcher, settled: () => Promise.allSettled(opening) }
}

/**
 * Proposes an amount, given on the command line, when the top-up is looked at for the first time: as if it had been typed
 * into its field. It agrees to nothing, and changes no payment that has begun.
 */
function prefillTopUp(session: Session, amount: string | undefined): void {
  if (amount === undefined) return
  const stop = session.subscribe(({ step }) => {
    if (step !== 'topup') return
    stop()
    void session.dispatch({ step: 'topup', type: 'chosen', text: amount })
  })
}
