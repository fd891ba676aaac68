import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'
import type { Session } from '../core/session.ts'
import type { State } from '../core/state.ts'

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
