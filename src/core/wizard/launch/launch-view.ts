import { type Names, withCommands } from '../../base/format/next.ts'
import type { EarlyField, EarlyKey, EarlyPart, EarlyView } from '../../view/early-view.ts'
import type { ErrorFacts } from '../../view/observation.ts'
import type { Problem } from '../../view/view.ts'
import type { BeforeForm, FormChoice, NetworkChoice, OpeningWords } from './choice.ts'
import { type FormState, isReady } from './form.ts'
import { placesSentences } from './places.ts'
import { panelView, startView } from './start-view.ts'
import type { LaunchPosition, LaunchSay, LaunchState, Screen } from './state.ts'
import { LAUNCH_TEXT } from './text.ts'

const { keys: FORM_KEYS, form: FORM_TEXT, sheet: SHEET, offer: OFFER } = LAUNCH_TEXT

const move = (to: 'open' | 'next' | 'before'): LaunchSay => ({ type: 'form', event: { type: 'moved', to } })
const READ: LaunchSay = { type: 'place', to: { panel: 'explain' } }
const BACK_WHILE_TYPING: EarlyKey<LaunchSay> = {
  key: 'escape',
  label: FORM_KEYS.back,
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
  const frame = { badge: draft.badge, money: { ...LAUNCH_TEXT.money, worst: FORM_TEXT.worst } }
  if (form.before !== undefined) return beforeView(form, form.before, frame)
  if (panel !== undefined && about !== undefined) {
    const { id, label, explain } = about.field
    const value = about.state.text === '' ? '–' : about.state.text
    const page = { ...frame, id: `form.${form.id}.explain`, title: FORM_TEXT.before }
    return panelView(page, { is: 'explanation', of: { id, label, value, explain } })
  }
  const left: LaunchSay = open === first ? { type: 'back' } : move('before')
  return {
    ...frame,
    id: `form.${form.id}`,
    title: draft.title,
    intro: isReady(form) ? { text: FORM_TEXT.ready, isNews: true } : { text: draft.intro },
    parts: [...placesPart(form), { is: 'fields', fields }],
    ...(open === undefined ? {} : { typing: { ...open, entered: move('open'), left } }),
    keys: [...(open === undefined ? readyKeys() : fieldKeys(open)), ...priceKeys(form), BACK_WHILE_TYPING],
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
        BACK_WHILE_TYPING,
      ],
    }
  const details = before.lines.map(({ id: of, value }) => ({ label: SHEET.labels[of], value }))
  return {
    ...page,
    title: SHEET.title,
    intro: { text: SHEET.intro },
    parts: [{ is: 'details', details }],
    keys: [on(SHEET.written), BACK_WHILE_TYPING],
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
  return places === undefined
    ? []
    : [{ key: 'f2', label: FORM_KEYS.price, whileTyping: true, inLines: '$', does }]
}

function fieldKeys({ field }: EarlyField): EarlyKey<LaunchSay>[] {
  const tab = field.path === undefined ? FORM_KEYS.next : FORM_KEYS.complete
  return [
    { key: 'return', label: FORM_KEYS.accept, whileTyping: true, does: move('open') },
    { key: 'up', label: FORM_KEYS.field, whileTyping: true, onScreen: true, does: move('before') },
    { key: 'down', label: FORM_KEYS.field, whileTyping: true, onScreen: true, does: move('next') },
    { key: 'backtab', whileTyping: true, onScreen: true, does: move('before') },
    { key: 'tab', label: tab, whileTyping: true, does: { type: 'form', event: { type: 'tabbed' } } },
    { key: 'f1', label: FORM_KEYS.explain, whileTyping: true, does: READ },
  ]
}

function readyKeys(): EarlyKey<LaunchSay>[] {
  return [
    { key: 'return', label: FORM_KEYS.goOn, does: { type: 'proceeded' } },
    { key: 'up', label: FORM_KEYS.field, onScreen: true, does: move('before') },
    { key: 'down', label: FORM_KEYS.field, onScreen: true, does: move('next') },
    { key: 'e', label: FORM_KEYS.correct, does: move('next') },
    { key: 'tab', onScreen: true, does: move('next') },
    { key: 'backtab', onScreen: true, does: move('before') },
    { key: '?', label: FORM_KEYS.explain, does: READ },
    { key: 'f1', onScreen: true, does: READ },
  ]
}

