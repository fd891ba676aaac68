import { editText, freshText, type TextEdit, wipedText } from '../../base/format/edit-text.ts'
import type { FieldState, SetupField } from '../../view/early-view.ts'
import type { BeforeForm, FormChoice, SetupDraft } from './choice.ts'
import { askedBefore, type PlacesSeen, placesAtFirst } from './places.ts'

/** The form before a session: every field can be gone to at any time, and keeps its text. */
export type FormState = {
  phase: 'form'
  /** Answers that were asked for by another form are not for this one. */
  id: number
  choice: FormChoice
  draft: SetupDraft
  fields: Readonly<Record<string, FieldState>>
  /** The field with the cursor; none where everything is accepted. */
  at: string | undefined
  /** What is still to be read first. */
  before?: BeforeForm
  /** What is known of the places, where the form tells it; `isTyped`: by the addresses that stand in it. */
  places?: PlacesSeen
  isTyped?: true
}

/** Why a text is not accepted beside the others, or undefined when it is. */
export type Check = (
  field: string,
  text: string,
  values: Readonly<Record<string, string>>,
) => string | undefined

/** Why what is at a path is not taken, else what it is; `doubt` where it may be another thing than was meant. */
export type PathNotes = { fault?: string; note?: string; doubt?: boolean }

export type FormEvent =
  | { type: 'edited'; edit: TextEdit }
  /** Enter: on to what is still open. `next` and `before` go one field, whatever is open. */
  | { type: 'moved'; to: 'open' | 'next' | 'before' }
  | { type: 'tabbed' }
  | ({ type: 'looked'; field: string; text: string } & PathNotes)
  | { type: 'completed'; field: string; text: string; to: string; names: readonly string[] }
  | { type: 'proposed'; draft: SetupDraft }
  | { type: 'placed'; places: PlacesSeen }
  /** Asked for by the user, of the addresses that stand in the form. */
  | { type: 'priceAsked' }
  | { type: 'beforeRead' }

export type FormCommand =
  | { type: 'look' | 'complete'; form: number; field: string; text: string; kind: 'folder' | 'file' }
  | { type: 'propose'; form: number; choice: FormChoice; homePath: string }
  | { type: 'price'; form: number; choice: FormChoice; endpoints?: PriceEndpoints }

/** Who tells what a place costs. */
export type PriceEndpoints = { execution: string; node: string }

type Result = readonly [FormState, readonly FormCommand[]]

const HOME_FIELD = 'homePath'

/**
 * Opens the form of a draft. With `values`, or where all of it is remembered, every field is accepted and none has the
 * cursor; else it begins with the proposals at the first field.
 */
export function openForm(
  given: { id: number; choice: FormChoice; draft: SetupDraft; values?: Readonly<Record<string, string>> },
  check: Check,
): Result {
  const { id, draft, values } = given
  const { before, choice = given.choice } = draft
  const accepted = values !== undefined || draft.remembered === true
  const fields = Object.fromEntries(
    draft.fields.map((field) => [
      field.id,
      { ...freshText(values?.[field.id] ?? proposalOf(field)), accepted },
    ]),
  )
  const at = draft.fields[0]?.id
  const first = { ...(before === undefined ? {} : { before }), ...placesAtFirst(draft) }
  const form: FormState = { phase: 'form', id, choice, draft, fields, at, ...first }
  if (!accepted) return [form, formQuestions(form)]
  const checked = recheck(form, check)
  return [{ ...checked, at: firstOpen(checked) }, formQuestions(checked)]
}

const priceOf = ({ id, choice }: FormState) => ({ type: 'price', form: id, choice }) as const

/** What is asked for a form that is shown, or shown again: its paths, and what a place costs, may have changed. */
export const formQuestions = (form: FormState): FormCommand[] => [
  ...form.draft.fields.flatMap(({ id }) => (form.fields[id]?.accepted === true ? looks(form, id) : [])),
  ...(form.draft.places === 'asked' ? [priceOf(form)] : []),
]

/** Whether every field is accepted, so that Enter continues. */
export const isReady = (form: FormState): boolean => form.at === undefined && firstOpen(form) === undefined

