import { freshText, wipedText } from '../../base/format/edit-text.ts'
import type { ErrorFacts } from '../../view/observation.ts'
import {
  isRehearsal,
  isSame,
  type NetworkChoice,
  openingWords,
  rehearsalOf,
  type UnderWay,
} from './choice.ts'
import {
  type Check,
  editField,
  type FormState,
  formQuestions,
  formTransition,
  formValues,
  isReady,
  leftForm,
  openForm,
} from './form.ts'
import {
  type From,
  type LaunchCommand,
  type LaunchEvent,
  type LaunchPosition,
  type LaunchResult,
  type LaunchState,
  type Pending,
  placeAtFirst,
  type Screen,
} from './state.ts'
import { LAUNCH_TEXT } from './text.ts'

/**
 * Leads from the choice of a network to a running session. Going back, choosing again and leaving the program give up
 * what is being opened: its screen never comes, and a session that was made for it is closed. From the steps the way
 * leads back to the form once the session has ended; another one begins from the journal, as after a restart.
 */
export function launchTransition(state: LaunchState, event: LaunchEvent, check: Check): LaunchResult {
  const [next, commands] = after(state, event, check)
  if (next.screen.phase === state.screen.phase) return [next, commands]
  // What is read is of one screen.
  return [{ ...next, place: { ...next.place, panel: undefined } }, commands]
}

function after(state: LaunchState, event: LaunchEvent, check: Check): LaunchResult {
  if (state.left) return [state, event.type === 'opened' ? [{ type: 'close', session: event.session }] : []]
  switch (event.type) {
    case 'begun':
      return begun(state, event)
    case 'listed':
      return listed({ ...withFault(state, event.error), underWay: event.rows }, event)
    case 'chosen':
      return isRunning(state) ? [state, []] : chosen(state, meant(state, event.choice), event.atMs)
    case 'continued':
      return isRunning(state) ? [state, []] : continued(state, event.row, event.atMs)
    case 'drafted':
      return drafted(state, event, check)
    case 'opened':
      return opened(state, event)
    case 'failed':
      return failed(state, event)
    case 'form':
      return inForm(state, event, check)
    case 'place':
      return [placed(state, event.to), []]
    case 'edited': {
      const { screen, place } = state
      if (screen.phase === 'form') return inForm(state, { type: 'form', event }, check)
      if (place.file === undefined) return [state, []]
      return [{ ...state, place: { ...place, file: editField(place.file, event.edit) } }, []]
    }
    case 'entered':
      return entered(state, event.atMs)
    case 'proceeded':
      return proceeded(state, event.atMs)
    case 'retried':
      return retried(state, event.atMs)
    case 'back':
      return back(state, event.atMs)
    case 'newKeyWished':
      return newKeyWished(state, event.atMs)
    case 'ended':
      return ended(state)
    case 'left': {
      const [gone, commands] = givenUp(state)
      return [{ ...gone, left: true }, commands]
    }
  }
}

/** A session that runs is left on the way back, and in no other way. */
const isRunning = ({ screen }: LaunchState): boolean => screen.phase === 'running'

/** A choice of the command line goes straight to the one thing that is under way on it, where there is one. */
function begun(state: LaunchState, { initial, atMs }: Extract<LaunchEvent, { type: 'begun' }>): LaunchResult {
  if (initial === undefined) return [state, [{ type: 'list', rehearsals: true }]]
  if (isRehearsal(initial) || initial.validator !== undefined) return chosen(state, initial, atMs)
  const screen: Screen = { phase: 'opening', sinceMs: atMs, words: 'list' }
  return [{ ...state, screen, pending: { of: 'list', initial } }, [{ type: 'list', rehearsals: false }]]
}

/** Says on the list why it isn't known what is under way: it's not that nothing is. */
function withFault(state: LaunchState, error: ErrorFacts | undefined): LaunchState {
  return error === undefined || state.screen.phase !== 'choose'
    ? state
    : { ...state, screen: { phase: 'choose', error: LAUNCH_TEXT.notListed(error) } }
}

function listed(state: LaunchState, { atMs }: Extract<LaunchEvent, { type: 'listed' }>): LaunchResult {
  if (state.pending?.of !== 'list') return [state, []]
  const { initial } = state.pending
  const [only, ...more] = (state.underWay ?? []).filter((row) => isSame(row.choice, initial))
  if (only === undefined || more.length > 0 || only.trouble) return chosen(state, initial, atMs)
  return continued(state, only, atMs)
}

