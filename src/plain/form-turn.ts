import { secretRefusal } from '../core/format/secret.ts'
import type { SetupField } from '../core/launch/choice.ts'
import { type FieldState, type FormEvent, type FormState, isReady } from '../core/launch/form.ts'
import type { Ask, Page, Said } from './page.ts'
import { badgeWords, explainLines, marked, moneySaid } from './rows.ts'
import { BACK, ENTER, type Key, keysTurn, type Turn } from './turn.ts'

export type FormTurnInput = {
  form: FormState
  tell(event: FormEvent): void
  proceed(): void
  back(): void
  quit(): void
}

const MONEY = { line: 'nothing is sent here', worst: 'worst case here: none. No key is read yet.' }
const READY = 'Enter continues with these; e corrects one of them.'
const HELP = '? explains, < goes to the field before, - empties it'

/** The form before the steps: one field after another, then all of them. */
export function formTurn(input: FormTurnInput): Turn {
  const { form } = input
  const field = form.draft.fields.find(({ id }) => id === form.at)
  const state = field === undefined ? undefined : form.fields[field.id]
  if (field === undefined || state === undefined) return readyTurn(input)
  return {
    page: { ...formPage(form), ask: askOf(field, state) },
    answer({ text }) {
      if (text === '?') return { say: explainLines({ ...field, value: state.text }) }
      const secret = secretRefusal(text)
      if (secret !== undefined) return { say: [secret] }
      enter(text, field, input)
      return {}
    },
  }
}

function enter(text: string, field: SetupField, { form, tell, back }: FormTurnInput): void {
  if (text === '<') {
    if (form.draft.fields[0]?.id === field.id) back()
    else tell({ type: 'moved', to: 'before' })
    return
  }
  if (text !== '') tell({ type: 'edited', edit: { kind: 'empty' } })
  if (text !== '' && text !== '-') tell({ type: 'edited', edit: { kind: 'paste', text } })
  tell({ type: 'moved', to: 'open' })
}

function askOf(field: SetupField, { text, fault }: FieldState): Ask {
  const keeps = text === '' ? '' : `; Enter keeps ${text}`
  return {
    kind: 'text',
    under: fault?.text === text ? [marked('refused', fault.words)] : [],
    prompt: `${field.label} (${field.hint}${keeps}): `,
  }
}

function readyTurn({ form, tell, proceed, back, quit }: FormTurnInput): Turn {
  const keys: Key[] = [
    { typed: ENTER, name: 'Enter', label: 'continue', run: proceed },
    { typed: ['e'], name: 'e', label: 'correct', run: () => tell({ type: 'moved', to: 'next' }) },
    { typed: BACK, name: 'b', label: 'back', run: back },
    { typed: ['q'], name: 'q', label: 'quit', run: quit },
  ]
  const page = formPage(form)
  const { draft } = form
  const fields = draft.fields.map(({ label, id }) => {
    const text = form.fields[id]?.text ?? ''
    return `${label}: ${text === '' ? '-' : text}`
  })
  const ready: Said[] = isReady(form) ? [{ key: 'ready', lines: [...fields, READY], news: 'all' }] : []
  return keysTurn({ ...page, said: [...page.said, ...ready] }, keys)
}

/** What was found out about the texts is told when it is known. */
function formPage(form: FormState): Omit<Page, 'ask'> {
  const { draft, fields, id } = form
  const found = draft.fields.flatMap(({ id: field, label }): Said[] => {
    const { text, note, choices } = fields[field] ?? { text: '' }
    const about =
      note?.text === text
        ? [marked(note.doubt === true ? 'unknown' : 'proven', `${label}: ${note.words}`)]
        : []
    const names = choices?.text === text ? [`${label} may be: ${choices.names.join('  ')}`] : []
    return [{ key: `note.${field}.${text}`, lines: [...about, ...names], news: 'all' }]
  })
  const title = `${draft.title} (${badgeWords(draft.badge)})`
  return {
    id: `form.${id}`,
    said: [
      { key: 'title', lines: [title, draft.intro], news: 'none' },
      ...moneySaid(MONEY),
      ...found,
      { key: 'help', lines: form.at === undefined ? [] : [HELP], news: 'all' },
    ],
  }
}
