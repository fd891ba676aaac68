import { changesOf, DESK_TEXT, type DeskEvent, gapsOf } from '../core/pay/desk/desk.ts'
import { compareOffers, type Offer } from '../core/pay/desk/offer.ts'
import type { LineRefusal } from '../core/pay/desk/typed-word.ts'
import { SECRET_WORDS, WORD_REFUSALS } from '../core/view/desk-words.ts'
import type { AnyAction, AnyDesk, AnyField, AnyView, Event } from '../core/wizard/state.ts'
import type { NetworkBadge, Shell, WayBack } from '../hooks/shell.tsx'
import { stepKeys } from '../hooks/step-keys.ts'
import { fieldWithCursor, type PanelEvent, type StepPanel } from '../hooks/step-panel.ts'
import { badgeWords, explainedLines, fieldAsk, finalPage, permissionSentences, stepPage } from './rows.ts'
import { BACK, ENTER, type Key, keysTurn, keyTyped, noSuchKey, type Turn, type TurnReply } from './turn.ts'

export type StepTurnInput = {
  view: AnyView
  /** The view as it is when a line comes. */
  now(): AnyView
  /** What was printed, over the state as it is then; undefined where it is offered no more. */
  offerNow(printed: Offer): Offer | undefined
  badge: NetworkBadge
  panel: StepPanel
  tell(event: PanelEvent): void
  /** Resolves to false when a gate refused it. */
  dispatch(event: Event): Promise<boolean>
  quit(): void
  newKey?: () => void
  wayBack: WayBack | undefined
}

/** Said where what was printed does not hold any more: nothing is done then. */
const CHANGED: TurnReply = {
  say: ['This has changed since it was printed: nothing was done.'],
  again: true,
}

const NAMES: Readonly<Record<string, Pick<Key, 'typed' | 'name'>>> = {
  return: { typed: ENTER, name: 'Enter' },
  left: { typed: ['left'], name: 'left' },
  right: { typed: ['right'], name: 'right' },
  tab: { typed: ['>'], name: '>' },
  up: { typed: ['<'], name: '<' },
  down: { typed: ['>'], name: '>' },
}

/** Returns a step, with the keys of its screen. */
export function stepTurn(input: StepTurnInput): Turn {
  const { view, panel, badge } = input
  const field = fieldWithCursor(view, panel)
  if (field !== undefined) return fieldTurn(field, input)
  const { page } = keysTurn(stepPage(view, badge, NO_ASK), boundKeys(input, '', doing()))
  return { page, takeLine: ({ text }) => keyAnswer(text, input) }
}

const NO_ASK = { kind: 'keys', help: '' } as const

/** What the keys of a line did: events that were handed over, and what is said. */
type Doing = { events: Event[]; say: string[]; commands: string[] }
const doing = (): Doing => ({ events: [], say: [], commands: [] })

/** The table of keys of the screen, as it is typed. `b` goes back where the step has no such key of its own. */
function boundKeys(input: StepTurnInput, text: string, did: Doing): Key[] {
  const { view, panel, tell, wayBack } = input
  const shell: Shell = {
    clock: { monotonicMs: () => 0 },
    quit: input.quit,
    ...(input.newKey && { newKey: input.newKey }),
    ...(wayBack === undefined ? {} : { wayBack }),
  }
  const bindings = stepKeys({
    view,
    panel,
    shell,
    text,
    wipe: (words) => void did.say.push(words),
    dispatch: (events) => void did.events.push(...events),
    tell: (event) => {
      if (event.type === 'explain') did.say.push(...explained(view, event.id))
      else if (event.type === 'commands') tellCommands(view, did)
      else if (event.type === 'picture') did.say.push(...pictured(view))
      else tell(event)
    },
    scroll: { top: 0, maxTop: 0, pageRows: 0 },
    roomToConfirm: true,
  })
  const hasOwnB = bindings.some(({ key }) => key === 'b')
  // A key of the step stands before the same key of every step.
  const first = bindings.filter(({ key }, at) => bindings.findIndex((one) => one.key === key) === at)
  return first.flatMap(({ key, label, spare, run }) => {
    // What moves on a screen alone is spare there.
    if (label === undefined || spare === true) return []
    if (key === 'escape')
      return [{ typed: hasOwnB ? ['back'] : BACK, name: hasOwnB ? 'back' : 'b', label, run }]
    return [{ typed: [key], name: key, ...NAMES[key], label, run }]
  })
}

