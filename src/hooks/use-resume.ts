import { useMemo, useState } from 'react'
import { type ResumeView, resumeViewOf } from './resume-view.ts'
import { useSession } from './shell.tsx'

type ResumeHook = { view: ResumeView; proceed(): void }

/** The way back into an unfinished registration; undefined when there is none or it was taken already. */
export function useResume(): ResumeHook | undefined {
  const { session, state } = useSession()
  const [taken, take] = useState(false)
  return useMemo(() => {
    const view = taken ? undefined : resumeViewOf(state, session)
    if (view === undefined) return undefined
    return {
      view,
      proceed() {
        take(true)
        void session.dispatch({ step: 'session', type: 'went', to: view.step })
      },
    }
  }, [taken, session, state])
}
