import type { TextEdit } from '../../base/format/edit-text.ts'
import type { FieldState } from '../../view/early-view.ts'
import type { ErrorFacts } from '../../view/observation.ts'
import type { Session } from '../session.ts'
import type { FormChoice, List, NetworkChoice, OpeningWords, SetupDraft, UnderWay } from './choice.ts'
import type { FormCommand, FormEvent, FormState } from './form.ts'

/** Where somebody is on the screens before the steps: what is chosen, typed and read there. */
export type LaunchPosition = {
  list: List
  /** The entry that has the cursor: the first one until another one is chosen, since entries may come before it. */
  chosen: string | undefined
  /** The path of a network file, while it is asked for. */
  file: FieldState | undefined
  /** What is read in the place of the screen, until a key closes it. */
  panel: 'explain' | 'command' | undefined
}

/** Returns where the first screen begins: for a named validator, at the choice of its network. */
export const placeAtFirst = (validator: string | undefined): LaunchPosition => ({
  list: validator === undefined ? 'begin' : 'validator',
  chosen: undefined,
  file: undefined,
  panel: undefined,
})

/** What a session is opened from: the form that stays for the way back, where there was one. */
export type From = { choice: NetworkChoice; form: FormState | undefined }

export type Screen =
  | { phase: 'choose'; error: string | undefined }
  | FormState
  | { phase: 'opening'; sinceMs: number; words: OpeningWords }
  | ({ phase: 'running'; session: Session } & From)
  | ({ phase: 'failed'; error: ErrorFacts } & From)

/** Where the program stands before and around the seven steps. */
export type LaunchState = {
  screen: Screen
  /** Where somebody is on it, which stays for the way back. */
  place: LaunchPosition
  /** A registered validator that was named before its network. */
  validator: string | undefined
  /** What was found in the state directory; undefined until it was looked at. */
  underWay: readonly UnderWay[] | undefined
  /** Number of the last question whose answer may be shown. */
  latest: number
  /** What waits for the answer to that question. */
  pending: Pending | undefined
  /** A session that was left is still ending: the next one is not opened before. */
  ending: boolean
  /** The last form, for whoever comes back to the same choice. */
  kept: FormState | undefined
  left: boolean
}

export type Pending =
  | { of: 'list'; initial: FormChoice }
  | { of: 'draft'; choice: FormChoice; values?: Readonly<Record<string, string>> }
  | ({ of: 'session' } & From)
  /** The form to be shown once the session that was left has ended; else the first screen. */
  | { of: 'end'; form: FormState | undefined }

/** `atMs` is the moment on our own clock. */
export type LaunchEvent =
  | { type: 'begun'; initial: NetworkChoice | undefined; atMs: number }
  /** `error`: why it isn't known what is under way. */
  | { type: 'listed'; rows: readonly UnderWay[]; atMs: number; error?: ErrorFacts }
  | { type: 'chosen'; choice: NetworkChoice; atMs: number }
  | { type: 'continued'; row: UnderWay; atMs: number }
  | { type: 'drafted'; id: number; draft: SetupDraft; atMs: number }
  | { type: 'opened'; id: number; session: Session }
  /** Drafting or opening failed. */
  | { type: 'failed'; id: number; error: ErrorFacts }
  | { type: 'form'; event: FormEvent; form?: number }
  /** Somebody goes somewhere: to another list or entry, to or from the path of a file or what is read. */
  | { type: 'place'; to: Partial<LaunchPosition> }
  /** The field with the cursor, wherever it is. */
  | { type: 'edited'; edit: TextEdit }
  /** The path of a network file is what stands in its field. */
  | { type: 'entered'; atMs: number }
  | { type: 'proceeded'; atMs: number }
  | { type: 'retried'; atMs: number }
  | { type: 'back'; atMs: number }
  /** The node of the running rehearsal is to have another key. */
  | { type: 'newKeyWished'; atMs: number }
  | { type: 'ended'; atMs: number }
  | { type: 'left' }

type WithoutTime<E> = E extends { atMs: number } ? Omit<E, 'atMs'> : E

/** What somebody does before the steps: the events of keys and fields. When it is done is added where it is heard. */
export type LaunchSay = WithoutTime<
  Exclude<LaunchEvent, { type: 'begun' | 'listed' | 'drafted' | 'opened' | 'failed' | 'ended' | 'left' }>
>

export type LaunchCommand =
  | FormCommand
  | { type: 'list'; rehearsals: boolean }
  | { type: 'draft'; id: number; choice: FormChoice }
  | { type: 'open'; id: number; choice: NetworkChoice; values: Readonly<Record<string, string>> }
  /** Gives up what was asked for under the number. */
  | { type: 'giveUp'; id: number }
  | { type: 'start'; session: Session }
  /** Ends the session that was shown, and tells when it has ended. */
  | { type: 'end'; session: Session }
  /** Ends a session that came too late to be shown. */
  | { type: 'close'; session: Session }

export type LaunchResult = readonly [LaunchState, readonly LaunchCommand[]]

const START: Screen = { phase: 'choose', error: undefined }

/** Returns the state before any event, for a validator where one was named. */
export const launchAtFirst = (validator?: string): LaunchState => ({
  screen: START,
  place: placeAtFirst(validator),
  validator,
  underWay: undefined,
  latest: 0,
  pending: undefined,
  ending: false,
  kept: undefined,
  left: false,
})