function chosen(state: LaunchState, choice: NetworkChoice, atMs: number): LaunchResult {
  if (isRehearsal(choice)) return opening(state, { choice: rehearsalOf(choice), form: undefined }, atMs)
  const { kept } = state
  if (kept !== undefined && isSame(kept.choice, choice) && kept.choice.validator === choice.validator) {
    return toForm(state, kept)
  }
  // Its network starts before its form is there.
  return drafting(state, { of: 'draft', choice }, choice.kind === 'as-on-mainnet' ? atMs : undefined)
}

/** A network of the list for a registered validator is chosen for that one, if one was named. */
function meant({ screen, place, validator = '' }: LaunchState, choice: NetworkChoice): NetworkChoice {
  return screen.phase === 'choose' && place.list === 'validator' ? { ...choice, validator } : choice
}

/** Why the last file was not taken is said until its field is left. */
function placed(state: LaunchState, to: Partial<LaunchPosition>): LaunchState {
  const next = { ...state, place: { ...state.place, ...to } }
  if (!('file' in to) || next.screen.phase !== 'choose') return next
  return { ...next, screen: { phase: 'choose', error: undefined } }
}

/** A path is a choice as soon as it is one: not while it is empty, or may be a secret, which is wiped. */
function entered(state: LaunchState, atMs: number): LaunchResult {
  const { screen, place } = state
  if (screen.phase !== 'choose' || place.file === undefined) return [state, []]
  const path = place.file.text.trim()
  const secret = wipedText(path)
  if (path !== '' && secret === undefined) return chosen(state, meant(state, { kind: 'file', path }), atMs)
  const { wiped = LAUNCH_TEXT.file.empty, ...empty } = secret ?? freshText('')
  const file = { ...empty, accepted: false, fault: { text: '', words: wiped } }
  return [{ ...state, place: { ...place, file } }, []]
}

function continued(state: LaunchState, { choice, values }: UnderWay, atMs: number): LaunchResult {
  if (isRehearsal(choice)) return opening(state, { choice: rehearsalOf(choice), form: undefined }, atMs)
  const remembered = values === undefined ? {} : { values }
  return drafting(state, { of: 'draft', choice, ...remembered }, atMs)
}

type Drafting = Extract<Pending, { of: 'draft' }>

/** Asks for a form; `sinceMs`: from when on the wait for it is shown, else the screen stays. */
function drafting(state: LaunchState, pending: Drafting, sinceMs?: number): LaunchResult {
  const [next, commands] = givenUp(state)
  const id = next.latest
  // What was wrong with the choice before is about that one.
  const stays: Screen = state.screen.phase === 'choose' ? { phase: 'choose', error: undefined } : state.screen
  const words = pending.choice.kind === 'as-on-mainnet' ? 'rehearsal-start' : 'addresses'
  const screen: Screen = sinceMs === undefined ? stays : { phase: 'opening', sinceMs, words }
  return [{ ...next, screen, pending }, [...commands, { type: 'draft', id, choice: pending.choice }]]
}

/** What the home names, or a form that comes after something else was chosen, changes nothing that is shown. */
function drafted(
  state: LaunchState,
  event: Extract<LaunchEvent, { type: 'drafted' }>,
  check: Check,
): LaunchResult {
  const { id, draft, atMs } = event
  if (id !== state.latest || state.pending?.of !== 'draft') return [state, []]
  const { choice, values } = state.pending
  const [form, commands] = openForm({ id, choice, draft, ...(values === undefined ? {} : { values }) }, check)
  const shown: LaunchState = { ...state, screen: form, pending: undefined, kept: form }
  if (values === undefined || !isReady(form)) return [shown, commands]
  return opening(shown, { choice: form.choice, form }, atMs)
}

function opened(state: LaunchState, { id, session }: Extract<LaunchEvent, { type: 'opened' }>): LaunchResult {
  if (id !== state.latest || state.pending?.of !== 'session') return [state, [{ type: 'close', session }]]
  const { choice, form } = state.pending
  const screen: Screen = { phase: 'running', session, choice, form }
  return [{ ...state, screen, pending: undefined }, [{ type: 'start', session }]]
}

function failed(state: LaunchState, { id, error }: Extract<LaunchEvent, { type: 'failed' }>): LaunchResult {
  const { pending } = state
  if (id !== state.latest || pending === undefined) return [state, []]
  const rest = { ...state, pending: undefined }
  if (pending.of === 'draft') {
    // A file is named: several may have been given.
    const path = error.code.startsWith('file.') ? error.details.slice(0, 1) : []
    return toChoice(rest, [error.shortMessage, ...path].join(' '))
  }
  if (pending.of !== 'session') return [state, []]
  const { choice, form } = pending
  return [{ ...rest, screen: { phase: 'failed', error, choice, form } }, []]
}

