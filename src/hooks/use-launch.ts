import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { Session } from '../core/session.ts'
import { type ErrorFacts, errorFacts } from '../core/steps/observation.ts'
import { type NetworkChoice, type SetupDraft, useLauncher } from './launcher.tsx'
import { useShell } from './shell.tsx'

/** Where the program stands before and around the seven steps. */
type LaunchState =
  | { phase: 'choose'; error: string | undefined }
  | {
      phase: 'form'
      choice: NetworkChoice
      draft: SetupDraft
      values: Readonly<Record<string, string>>
      error: string | undefined
    }
  | { phase: 'opening'; sinceMs: number; words: string }
  | { phase: 'running'; session: Session }
  | { phase: 'failed'; error: ErrorFacts; choice: NetworkChoice }

export type Launch = {
  state: LaunchState
  choose(choice: NetworkChoice): void
  submit(field: string, text: string): void
  proceed(): void
  back(): void
}

const START: LaunchState = { phase: 'choose', error: undefined }

/** Leads from the choice of a network to a running session. */
export function useLaunch(): Launch {
  const launcher = useLauncher()
  const { clock } = useShell()
  const [state, set] = useReducer((_: LaunchState, next: LaunchState) => next, START)
  const abort = useRef<AbortController | undefined>(undefined)

  const opening = useCallback(
    (choice: NetworkChoice, words: string, open: (signal: AbortSignal) => Promise<Session>) => {
      abort.current = new AbortController()
      const { signal } = abort.current
      set({ phase: 'opening', sinceMs: clock.monotonicMs(), words })
      open(signal).then(
        (session) => {
          set({ phase: 'running', session })
          void session.start()
        },
        (thrown: unknown) =>
          set(signal.aborted ? START : { phase: 'failed', error: errorFacts(thrown), choice }),
      )
    },
    [clock],
  )

  const choose = useCallback(
    (choice: NetworkChoice) => {
      if (choice.kind === 'network' && choice.id === 'rehearsal') {
        opening(choice, 'for the rehearsal network to start', (signal) => launcher.openRehearsal(signal))
        return
      }
      launcher.draft(choice).then(
        (draft) => set({ phase: 'form', choice, draft, values: {}, error: undefined }),
        (thrown: unknown) => set({ phase: 'choose', error: errorFacts(thrown).shortMessage }),
      )
    },
    [launcher, opening],
  )

  const { initial } = launcher
  useEffect(() => {
    if (initial !== undefined) choose(initial)
  }, [initial, choose])

  return {
    state,
    choose,
    submit(field, text) {
      if (state.phase !== 'form') return
      const error = launcher.check(field, text.trim())
      set({
        ...state,
        error,
        values: error === undefined ? { ...state.values, [field]: text.trim() } : state.values,
      })
    },
    proceed() {
      if (state.phase !== 'form') return
      const { choice, values } = state
      opening(choice, 'for the endpoints', () => launcher.open(choice, values))
    },
    back() {
      abort.current?.abort()
      set(START)
    },
  }
}
