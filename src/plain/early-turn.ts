import { padRight } from '../core/base/format/drawable.ts'
import { secretRefusal, type TextEdit } from '../core/base/format/edit-text.ts'
import { beginByName } from '../core/base/format/next.ts'
import { shellLines } from '../core/base/format/shell-lines.ts'
import type { Detail } from '../core/view/alarm-view.ts'
import { drawable } from '../core/view/draw-text.ts'
import type {
  EarlyField,
  EarlyKey,
  EarlyOffer,
  EarlyPart,
  EarlyView,
  Subject,
  Typing,
  Urgency,
} from '../core/view/early-view.ts'
import { MARKS } from '../core/view/marks.ts'
import { badgeWords, explainedLines, factSaid, marked, moneySaid, problemSaid, valueLines } from './rows.ts'
import {
  type Ask,
  BACK,
  ENTER,
  type Key,
  keysTurn,
  keyTyped,
  noSuchKey,
  type Page,
  type PageBlock,
  type Turn,
  type TurnReply,
} from './turn.ts'

export type EarlyTurnInput<E> = {
  view: EarlyView<E>
  /** Hears the event of a key; where it takes a while, resolves once it is done. */
  tell(event: E): unknown
  /** Hears what is typed, where a text is asked for. */
  edit?: ((edit: TextEdit) => void) | undefined
  quit(): void
  /** A command that begins the wizard, as a shell takes it here. */
  begin?: ((words: readonly string[]) => string) | undefined
}

/** Any screen outside the seven steps, by its keys, the numbers of its entries, or the text that it asks for. */
export function earlyTurn<E>(input: EarlyTurnInput<E>): Turn {
  const { typing } = input.view
  return typing === undefined ? keyTurn(input) : fieldTurn(typing, input)
}

function keyTurn<E>(input: EarlyTurnInput<E>): Turn {
  const { view, tell, quit } = input
  const entries = entriesOf(view)
  const numbered = entries.map(({ does }, at): Key => {
    return { typed: [`${at + 1}`], name: '', label: '', run: () => tell(does) }
  })
  const own = view.keys.flatMap((key) =>
    key.onScreen === true ? [] : [{ ...typedFor(key, view), run: () => tell(key.does) }],
  )
  const choose =
    entries.length < 2
      ? []
      : [{ name: `1 to ${entries.length}`, label: 'choose', typed: [], run: () => undefined }]
  const leave: Key = { typed: ['q'], name: 'q', label: 'quit', run: quit }
  const named = own.filter(({ label }) => label !== '')
  const { page } = keysTurn(earlyPage(view), [...choose, ...named, leave])
  return {
    page,
    async takeLine({ text }) {
      const about = aboutSubject(text, input)
      if (about !== undefined) return about
      const key = keyTyped([...own, ...numbered, leave], text)
      if (key === undefined) return { say: [noSuchKey(text)] }
      await key.run()
      return {}
    },
  }
}

/** How a key is typed. What is said of an entry takes its number; of several Enter takes the one that is chosen. */
function typedFor<E>(
  { key, label = '', inLines = key }: EarlyKey<E>,
  { parts }: EarlyView<E>,
): Omit<Key, 'run'> {
  const list = parts.find((part) => part.is === 'offers' || (part.is === 'table' && part.rows.length > 1))
  switch (key) {
    case 'return':
      return {
        typed: ENTER,
        name: 'Enter',
        label: list !== undefined && 'chosen' in list ? `takes ${list.chosen + 1}` : label,
      }
    case 'escape':
      return { typed: BACK, name: 'b', label }
    case 'c':
    case '?':
      return { typed: [], name: `${key} 1`, label }
    default:
      return { typed: [inLines], name: inLines, label }
  }
}

const offersOf = <E>({ parts }: EarlyView<E>): EarlyOffer<E>[] =>
  parts.flatMap((part) => (part.is === 'offers' ? part.sections.flatMap(({ offers }) => offers) : []))

/** What can be taken by its number. */
const entriesOf = <E>(view: EarlyView<E>): readonly { does: E }[] => [
  ...offersOf(view),
  ...view.parts.flatMap((part) => (part.is === 'table' ? part.rows : [])),
]

