import type { EarlyField, EarlyKey, EarlyPart, EarlyView } from '../../view/early-view.ts'
import type { BeforeForm, FormChoice } from './choice.ts'
import { type FormState, isReady } from './form.ts'
import { placesSentences } from './places.ts'
import { panelView } from './start-view.ts'
import type { LaunchPosition, LaunchSay } from './state.ts'
import { LAUNCH_TEXT } from './text.ts'

const { keys: KEYS, form: TEXT, sheet: SHEET, offer: OFFER } = LAUNCH_TEXT

const move = (to: 'open' | 'next' | 'before'): LaunchSay => ({ type: 'form', event: { type: 'moved', to } })
const READ: LaunchSay = { type: 'place', to: { panel: 'explain' } }
const BACK: EarlyKey<LaunchSay> = {
  key: 'escape',
  label: KEYS.back,
  whileTyping: true,
  does: { type: 'back' },
}

/** Returns the form before the first step. Public endpoints stand in it as proposals, never used unasked. */
export function formView(form: FormState, panel?: LaunchPosition['panel']): EarlyView<LaunchSay> {
  const { draft } = form
  const fields = draft.fields.flatMap((field): EarlyField[] => {
    const state = form.fields[field.id]
    return state === undefined ? [] : [{ field, state }]
  })
  const [first] = fields
  const open = fields.find(({ field }) => field.id === form.at)
  const about = open ?? first
  const frame = { badge: draft.badge, money: { ...LAUNCH_TEXT.money, worst: TEXT.worst } }
  if (form.before !== undefined) return beforeView(form, form.before, frame)
  if (panel !== undefined && about !== undefined) {
    const { id, label, explain } = about.field
    const value = about.state.text === '' ? '–' : about.state.text
    const page = { ...frame, id: `form.${form.id}.explain`, title: TEXT.before }
    return panelView(page, { is: 'explanation', of: { id, label, value, explain } })
  }
  const left: LaunchSay = open === first ? { type: 'back' } : move('before')
  return {
    ...frame,
    id: `form.${form.id}`,
    title: draft.title,
    intro: isReady(form) ? { text: TEXT.ready, isNews: true } : { text: draft.intro },
    parts: [...placesPart(form), { is: 'fields', fields }],
    ...(open === undefined ? {} : { typing: { ...open, entered: move('open'), left } }),
    keys: [...(open === undefined ? readyKeys() : fieldKeys(open)), ...priceKeys(form), BACK],
  }
}

/** What is read once before the fields. */
function beforeView(
  { id }: FormState,
  before: BeforeForm,
  frame: Pick<EarlyView<LaunchSay>, 'badge' | 'money'>,
): EarlyView<LaunchSay> {
  const on = (label: string): EarlyKey<LaunchSay> => ({
    key: 'return',
    label,
    does: { type: 'form', event: { type: 'beforeRead' } },
  })
  const page = { ...frame, id: `form.${id}.${before.is}` }
  if (before.is === 'offer')
    return {
      ...page,
      title: OFFER.title,
      intro: { text: OFFER.intro },
      parts: [{ is: 'sentences', id: 'offer', sentences: OFFER.sentences }],
      keys: [
        on(OFFER.on),
        { key: 'r', label: OFFER.rehearse, does: { type: 'chosen', choice: REHEARSED } },
        BACK,
      ],
    }
  const details = before.lines.map(({ id: of, value }) => ({ label: SHEET.labels[of], value }))
  return {
    ...page,
    title: SHEET.title,
    intro: { text: SHEET.intro },
    parts: [{ is: 'details', details }],
    keys: [on(SHEET.written), BACK],
  }
}

const REHEARSED: FormChoice = { kind: 'as-on-mainnet', which: 'new' }

function placesPart({ places, isTyped }: FormState): EarlyPart<LaunchSay>[] {
  if (places === undefined) return []
  const sentences = placesSentences(places, isTyped === true ? 'typed' : 'before')
  return [{ is: 'sentences', id: 'places', sentences }]
}

/** Asks what a place costs, where the form tells it. */
function priceKeys({ places }: FormState): EarlyKey<LaunchSay>[] {
  const does: LaunchSay = { type: 'form', event: { type: 'priceAsked' } }
  return places === undefined ? [] : [{ key: 'f2', label: KEYS.price, whileTyping: true, inLines: '$', does }]
}

function fieldKeys({ field }: EarlyField): EarlyKey<LaunchSay>[] {
  const tab = field.path === undefined ? KEYS.next : KEYS.complete
  return [
    { key: 'return', label: KEYS.accept, whileTyping: true, does: move('open') },
    { key: 'up', label: KEYS.field, whileTyping: true, onScreen: true, does: move('before') },
    { key: 'down', label: KEYS.field, whileTyping: true, onScreen: true, does: move('next') },
    { key: 'backtab', whileTyping: true, onScreen: true, does: move('before') },
    { key: 'tab', label: tab, whileTyping: true, does: { type: 'form', event: { type: 'tabbed' } } },
    { key: 'f1', label: KEYS.explain, whileTyping: true, does: READ },
  ]
}

function readyKeys(): EarlyKey<LaunchSay>[] {
  return [
    { key: 'return', label: KEYS.goOn, does: { type: 'proceeded' } },
    { key: 'up', label: KEYS.field, onScreen: true, does: move('before') },
    { key: 'down', label: KEYS.field, onScreen: true, does: move('next') },
    { key: 'e', label: KEYS.correct, does: move('next') },
    { key: 'tab', onScreen: true, does: move('next') },
    { key: 'backtab', onScreen: true, does: move('before') },
    { key: '?', label: KEYS.explain, does: READ },
    { key: 'f1', onScreen: true, does: READ },
  ]
}
