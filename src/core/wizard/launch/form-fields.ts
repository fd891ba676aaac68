import { editText, freshText, type TextEdit, wipedText } from '../../base/format/edit-text.ts'
import type { FieldState, SetupField } from '../../view/setup-field.ts'
import type { BeforeForm, FormChoice, SetupDraft } from './choice.ts'
import type { PlacesSeen } from './places.ts'

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

/** Returns the texts of the fields without surrounding blanks. */
export function formValues({ draft, fields }: FormState): Record<string, string> {
  return Object.fromEntries(draft.fields.map(({ id }) => [id, fields[id]?.text.trim() ?? '']))
}

/** Returns the form with the text of a field accepted as it stands. */
export function accept(form: FormState, id: string): FormState {
  return withField(form, id, ({ text, note }) => {
    const whole = { ...freshText(text.trim()), accepted: true }
    return note === undefined ? whole : { ...whole, note }
  })
}

/** Every text that was judged, beside the others as they are now. */
export function recheck(form: FormState, check: Check): FormState {
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
export function firstOpen({ draft, fields }: FormState, from = 0): string | undefined {
  return draft.fields.slice(from).find(({ id }) => fields[id]?.accepted !== true)?.id
}

/** Returns what a field begins with. */
export const proposalOf = ({ suggestion, value }: SetupField): string => suggestion ?? value

/** Returns a field after an edit; what was found out about its old text is dropped. */
export function editField(field: FieldState, edit: TextEdit): FieldState {
  const { wiped, ...next } = editText(field, edit)
  if (wiped !== undefined) return { ...next, accepted: false, fault: { text: '', words: wiped } }
  return next.text === field.text ? { ...field, ...next } : { ...next, accepted: false }
}

/** The form without the text of the field with the cursor, where that may be a secret. */
export function wipedField(form: FormState): FormState | undefined {
  const { wiped = '', ...empty } = wipedText(form.fields[form.at ?? '']?.text ?? '') ?? {}
  if (!('text' in empty)) return undefined
  return withField(form, form.at, () => ({ ...empty, accepted: false, fault: { text: '', words: wiped } }))
}

/** Returns the form with one field changed; the same form where there is no such field. */
export function withField(
  form: FormState,
  id: string | undefined,
  change: (field: FieldState) => FieldState,
): FormState {
  const field = id === undefined ? undefined : form.fields[id]
  if (id === undefined || field === undefined) return form
  return { ...form, fields: { ...form.fields, [id]: change(field) } }
}
