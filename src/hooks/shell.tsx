import { createContext, type ReactNode, useContext } from 'react'
import type { NetworkKind } from '../core/network/network.ts'

/** The network as every frame names it. */
export type NetworkBadge = { kind: NetworkKind; label: string }

/** A clock that only ever grows. */
export type MonotonicClock = { monotonicMs(): number }

/** Calls the user who looks elsewhere, once that was asked for. */
export type Notifier = { on: boolean; toggle(): void; tell(text: string): void }

/** The way from the first step back to where the program was before it, and its words in the help line. */
export type WayBack = { label: string; run(): void }

/** What every screen shares: the time, the network, and the way out. */
export type Shell = {
  clock: MonotonicClock
  /** Absent until a network is chosen. */
  network?: NetworkBadge
  /** Ends the program; state is kept. */
  quit(): void
  /** Makes the terminal call its user. Absent where it cannot. */
  notify?(text: string): void
  /** A text with its commands of this program as a shell takes them here. Absent where the program is called by its name. */
  typed?(text: string): string
  /** Inside the steps, where the terminal can call its user. */
  notifier?: Notifier
  /** Inside the steps, unless a payment is being signed. */
  wayBack?: WayBack
}

const ShellContext = createContext<Shell>({ clock: { monotonicMs: () => 0 }, quit: () => undefined })

/** Gives every screen below it one shell. */
export function ShellProvider({ shell, children }: { shell: Shell; children: ReactNode }) {
  return <ShellContext value={shell}>{children}</ShellContext>
}

/** The shell in force. */
export function useShell(): Shell {
  return useContext(ShellContext)
}