/** Returns the form after an event; what was found out about a text is kept only while the text stays. */
export function formTransition(form: FormState, event: FormEvent, check: Check): Result {
  switch (event.type) {
    case 'edited':
      return [withField(form, form.at, (field) => editField(field, event.edit)), []]
    case 'moved':
      return moved(form, event.to, check)
    case 'tabbed':
      return tabbed(form, check)
    case 'looked':
      return [looked(form, event), []]
    case 'completed':
      return completed(form, event, check)
    case 'proposed':
      return [proposed(form, event.draft), []]
    case 'placed':
      return [{ ...form, places: event.places }, []]
    case 'priceAsked':
      return priceAsked(form, check)
    case 'beforeRead':
      return [withoutBefore(form), []]
  }
}

const PRICE_FIELDS = ['execution', 'node'] as const

/** What a place costs is asked of the two addresses that stand there; one that cannot be asked has the cursor next. */
function priceAsked(form: FormState, check: Check): Result {
  if (form.places === undefined) return [form, []]
  const { execution = '', node = '', ...others } = formValues(form)
  const values = { ...others, execution, node }
  const faulty = PRICE_FIELDS.find((id) => check(id, values[id], values) !== undefined)
  if (faulty !== undefined) return [recheck(accept({ ...form, at: faulty }, faulty), check), []]
  const asking: FormState = { ...form, places: { is: 'asking' }, isTyped: true }
  return [asking, [{ ...priceOf(form), endpoints: { execution, node } }]]
}

function withoutBefore(form: FormState): FormState {
  const { before: _, ...rest } = form
  return rest
}

function moved(form: FormState, to: 'open' | 'next' | 'before', check: Check): Result {
  const ids = form.draft.fields.map(({ id }) => id)
  if (form.at === undefined) return [{ ...form, at: to === 'before' ? ids.at(-1) : ids[0] }, []]
  const left = form.fields[form.at]
  const wiped = wipedField(form)
  if (wiped !== undefined) return [wiped, []]
  const untouched = to === 'before' && left?.fresh === true && !left.accepted
  const after = untouched ? form : recheck(accept(form, form.at), check)
  const commands = untouched || left === undefined ? [] : asked(form, after, form.at)
  const place = ids.indexOf(form.at)
  if (to === 'before') return [{ ...after, at: ids[Math.max(0, place - 1)] }, commands]
  if (to === 'next') return [{ ...after, at: ids[place + 1] ?? firstOpen(after) }, commands]
  if (after.fields[form.at]?.fault !== undefined) return [after, []]
  return [{ ...after, at: firstOpen(after, place + 1) ?? firstOpen(after) }, commands]
}

/** What has to be looked at or asked now that the field was left with its text. */
function asked(before: FormState, after: FormState, id: string): FormCommand[] {
  const text = after.fields[id]?.text ?? ''
  const same = before.fields[id]?.accepted === true && before.fields[id]?.text === text
  if (after.fields[id]?.fault !== undefined) return []
  if (id !== HOME_FIELD || same) return looks(after, id)
  return [...looks(after, id), { type: 'propose', form: after.id, choice: after.choice, homePath: text }]
}

function looks(form: FormState, id: string): FormCommand[] {
  const kind = form.draft.fields.find((field) => field.id === id)?.path
  const text = form.fields[id]?.text ?? ''
  return kind === undefined || text === '' ? [] : [{ type: 'look', form: form.id, field: id, text, kind }]
}

/** Takes the next of the paths that were found, has a path completed, or goes on where there is nothing to complete. */
function tabbed(form: FormState, check: Check): Result {
  const { at } = form
  const wiped = wipedField(form)
  if (wiped !== undefined) return [wiped, []]
  const field = form.draft.fields.find(({ id }) => id === at)
  const state = at === undefined ? undefined : form.fields[at]
  if (field?.path === undefined || state === undefined) return moved(form, 'next', check)
  const found = field.found ?? []
  const place = found.indexOf(state.text)
  if (found.length > 0 && (state.text === '' || place !== -1)) {
    const next = found[(place + 1) % found.length] ?? ''
    if (next === state.text) return moved(form, 'next', check)
    return [withField(form, at, () => ({ ...freshText(next), accepted: false })), []]
  }
  return [form, [{ type: 'complete', form: form.id, field: field.id, text: state.text, kind: field.path }]]
}

/** A path that was completed; what cannot go on any further is shown as it is, with how it may go on. */
function completed(form: FormState, event: Extract<FormEvent, { type: 'completed' }>, check: Check): Result {
  const { field, text, to, names } = event
  const state = form.fields[field]
  if (form.at !== field || state?.text !== text) return [form, []]
  if (to === text && names.length === 0) return moved(form, 'next', check)
  const choices = names.length === 0 ? {} : { choices: { text: to, names } }
  const whole = { ...freshText(to), fresh: false, accepted: false, ...choices }
  return [withField(form, field, () => whole), []]
}

