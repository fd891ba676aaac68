import type { Clock } from '../core/base/effects/effects.ts'
import type { OwnCommand } from '../core/base/format/next.ts'
import type { NetworkChoice } from '../core/wizard/launch/choice.ts'
import type { Session } from '../core/wizard/session.ts'
import type { Launcher } from '../hooks/launch-loop.ts'
import type { SecretGate } from '../hooks/secret-gate.ts'
import type { CommandIo, ExitCode } from '../output/io.ts'
import { createLauncher } from './create-launcher.ts'
import type { Ending } from './ending.ts'
import { begunHere, startedAs, startedCommand, wizardCommand } from './own-command.ts'
import type { Suspend } from './real-effects.ts'

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
  /** Keeps keys from everybody between a typed word and its password prompt. */
  secret: SecretGate
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
  const { tell, plain, clock, secret, suspend, linesOnly } = shown
  const place = begunHere(choice, stateDirectory)
  let session: Session | undefined
  const launcher = createLauncher({
    effects: async () => {
      const { realEffects } = await import('./real-effects.ts')
      return realEffects({
        ...(suspend && { suspend: (during) => secret.asked(suspend(during)) }),
        ...(linesOnly && { linesOnly }),
        wasTyped: () => secret.get()?.hasDropped === true,
        signal: ending.signal,
        tell,
      })
    },
    stateDirectory,
    initial: choice,
    ...(validator === undefined ? {} : { validator }),
    onSession: async (opened) => {
      const { watchConsents } = await import('../hooks/watch-consents.ts')
      session = watchConsents(opened, secret)
      prefillTopUp(session, topup)
      return session
    },
    signal: ending.signal,
    tell,
  })
  return {
    launcher,
    run: (command) => startedCommand(command, startedAs(process)),
    begin: (words) => wizardCommand(words, startedAs(process), place),
    async end() {
      ending.begin()
      await launcher.settled()
      const { closeSession } = await import('./summary.ts')
      return closeSession(session, { choice, stateDirectory, plain, clock })
    },
  }
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
