import { createContext, type ReactNode, useContext } from 'react'
import type { Session } from '../core/session.ts'
import type { FieldView } from '../core/steps/view.ts'
import type { NetworkBadge } from './shell.tsx'

/** A network whose endpoints a form asks for. */
export type FormChoice = (
  | { kind: 'network'; id: 'rehearsal' | 'bepolia' | 'mainnet' }
  | { kind: 'file'; path: string }
  | { kind: 'files'; spec: string; genesis: string }
) & {
  /** Present for a registered validator: its public key or index, empty where it is still to be typed. */
  validator?: string
}

/** What the user chose to work on: one of those, or the rehearsal network of a descriptor file. */
export type NetworkChoice = FormChoice | { kind: 'devnet'; descriptor: string; validator?: string }

/** What must be known before a session on a network can begin. */
export type SetupDraft = { badge: NetworkBadge; title: string; intro: string; fields: readonly FieldView[] }

/** The way from a choice to a running session; supplied by whoever composes the program. */
export type Launcher = {
  /** A choice that was made on the command line. */
  initial: NetworkChoice | undefined
  /** A registered validator that was named on the command line without a network. */
  validator?: string
  /**
   * Begins on the rehearsal network of a descriptor file; without one on the last that was started here, or on a new one
   * where none runs; one that is given up while it starts is ended. With the public key or index of a registered
   * validator of that network, for that one.
   */
  openRehearsal(
    signal: AbortSignal,
    options?: { descriptor?: string | undefined; validator?: string | undefined },
  ): Promise<Session>
  /** The form of any other network, once the home is typed with what that home names. Rejects as its file does. */
  draft(choice: FormChoice, homePath?: string): Promise<SetupDraft>
  /** Why a field's text is not accepted beside those accepted before, or undefined when it is. */
  check(field: string, text: string, values: Readonly<Record<string, string>>): string | undefined
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
