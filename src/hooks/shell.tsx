import { useAnimation, useStdout } from 'ink'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useSyncExternalStore } from 'react'
import type { OwnCommand } from '../core/base/format/next.ts'
import type { NetworkKind } from '../core/chain/network/network.ts'
import type { Session } from '../core/wizard/session.ts'
import type { State } from '../core/wizard/state.ts'
import type { SecretGate, SecretWait } from './secret-gate.ts'

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
  /** A command of this program as a shell takes it here. Absent where the program is called by its name. */
  run?(command: OwnCommand): string
  /** The same of one that begins the wizard. */
  begin?(words: readonly string[]): string
  /** What keeps keys from the screens between a typed word and its password prompt. Absent where no password is asked for. */
  secret?: Pick<SecretGate, 'get' | 'subscribe'>
  /** Inside the steps of a rehearsal: gives its node another key, and begins anew with that. */
  newKey?(): void
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

const UNCHANGED = () => () => undefined

/** Returns what is known of a password prompt while no key acts; undefined where keys act. */
export function useSecretWait(): SecretWait | undefined {
  const { secret } = useShell()
  return useSyncExternalStore(secret?.subscribe ?? UNCHANGED, () => secret?.get())
}

const SessionContext = createContext<Session | undefined>(undefined)

/** Gives the screens below it the running session. */
export function SessionProvider({ session, children }: { session: Session; children: ReactNode }): ReactNode {
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

/** The running session. A component that calls it is not drawn again with its events. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('useSession needs a SessionProvider above it')
  return session
}

/** What was made of a state, and the time at which the ages in it are drawn. */
type Drawn<T> = { value: T; nowMs: number }

/**
 * Returns what `read` makes of the present state, as plain data; `read` must stay the same function. The value stays the same
 * object, and its component is not drawn again, until something in it would be drawn differently; ages count as they are drawn.
 */
export function useOfState<T>(read: (state: State, session: Session) => T): Drawn<T> {
  const session = useSession()
  const { clock } = useShell()
  const drawn = useMemo(() => drawnOf(session, clock, read), [session, clock, read])
  return useSyncExternalStore(session.subscribe, drawn)
}

function drawnOf<T>(
  session: Session,
  clock: MonotonicClock,
  read: (state: State, session: Session) => T,
): () => Drawn<T> {
  let last: { state: State; nowMs: number; text: string; drawn: Drawn<T> } | undefined
  return () => {
    const state = session.getState()
    const nowMs = tickOf(clock)
    if (last?.state === state && last.nowMs === nowMs) return last.drawn
    const value = read(state, session)
    const text = drawnText(value, nowMs)
    last = { state, nowMs, text, drawn: last?.text === text ? last.drawn : { value, nowMs } }
    return last.drawn
  }
}

/** A value as text in which an answer that is as old as before, as ages are drawn, is the same one. */
function drawnText(value: unknown, nowMs: number): string {
  const plain = (key: string, part: unknown) => {
    if (typeof part === 'bigint') return `${part}n`
    return key === 'learntAtMs' && typeof part === 'number' ? ageText(nowMs - part) : part
  }
  return JSON.stringify(value, plain) ?? ''
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

/** Ages are drawn anew so often, all at once, and told in such steps: whoever waits has a spinner that counts seconds. */
const TICK_MS = 10_000

const tickOf = ({ monotonicMs }: MonotonicClock): number => Math.floor(monotonicMs() / TICK_MS) * TICK_MS

/** The monotonic time of the shell's clock for ages, which stands still for ten seconds. */
export function useNow(): number {
  return tickOf(useShell().clock)
}

/** Looks again once in ten seconds, for the ages where no event comes. */
export function useTick(): void {
  useAnimation({ interval: TICK_MS })
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** An age in one unit, so that the column keeps its width: `just now`, `40 s`, `12 min`, `27 h`. */
export function ageText(ms: number): string {
  if (ms < TICK_MS) return 'just now'
  if (ms < MINUTE_MS) return `${Math.floor(ms / TICK_MS) * (TICK_MS / 1000)} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  return `${Math.floor(ms / HOUR_MS)} h`
}