async function keyAnswer(text: string, input: StepTurnInput): Promise<TurnReply> {
  const { view, now } = input
  if (text === '.') return { again: true }
  if (text.startsWith('? ')) return { say: explainedByName(view, text.slice(2).trim()) }
  const did = doing()
  const key = keyTyped(boundKeys(input, '', did), text)
  if (key === undefined) return { say: [noSuchKey(text)] }
  const action = view.actions.find((one) => keyTyped([typedFor(one)], text) !== undefined)
  if (now().step !== view.step || (action !== undefined && !stillOffers(input, action))) return CHANGED
  key.run()
  return settled(did, input)
}

const typedFor = ({ key, label }: AnyAction): Key => ({
  typed: [key],
  name: key,
  ...NAMES[key],
  label,
  run: () => undefined,
})

/**
 * Whether a key still does what was printed: the same words and the same events, and for a word to be typed the same offer
 * as far as anybody knows.
 */
function stillOffers({ now, offerNow }: StepTurnInput, printed: AnyAction): boolean {
  const { offer } = printed
  if (offer !== undefined) return compareOffers(offer, offerNow(offer)).is === 'same'
  const same = now().actions.find(({ key }) => key === printed.key)
  return same !== undefined && asText(same) === asText(printed)
}

const asText = (action: AnyAction): string =>
  JSON.stringify(action, (_, value: unknown) => (typeof value === 'bigint' ? `${value} n` : value))

/** Hands over what a key did. */
async function settled({ events, say, commands }: Doing, { dispatch }: StepTurnInput): Promise<TurnReply> {
  const taken = await Promise.all(events.map(dispatch))
  return { say: taken.includes(false) ? [...say, SECRET_WORDS.refused] : say, commands }
}

function fieldTurn(field: AnyField, input: StepTurnInput): Turn {
  const { view, badge, now } = input
  const initial = field.suggestion ?? field.value
  return {
    page: stepPage(view, badge, fieldAsk(field, initial)),
    async takeLine({ text }) {
      const did = doing()
      if (text === '?') return { say: explained(view, field.id) }
      if (text.startsWith('? ')) return { say: explainedByName(view, text.slice(2).trim()) }
      if (now().step !== view.step || !now().fields.some(({ id }) => id === field.id)) return CHANGED
      const keys = boundKeys(input, text === '' ? initial : text, did)
      const key = keyTyped(keys, text === '<' || text === '>' ? text : '')
      // Before the first field there are the keys of the step.
      const aside = text === '<' ? keyTyped(keys, 'back') : undefined
      const run = key?.run ?? aside?.run
      if (run === undefined) return { say: [noSuchKey(text)] }
      run()
      return settled(did, input)
    },
  }
}

/** What may be explained, in the order of the page. */
function subjectsOf({ facts, checks, fields }: AnyView) {
  const rows = [...facts, ...checks].map((row) => ({ ...row, value: row.long ?? row.value }))
  return [...rows, ...fields.map((field) => ({ ...field, mark: 'unasked' as const }))]
}