/** What may be explained, in the order of the page. */
function subjectsOf<E>(view: EarlyView<E>): Subject[] {
  const fields = view.parts.flatMap((part) => (part.is === 'fields' ? part.fields : []))
  return [...offersOf(view), ...fields.map(({ field, state }) => ({ ...field, value: state.text }))]
}

/** `? 2`, `c 2`: the explanation of an entry or a field, and the command of an entry; without a number of the first one. */
function aboutSubject<E>(
  text: string,
  { view, begin = beginByName }: EarlyTurnInput<E>,
): TurnReply | undefined {
  const [, key = '', number = ''] = /^([c?]) ?(\d*)$/.exec(text) ?? []
  if (!view.keys.some((one) => one.key === key)) return undefined
  const at = number === '' ? 0 : Number(number) - 1
  if (key === '?') {
    const subject = subjectsOf(view)[at]
    return { say: subject === undefined ? [noSuchKey(number)] : explainedLines(subject) }
  }
  const offer = offersOf(view)[at]
  if (offer === undefined) return { say: [noSuchKey(number)] }
  return { say: ['The same from a shell:'], commands: [begin(offer.command)] }
}

function fieldTurn<E>(typing: Typing<E>, { view, tell, edit }: EarlyTurnInput<E>): Turn {
  const { field, state } = typing
  return {
    page: { ...earlyPage(view), ask: askOf(typing) },
    takeLine({ text }) {
      if (text === '?') return { say: explainedLines({ ...field, value: state.text }) }
      const aside = view.keys.find(({ inLines }) => inLines === text)
      if (aside !== undefined) {
        tell(aside.does)
        return {}
      }
      const secret = secretRefusal(text)
      if (secret !== undefined) return { say: [secret] }
      if (text === '<') tell(typing.left)
      else {
        if (text !== '') edit?.({ kind: 'empty' })
        if (text !== '' && text !== '-') edit?.({ kind: 'paste', text })
        tell(typing.entered)
      }
      return {}
    },
  }
}

function askOf<E>({ field: { label, hint }, state: { text, fault } }: Typing<E>): Ask {
  return {
    kind: 'text',
    under: fault?.text === text ? [marked('refused', fault.words)] : [],
    prompt: `${label} (${hint}${text === '' ? '' : `; Enter keeps ${text}`}): `,
  }
}

/** Returns the page of a screen outside the steps, without its question. */
function earlyPage<E>(view: EarlyView<E>): Omit<Page, 'ask'> {
  const { id, error, intro, parts, typing, isPending, waiting, money } = view
  const isBelowList = typing !== undefined && parts.some(({ is }) => is === 'offers')
  const opening = intro === undefined || intro.isNews === true ? [] : [intro.text]
  const news = intro?.isNews === true ? [intro.text] : []
  const title: PageBlock = { key: 'title', lines: [titleOf(view), ...opening], news: 'none' }
  const fields = parts.flatMap((part) => (part.is === 'fields' ? part.fields : []))
  const blocks: PageBlock[] = [
    { key: `error.${error?.of}`, lines: error === undefined ? [] : [error.text], news: 'all' },
    // The list stands above its field: it is not said again.
    ...(isBelowList ? [] : [title, ...parts.flatMap(partSaid)]),
    ...(isPending === true ? [{ key: 'asking', lines: [], news: 'none', pending: true } as const] : []),
    ...(isBelowList || (waiting !== undefined && parts.length === 0) ? [] : moneySaid(money)),
    ...fields.map(foundSaid),
    {
      key: 'ready',
      lines: typing === undefined ? [...fields.map(fieldLine), ...news] : [],
      news: 'all',
    },
    { key: 'help', lines: typing === undefined ? [] : [helpLine(view)], news: 'all' },
  ]
  return { id, blocks, ...(waiting === undefined ? {} : { waiting }) }
}

/** What may be typed in the place of a text. */
function helpLine<E>({ keys }: EarlyView<E>): string {
  const named = keys.flatMap(({ inLines, label }) =>
    inLines === undefined || label === undefined ? [] : [`${inLines} ${label}`],
  )
  return ['? explains, < goes back, - empties it', ...named].join(', ')
}

