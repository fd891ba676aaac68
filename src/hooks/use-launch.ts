import { type RefObject, useCallback, useEffect, useReducer, useRef } from 'react'
import type { Session } from '../core/session.ts'
import { type ErrorFacts, errorFacts } from '../core/steps/observation.ts'
import { type FormChoice, type NetworkChoice, type SetupDraft, useLauncher } from './launcher.tsx'
import { useShell } from './shell.tsx'

type Form = {
  phase: 'form'
  choice: FormChoice
  draft: SetupDraft
  /** Accepted texts, by field. */
  values: Readonly<Record<string, string>>
  /** The last accepted text of every field, also of those gone back to. */
  typed: Readonly<Record<string, string>>
  error: string | undefined
}

/** Where the program stands before and around the seven steps. */
type LaunchState =
  | { phase: 'choose'; error: string | undefined }
  | Form
  | { phase: 'opening'; sinceMs: number; words: string }
  | { phase: 'running'; session: Session; form: Form | undefined }
  | { phase: 'failed'; error: ErrorFacts; choice: NetworkChoice; form: Form | undefined }

/** What a session is opened from: the form that stays for the way back, where there was one. */
type From = { choice: NetworkChoice; form: Form | undefined }

export type Launch = {
  state: LaunchState
  choose(choice: NetworkChoice): void
  submit(field: string, text: string): void
  proceed(): void
  /** One field or screen back; from the steps and from a failure to the form, with the texts it had. */
  back(): void
}

const HOME_FIELD = 'homePath'
const START: LaunchState = { phase: 'choose', error: undefined }

/** The state that is told, or that follows from the one at that moment. */
function follow(now: LaunchState, next: LaunchState | ((now: LaunchState) => LaunchState)): LaunchState {
  return typeof next === 'function' ? next(now) : next
}

/** Gives up what was being loaded or opened before; what it still brings is closed and not shown. */
function anew(abort: RefObject<AbortController | undefined>): AbortSignal {
  abort.current?.abort()
  abort.current = new AbortController()
  return abort.current.signal
}

/**
 * Leads from the choice of a network to a running session. Going back, choosing again and leaving the program give up
 * what is being opened: its screen never comes, and a session that was made for it is stopped. From the steps the way
 * leads back to the form once the session has ended; another one begins from the journal, as after a restart.
 */
export function useLaunch(): Launch {
  const launcher = useLauncher()
  const { clock } = useShell()
  const [state, set] = useReducer(follow, START)
  const abort = useRef<AbortController | undefined>(undefined)
  const ended = useRef<Promise<void> | undefined>(undefined)

  const opening = useCallback(
    (from: From, words: string, open: (signal: AbortSignal) => Promise<Session>) => {
      const { choice, form } = from
      const signal = anew(abort)
      set({ phase: 'opening', sinceMs: clock.monotonicMs(), words })
      const afterLast = ended.current?.then(() => {
        signal.throwIfAborted()
        return open(signal)
      })
      const opened = afterLast ?? open(signal)
      opened.then(
        (session) => {
          if (signal.aborted) {
            void session.stop()
            return
          }
          set({ phase: 'running', session, form })
          void session.start()
        },
        (thrown: unknown) => {
          if (!signal.aborted) set({ phase: 'failed', error: errorFacts(thrown), choice, form })
        },
      )
    },
    [clock],
  )

  const choose = useCallback(
    (choice: NetworkChoice) => {
      if (choice.kind === 'devnet' || isOwnRehearsal(choice)) {
        const { descriptor, validator } = choice.kind === 'devnet' ? choice : NOTHING_NAMED
        const from = { choice, form: undefined }
        const words = `for the rehearsal network to ${descriptor === undefined ? 'start' : 'answer'}`
        opening(from, words, (signal) => launcher.openRehearsal(signal, { descriptor, validator }))
        return
      }
      const signal = anew(abort)
      launcher.draft(choice).then(
        (draft) => {
          if (signal.aborted) return
          set({ phase: 'form', choice, draft, values: {}, typed: {}, error: undefined })
        },
        (thrown: unknown) => {
          if (!signal.aborted) set({ phase: 'choose', error: errorFacts(thrown).shortMessage })
        },
      )
    },
    [launcher, opening],
  )

  /** What the home names is proposed for the fields that are still to come; a home that cannot be read names nothing. */
  const proposeFromHome = (choice: FormChoice, homePath: string): void => {
    const signal = anew(abort)
    launcher.draft(choice, homePath).then(
      (draft) => {
        if (!signal.aborted) set((now) => (now.phase === 'form' ? { ...now, draft } : now))
      },
      () => undefined,
    )
  }

  const { initial } = launcher
  useEffect(() => {
    if (initial !== undefined) choose(initial)
  }, [initial, choose])
  useEffect(() => () => abort.current?.abort(), [])

  return {
    state,
    choose,
    submit(field, text) {
      if (state.phase !== 'form') return
      const accepted = { [field]: text.trim() }
      const error = launcher.check(field, text.trim(), state.values)
      if (error !== undefined) {
        set({ ...state, error })
        return
      }
      const { choice, values, typed } = state
      set({ ...state, error, values: { ...values, ...accepted }, typed: { ...typed, ...accepted } })
      if (field === HOME_FIELD) proposeFromHome(choice, text.trim())
    },
    proceed() {
      if (state.phase !== 'form') return
      const { choice, values } = state
      opening({ choice, form: state }, 'for the endpoints', (signal) => launcher.open(choice, values, signal))
    },
    back() {
      const signal = anew(abort)
      if (state.phase === 'running') {
        const { session, form = START } = state
        set({ phase: 'opening', sinceMs: clock.monotonicMs(), words: 'for the open questions to end' })
        ended.current = session
          .stop()
          .catch(() => undefined)
          .then(() => {
            if (!signal.aborted) set(form)
          })
        return
      }
      set(before(state))
    },
  }
}

const NOTHING_NAMED = { descriptor: undefined, validator: undefined }

/** Whether the rehearsal network of this program is meant, without a validator that a form would ask for. */
function isOwnRehearsal(choice: FormChoice): boolean {
  return choice.kind === 'network' && choice.id === 'rehearsal' && choice.validator === undefined
}

/** Where the way back leads from anywhere but the steps. */
function before(state: LaunchState): LaunchState {
  if (state.phase === 'form') return oneFieldBack(state)
  return state.phase === 'failed' && state.form !== undefined ? state.form : START
}

/** The form with its last accepted field open again; before the first one, the choice of a network. */
function oneFieldBack(form: Form): LaunchState {
  const last = form.draft.fields.findLast(({ id }) => form.values[id] !== undefined)
  if (last === undefined) return START
  const { [last.id]: _, ...values } = form.values
  return { ...form, values, error: undefined }
}