/** The explanation of a value; without its name of the first one that is open, with the names of all. */
function explained(view: AnyView, id: string | undefined): string[] {
  const subjects = subjectsOf(view)
  const open = subjects.find(({ mark }) => mark === 'refused' || mark === 'unknown')
  const chosen = subjects.find((one) => one.id === id) ?? open ?? subjects[0]
  if (chosen === undefined) return ['There is nothing here that needs an explanation.']
  const names = subjects.map(({ label }) => label).join(', ')
  return [...explainedLines(chosen), ...(id === undefined ? [`Type ? and one of: ${names}`, AGAIN] : [])]
}

const AGAIN = 'A full stop alone prints the step again.'

const pictured = ({ picture }: AnyView): string[] =>
  picture === undefined ? [] : permissionSentences(picture)

function explainedByName(view: AnyView, name: string): string[] {
  if (name !== '' && view.picture?.label.startsWith(name) === true) return pictured(view)
  const found = subjectsOf(view).find(
    ({ label, id }) => label === name || id === name || label.startsWith(name),
  )
  return found === undefined ? [`There is no ${name} here.`] : explainedLines(found)
}

/** The same from a shell: each command on a line of its own, as a shell takes it. */
function tellCommands({ commands, commandHint }: AnyView, did: Doing): void {
  if (commandHint !== undefined) did.say.push(commandHint)
  did.say.push(commands.length === 0 ? 'This step has no command of its own.' : 'The same from a shell:')
  did.commands.push(...commands)
}

/** Why a line does not count. `typed`: what has to be typed. */
function refusalWords(refusal: LineRefusal, typed: string): string {
  return refusal === 'another' ? `Nothing was sent. Type exactly: ${typed}` : WORD_REFUSALS[refusal]
}

export type WordTurnInput = Pick<StepTurnInput, 'view' | 'tell' | 'badge' | 'dispatch' | 'offerNow'> & {
  desk: AnyDesk
  /** What came of a line at the desk. */
  hear(event: DeskEvent): AnyDesk | undefined
  /** Hears that a line was no word: what follows it may be a password all the same. */
  refused(): void
}

/**
 * The last question before money leaves: what is sent stands above it, and only the word lets it go. `view` is the frame on
 * which it was opened.
 */
export function wordTurn(input: WordTurnInput): Turn {
  const { view, tell, badge, desk, hear, offerNow } = input
  const { opened } = desk
  return {
    page: finalPage(view, opened, {
      network: `${badge.label} (${badgeWords(badge)})`,
    }),
    async takeLine(line, askedAtMs) {
      if (BACK.includes(line.text)) {
        tell({ type: 'close' })
        return {}
      }
      const after = hear({ type: 'line', line, how: { askedAtMs }, now: offerNow(opened.offer) })
      if (after === undefined || after.stand.is === 'other') return {}
      if (after.stand.is === 'open') {
        if (line.text !== '') input.refused()
        return { say: [refusalOf(after, view)] }
      }
      tell({ type: 'close' })
      const events = Array.isArray(opened.does) ? (opened.does as readonly Event[]) : []
      const taken = await Promise.all(events.map(input.dispatch))
      return taken.includes(false) ? { say: [SECRET_WORDS.refused] } : {}
    },
  }
}

function refusalOf(desk: AnyDesk, { checks }: AnyView): string {
  const { refusal = 'another' } = desk
  if (refusal === 'unknown') return DESK_TEXT.unsent(gapsOf(desk, checks) ?? [])
  return refusalWords(refusal, desk.opened.typed)
}

/** Said in the place of the question once what was opened is known to be another offer. */
export function changedTurn({ view, desk, tell }: Pick<WordTurnInput, 'view' | 'desk' | 'tell'>): Turn {
  const changes = changesOf(desk, view.checks) ?? []
  const lines = [DESK_TEXT.changed(changes), DESK_TEXT.anew.lines]
  const page = { id: `changed.${view.step}`, blocks: [{ key: 'changed', lines, news: 'none' as const }] }
  const close = () => tell({ type: 'close' })
  return keysTurn(page, [{ typed: ENTER, name: 'Enter', label: DESK_TEXT.readAnew, run: close }])
}