const { keys: KEYS, failed: TEXT } = LAUNCH_TEXT
const BACK: EarlyKey<LaunchSay> = { key: 'escape', label: KEYS.back, does: { type: 'back' } }

/** A screen before the steps. */
export type EarlyPhase = Exclude<Screen, { phase: 'running' }>

/**
 * Draws the screens before the steps and their keys. `run`: the command of this program as a shell takes it, where the
 * program is not called by its name.
 */
export function launchView(
  screen: EarlyPhase,
  { place, underWay, latest }: LaunchState,
  run: Names['run'] | undefined,
): EarlyView<LaunchSay> {
  switch (screen.phase) {
    case 'choose':
      return startView({
        place,
        underWay,
        error: screen.error === undefined ? undefined : { text: screen.error, of: latest },
      })
    case 'form':
      return formView(screen, place.panel)
    case 'opening':
      return openingView(screen.words, screen.sinceMs)
    case 'failed':
      return failedView(screen, run)
  }
}

/** Returns the label of the key that leads back from the steps: to the form where there was one. */
export const wayBackLabel = ({ form }: { form: object | undefined }): string =>
  form === undefined ? KEYS.back : LAUNCH_TEXT.backToForm

/** Draws the wait while a network starts or its endpoints are asked for the first time. */
export function openingView(words: OpeningWords, sinceMs: number): EarlyView<LaunchSay> {
  return {
    id: `opening.${words}.${sinceMs}`,
    title: LAUNCH_TEXT.moment,
    parts: [],
    isPending: true,
    waiting: { label: LAUNCH_TEXT.waits[words], sinceMs },
    money: LAUNCH_TEXT.money,
    keys: [BACK],
  }
}

type Failed = Extract<Screen, { phase: 'failed' }>

/** Draws a network that could not be opened: what failed, why, where the money is, what to do next. */
export function failedView(
  screen: Pick<Failed, 'error' | 'choice'>,
  run: Names['run'] | undefined,
): EarlyView<LaunchSay> {
  const { code, shortMessage, details, nextSteps, money } = screen.error
  const next = run === undefined ? nextSteps : nextSteps.map((step) => withCommands(step, run))
  const problem: Problem = {
    id: code,
    kind: 'event',
    title: shortMessage,
    money,
    values: [],
    lines: details,
    next,
  }
  const retry: EarlyKey<LaunchSay> = { key: 'r', label: KEYS.retry, does: { type: 'retried' } }
  return { ...problemView(problem), keys: [...rehearsalKeys(screen), retry, BACK] }
}

/** The end of a session whose journal cannot be written any more: nothing goes on. */
export function lostView({ code, shortMessage, details, nextSteps }: ErrorFacts): EarlyView<never> {
  return problemView({
    id: code,
    kind: 'event',
    title: TEXT.lost.title,
    money: 'unknown',
    values: [],
    lines: [shortMessage, ...details, TEXT.lost.nothingMore],
    next: [...nextSteps, TEXT.lost.next],
  })
}

/** A failure that no step could take care of; its code stands above it, for a report. */
function problemView(problem: Problem): EarlyView<never> {
  return {
    id: `failed.${problem.id}`,
    title: problem.id,
    isCode: true,
    parts: [{ is: 'problem', problem }],
    money: { line: TEXT.money[problem.money], worst: TEXT.worst },
    keys: [],
  }
}

/** The way on where a rehearsal network has ended: only a key begins another one. */
function rehearsalKeys({ error, choice }: Pick<Failed, 'error' | 'choice'>): EarlyKey<LaunchSay>[] {
  if (error.code !== 'rehearsal.ended') return []
  const scenario =
    choice.kind === 'rehearsal' && choice.scenario !== undefined ? { scenario: choice.scenario } : {}
  const again: NetworkChoice = { kind: 'rehearsal', which: 'new', ...scenario }
  return [{ key: 'n', label: TEXT.keys.begin, does: { type: 'chosen', choice: again } }]
}
