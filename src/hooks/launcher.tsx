import { createContext, type ReactNode, useContext } from 'react'
import type { FormChoice, NetworkChoice, RehearsalChoice, SetupDraft } from '../core/wizard/launch/choice.ts'
import type { PathNotes, PriceEndpoints } from '../core/wizard/launch/form.ts'
import type { Check } from '../core/wizard/launch/form-fields.ts'
import type { PlacesKnown } from '../core/wizard/launch/places.ts'
import type { UnderWay } from '../core/wizard/launch/under-way.ts'
import type { Session } from '../core/wizard/session.ts'

/** A path as far as it can be completed, and the names it may go on with where there are several. */
export type Completion = { to: string; names: readonly string[] }

/** The way from a choice to a running session; supplied by whoever composes the program. */
export type Launcher = {
  /** A choice that was made on the command line. */
  initial: NetworkChoice | undefined
  /** A registered validator that was named on the command line without a network. */
  validator?: string
  /**
   * What earlier runs left in the state directory, newest first; with `rehearsals` also which rehearsal networks still
   * run. Changes nothing, and does not reject.
   */
  underWay(options: { rehearsals: boolean }): Promise<readonly UnderWay[]>
  /**
   * Begins on a rehearsal network; one that is given up while it starts is ended. With the public key or index of a
   * registered validator of that network, for that one. Rejects with `rehearsal.ended` where the network does not run
   * any more, and with `rehearsal.other-scenario` where it is another one than was asked for.
   */
  openRehearsal(choice: RehearsalChoice, signal: AbortSignal): Promise<Session>
  /**
   * The form of any other network, once the home is typed with what that home names; a rehearsal as on mainnet is started
   * for it. Rejects as its file or that start does, or when the signal came first.
   */
  draft(choice: FormChoice, homePath?: string, signal?: AbortSignal): Promise<SetupDraft>
  check: Check
  /** What a place costs now, by these endpoints, else by those of the settings; rejects where nobody there answers. */
  price(
    asked: { choice: FormChoice; endpoints?: PriceEndpoints | undefined },
    signal: AbortSignal,
  ): Promise<PlacesKnown>
  /** Looks at what is at a path. */
  look(path: { text: string; kind: 'folder' | 'file' }): Promise<PathNotes>
  /** Goes on with a path as a shell does on Tab. */
  complete(path: { text: string; kind: 'folder' | 'file' }): Promise<Completion>
  /** Begins a session with the accepted fields. Rejects when the signal came first. */
  open(choice: FormChoice, values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Session>
}

const LauncherContext = createContext<Launcher | undefined>(undefined)

/** Gives the screens below it the way to a session. */
export function LauncherProvider({ launcher, children }: { launcher: Launcher; children: ReactNode }) {
  return <LauncherContext value={launcher}>{children}</LauncherContext>
}

/** The launcher in force. */
export function useLauncher(): Launcher {
  const launcher = useContext(LauncherContext)
  if (launcher === undefined) throw new Error('useLauncher needs a LauncherProvider above it')
  return launcher
}