function titleOf<E>({ title, badge, waiting, parts }: EarlyView<E>): string {
  if (waiting !== undefined && parts.length === 0) return `${title}: waiting ${waiting.label}.`
  return badge === undefined ? title : `${title} (${badgeWords(badge)})`
}

function partSaid<E>(part: EarlyPart<E>): PageBlock[] {
  switch (part.is) {
    case 'sentences':
      return [{ key: part.id, lines: part.sentences, news: 'all' }]
    case 'offers':
      return [{ key: 'list', lines: offerLines(part), news: 'none' }]
    case 'facts':
      return part.rows.map((row) => factSaid(row, 'fact'))
    case 'problem':
      return [problemSaid(part.problem)]
    case 'verdict':
      return [{ key: 'verdict', lines: [levelled(part.level, part.text)], news: 'all' }]
    case 'table':
      return part.rows.map(({ id, cells }, at) => ({
        key: `row.${id}`,
        lines: [rowLine(at + 1, part.head, cells)],
        news: 'words',
      }))
    case 'alarm':
      return [alarmSaid(part)]
    case 'details':
      return part.details.map((detail) => ({
        key: `detail.${detail.label}`,
        lines: detailLines(detail),
        news: 'words',
      }))
    // Fields have lines of their own; what is read in the place of a screen is said at once.
    case 'fields':
    case 'explanation':
    case 'command':
      return []
  }
}

function offerLines<E>({ sections }: Extract<EarlyPart<E>, { is: 'offers' }>): string[] {
  let count = 0
  return sections.flatMap(({ title, note, offers }) => [
    ...(title === undefined ? [] : [note === undefined ? title : `${title} (${note})`]),
    ...offers.map(({ label, short }) => {
      count += 1
      return `${count}  ${label}: ${short}`
    }),
  ])
}

const LEVELS: Readonly<Record<Urgency, string>> = {
  critical: MARKS.refused.ascii,
  warning: '!',
  info: 'i',
  well: MARKS.proven.ascii,
  unknown: MARKS.unknown.ascii,
}

const levelled = (level: Urgency, text: string): string => `${padRight(LEVELS[level], 3)} ${text}`

function rowLine(number: number, [, ...heads]: readonly string[], [name = '', ...cells]: readonly string[]) {
  const named = cells.map((text, at) => `${heads[at] ?? ''} ${text}`)
  return `${number}  ${name}: ${named.join(', ')}`
}

/** The moments of an alarm are numbers: they alone are no news. */
function alarmSaid<E>({ alarm, isTitled, when }: Extract<EarlyPart<E>, { is: 'alarm' }>): PageBlock {
  const { id, severity, title, what, next, command } = alarm
  return {
    key: `alarm.${id}`,
    lines: [
      ...(isTitled ? [levelled(severity, title)] : []),
      what,
      ...(next === undefined ? [] : [`next: ${next}`]),
      ...(command === undefined ? [] : ['next:', ...commandLines(command)]),
      when,
    ],
    news: 'words',
  }
}

function detailLines(detail: Detail): string[] {
  if ('command' in detail) return [`${detail.label}:`, ...commandLines(detail.command)]
  return valueLines(detail.label, 'whole' in detail ? detail.whole : detail.value)
}

const SHELL_CELLS = 79
/** It can be copied: where it goes on in another line, a shell reads it as one. */
const commandLines = (command: string): string[] => shellLines(drawable(command), SHELL_CELLS)

const fieldLine = ({ field, state }: EarlyField): string =>
  `${field.label}: ${state.text === '' ? '-' : state.text}`

/** What was found out about a text is told when it is known. */
function foundSaid({ field: { id, label }, state: { text, note, choices } }: EarlyField): PageBlock {
  const about =
    note?.text === text ? [marked(note.doubt === true ? 'unknown' : 'proven', `${label}: ${note.words}`)] : []
  const names = choices?.text === text ? [`${label} may be: ${choices.names.join('  ')}`] : []
  return { key: `note.${id}.${text}`, lines: [...about, ...names], news: 'all' }
}