function looked(form: FormState, event: Extract<FormEvent, { type: 'looked' }>): FormState {
  const { field, text, fault, note, doubt = false } = event
  if (form.fields[field]?.text !== text) return form
  const after = withField(form, field, ({ cursor, fresh, accepted }) => ({
    text,
    cursor,
    fresh,
    accepted: accepted && fault === undefined,
    ...(fault === undefined ? {} : { fault: { text, words: fault, looked: true as const } }),
    ...(note === undefined ? {} : { note: { text, words: note, doubt } }),
  }))
  return fault !== undefined && form.at === undefined ? { ...after, at: field } : after
}

/** New proposals where the one before still stands and was not accepted; every other text stays. */
function proposed(form: FormState, draft: SetupDraft): FormState {
  const before = new Map(form.draft.fields.map((field) => [field.id, proposalOf(field)]))
  const fields = draft.fields.map((field) => {
    const state = form.fields[field.id]
    const wasLeft = state?.accepted === true || state?.fault !== undefined
    const stays = state !== undefined && (wasLeft || state.text !== before.get(field.id))
    return [field.id, stays ? state : { ...freshText(proposalOf(field)), accepted: false }] as const
  })
  return { ...form, draft: { ...draft, ...askedBefore(form.draft) }, fields: Object.fromEntries(fields) }
}

/** Returns a form that the user left: typed texts stay, unless they may be secret. */
export const leftForm = (form: FormState): FormState => wipedField(form) ?? form

/** Returns the texts of the fields without surrounding blanks. */
export function formValues({ draft, fields }: FormState): Record<string, string> {
  return Object.fromEntries(draft.fields.map(({ id }) => [id, fields[id]?.text.trim() ?? '']))
}

/** Returns the form with the text of a field accepted as it stands. */
function accept(form: FormState, id: string): FormState {
  return withField(form, id, ({ text, note }) => {
    const whole = { ...freshText(text.trim()), accepted: true }
    return note === undefined ? whole : { ...whole, note }
  })
}

/** Every text that was judged, beside the others as they are now. */
function recheck(form: FormState, check: Check): FormState {
  const values = formValues(form)
  const fields = Object.entries(form.fields).map(([id, field]) => {
    const { fault: before, ...rest } = field
    const isJudged = field.accepted || (before?.text === field.text && before.looked !== true)
    const words = isJudged ? check(id, values[id] ?? '', values) : undefined
    if (words !== undefined)
      return [id, { ...rest, accepted: false, fault: { text: field.text, words } }] as const
    // What was wrong beside another text of before is right beside the one that is there now.
    return [id, isJudged ? rest : field] as const
  })
  return { ...form, fields: Object.fromEntries(fields) }
}

/** The first field from a place on whose text does not count. */
function firstOpen({ draft, fields }: FormState, from = 0): string | undefined {
  return draft.fields.slice(from).find(({ id }) => fields[id]?.accepted !== true)?.id
}

/** Returns what a field begins with. */
const proposalOf = ({ suggestion, value }: SetupField): string => suggestion ?? value

/** Returns a field after an edit; what was found out about its old text is dropped. */
export function editField(field: FieldState, edit: TextEdit): FieldState {
  const { wiped, ...next } = editText(field, edit)
  if (wiped !== undefined) return { ...next, accepted: false, fault: { text: '', words: wiped } }
  return next.text === field.text ? { ...field, ...next } : { ...next, accepted: false }
}

/** The form without the text of the field with the cursor, where that may be a secret. */
function wipedField(form: FormState): FormState | undefined {
  const { wiped = '', ...empty } = wipedText(form.fields[form.at ?? '']?.text ?? '') ?? {}
  if (!('text' in empty)) return undefined
  return withField(form, form.at, () => ({ ...empty, accepted: false, fault: { text: '', words: wiped } }))
}

/** Returns the form with one field changed; the same form where there is no such field. */
function withField(
  form: FormState,
  id: string | undefined,
  change: (field: FieldState) => FieldState,
): FormState {
  const field = id === undefined ? undefined : form.fields[id]
  if (id === undefined || field === undefined) return form
  return { ...form, fields: { ...form.fields, [id]: change(field) } }
}