function inForm(
  state: LaunchState,
  { event, form: id }: Extract<LaunchEvent, { type: 'form' }>,
  check: Check,
): LaunchResult {
  const { screen } = state
  if (screen.phase !== 'form' || (id !== undefined && id !== screen.id)) return [state, []]
  const [form, commands] = formTransition(screen, event, check)
  return [{ ...state, screen: form, kept: form }, commands]
}

function proceeded(state: LaunchState, atMs: number): LaunchResult {
  const { screen } = state
  if (screen.phase !== 'form' || !isReady(screen)) return [state, []]
  return opening(state, { choice: screen.choice, form: screen }, atMs)
}

function retried(state: LaunchState, atMs: number): LaunchResult {
  const { screen } = state
  return screen.phase === 'failed' ? opening(state, screen, atMs) : [state, []]
}

/** Opens a session, as soon as the one before has ended. */
function opening(state: LaunchState, { choice, form }: From, atMs: number): LaunchResult {
  const [next, commands] = givenUp(state)
  const screen: Screen = { phase: 'opening', sinceMs: atMs, words: openingWords(choice) }
  const pending: Pending = { of: 'session', choice, form }
  const asked = next.ending ? [] : [openCommand(next.latest, { choice, form })]
  return [{ ...next, screen, pending }, [...commands, ...asked]]
}

const openCommand = (id: number, { choice, form }: From): LaunchCommand => ({
  type: 'open',
  id,
  choice,
  values: form === undefined ? {} : formValues(form),
})

/** From the steps, once their session has ended, and from a failure to the form; else to the choice of a network. */
function back(state: LaunchState, atMs: number): LaunchResult {
  const { screen } = state
  if (screen.phase === 'running') {
    const { session, form } = screen
    const waiting: Screen = { phase: 'opening', sinceMs: atMs, words: 'end' }
    const pending: Pending = { of: 'end', form }
    return [{ ...state, screen: waiting, pending, ending: true }, [{ type: 'end', session }]]
  }
  if (screen.phase === 'failed' && screen.form !== undefined) return toForm(state, screen.form)
  const [next, commands] = givenUp(state)
  const kept = screen.phase === 'form' ? { kept: leftForm(screen) } : {}
  const [start, more] = toChoice({ ...next, ...kept }, undefined)
  return [start, [...commands, ...more]]
}

/** The session ends, the node gets its key, and another session begins with that one. */
function newKeyWished(state: LaunchState, atMs: number): LaunchResult {
  const session = state.screen.phase === 'running' ? state.screen.session : undefined
  if (session?.setup.wishes === undefined) return [state, []]
  const choice: NetworkChoice = { kind: 'rehearsal', which: session.setup.wishes.which, newKey: true }
  const [next, commands] = opening({ ...state, ending: true }, { choice, form: undefined }, atMs)
  return [next, [...commands, { type: 'end', session }]]
}

function ended(state: LaunchState): LaunchResult {
  const { pending, latest } = state
  const next = { ...state, ending: false }
  if (pending?.of === 'session') return [next, [openCommand(latest, pending)]]
  if (pending?.of !== 'end') return [next, next.screen.phase === 'choose' ? [LIST] : []]
  // What was just left is on top of the first list.
  const place = placeAtFirst(state.validator)
  if (pending.form === undefined) return toChoice({ ...next, place, pending: undefined }, undefined)
  return toForm(next, pending.form)
}

const LIST: LaunchCommand = { type: 'list', rehearsals: true }

/** The first screen, with what is under way by now. */
function toChoice(state: LaunchState, error: string | undefined): LaunchResult {
  return [{ ...state, screen: { phase: 'choose', error } }, [LIST]]
}

/** A form that was left, as it was. */
function toForm(state: LaunchState, form: FormState): LaunchResult {
  const [next, commands] = givenUp(state)
  return [{ ...next, screen: form }, [...commands, ...formQuestions(form)]]
}

/** Gives up what is being loaded or opened; whatever it still brings has an older number. */
function givenUp(state: LaunchState): LaunchResult {
  const { pending, latest } = state
  const asked = pending?.of === 'draft' || pending?.of === 'session'
  const next = { ...state, latest: latest + 1, pending: undefined }
  return [next, asked ? [{ type: 'giveUp', id: latest }] : []]
}
