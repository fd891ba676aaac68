import { useAnimation, useStdout } from 'ink'
import { createContext, type ReactNode, useCallback, useContext, useSyncExternalStore } from 'react'
import type { NetworkKind } from '../core/network/network.ts'
import type { Session } from '../core/session.ts'
import type { State } from '../core/state.ts'

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

const SessionContext = createContext<Session | undefined>(undefined)

/** Gives the screens below it the running session. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }): ReactNode {
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

/** The running session and its present state; a component that calls it is drawn again with every event. */
export function useSession(): { session: Session; state: State } {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('useSession needs a SessionProvider above it')
  const state = useSyncExternalStore(session.subscribe, session.getState)
  return { session, state }
}

/** The size of the terminal, and whether a dangerous step may be confirmed in it. */
export type Terminal = { columns: number; rows: number; roomToConfirm: boolean }

const COLUMNS = 80

const ROWS = 24

/** The terminal as it is now; follows when it is resized. 80 by 24 where the size is not known. */
export function useTerminal(): Terminal {
  const { stdout } = useStdout()
  const subscribe = useCallback(
    (changed: () => void) => {
      stdout.on('resize', changed)
      return () => void stdout.off('resize', changed)
    },
    [stdout],
  )
  const columns = useSyncExternalStore(subscribe, () => sizeOf(stdout, 'columns', COLUMNS))
  const rows = useSyncExternalStore(subscribe, () => sizeOf(stdout, 'rows', ROWS))
  return { columns, rows, roomToConfirm: columns >= COLUMNS && rows >= ROWS }
}

function sizeOf(stdout: object, side: 'columns' | 'rows', otherwise: number): number {
  const size: unknown = side in stdout ? Reflect.get(stdout, side) : undefined
  return typeof size === 'number' && size > 0 ? size : otherwise
}

const TICK_MS = 1000

/** The monotonic time of the shell's clock, renewed every second, for ages and counts of seconds. */
export function useNow(): number {
  const { clock } = useShell()
  useAnimation({ interval: TICK_MS })
  return clock.monotonicMs()
}
