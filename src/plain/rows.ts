import { cellsOf, padRight } from '../core/base/format/drawable.ts'
import { type Names, nextText } from '../core/base/format/next.ts'
import { sentLines, stopTitle } from '../core/view/desk-words.ts'
import { longValueLines, sentencesOf, stakeText } from '../core/view/draw-text.ts'
import { MARKS } from '../core/view/marks.ts'
import type { Section } from '../core/view/step-view.ts'
import { STEP_NAMES_TEXT } from '../core/view/text.ts'
import type {
  Consent,
  Explain,
  FactRow,
  Mark,
  MoneyBand,
  PermissionTable,
  Problem,
  RankRow,
  TimelineRow,
  Verdict,
} from '../core/view/view.ts'
import type { AnyAction, AnyField, AnyView } from '../core/wizard/state.ts'
import type { NetworkBadge } from '../hooks/shell.tsx'
import type { Ask, Page, PageBlock } from './turn.ts'

/** Where what belongs to a row goes on. */
const INDENT = ' '.repeat(4)
const LONG_CELLS = 72

/** A line behind the mark of a fact. */
export const marked = (mark: Mark, text: string): string => `${padRight(MARKS[mark].ascii, 3)} ${text}`

/** Returns a value in lines: a long one goes below its label, hex in groups of four. */
export function valueLines(label: string, value: string): string[] {
  const [first = '', ...rest] = longValueLines(value, LONG_CELLS)
  if (rest.length === 0 && cellsOf(label) + cellsOf(first) < LONG_CELLS) return [`${label}: ${first}`]
  return [`${label}:`, ...[first, ...rest].map((line) => `${INDENT}${line}`)]
}

/** Returns a fact: its mark, label, value and who said it, then what of it is long. */
export function factSaid(row: FactRow, at: 'fact' | 'check'): PageBlock {
  const source = row.source === '' ? '' : ` (${row.source})`
  const value = row.value === '' ? '' : ` ${row.value}`
  const long = row.long === undefined ? [] : longValueLines(row.long, LONG_CELLS)
  const isAsked = row.mark === 'asking' && row.waits !== true
  return {
    key: `${at}.${row.id}`,
    lines: [marked(row.mark, `${row.label}:${value}${source}`), ...long.map((line) => `${INDENT}${line}`)],
    news: row.mark === 'unasked' ? 'none' : 'words',
    ...(isAsked || row.isAhead === true ? { pending: true } : {}),
  }
}

/** Returns the two lines on where the money is. */
export function moneySaid({ line, worst, isUntouched, isUnread }: MoneyBand): PageBlock[] {
  return [
    {
      key: 'money',
      lines: [`Money: ${line}`],
      news: 'all',
      ...(isUnread === true ? { is: 'unread' } : {}),
      ...(isUntouched === true ? { noNewsAfter: 'unread' } : {}),
    },
    { key: 'worst', lines: [`${worst.charAt(0).toUpperCase()}${worst.slice(1)}`], news: 'words' },
  ]
}

const MONEY_WORDS: Readonly<Record<Problem['money'], string>> = {
  untouched: 'Money untouched.',
  unknown: 'Money: not known.',
  moved: 'Money has moved.',
}

/** Returns what stops a step: what, where the money is, why, what to do next. */
export function problemSaid(
  { kind, title, money, lost, values, lines, next }: Problem,
  names = LINE_NAMES,
): PageBlock {
  return {
    key: 'problem',
    news: 'all',
    lines: [
      `${stopTitle({ kind, title })} ${lost === undefined ? MONEY_WORDS[money] : `Lost: ${lost}.`}`,
      ...values.flatMap(({ label, value }) => valueLines(label, value)),
      ...lines,
      ...next.map((step, at) => `${at === 0 ? 'next' : 'or'}: ${nextText(step, names)}`),
    ],
  }
}

/** Returns the kind of money and the network of a badge, in words. */
export function badgeWords({ kind, label }: NetworkBadge): string {
  if (kind === 'rehearsal') return 'REHEARSAL, play money'
  return kind === 'real' ? `REAL MONEY, ${label}` : `TEST, ${label}`
}

/** Returns a step as a page: where it stands first, then what it rests on, then where the money is. */
export function stepPage(view: AnyView, badge: NetworkBadge, ask: Ask): Page {
  const { step, verdict, problem, waiting } = view
  return {
    id: `step.${step}`,
    blocks: [
      {
        key: 'title',
        lines: [`Step ${STEP_NAMES_TEXT.place(step)}: ${view.title} (${badgeWords(badge)})`],
        news: 'all',
      },
      ...(verdict === undefined || problem !== undefined ? [] : [verdictSaid(verdict, namesOf(view))]),
      ...(problem === undefined ? [] : [problemSaid(problem, namesOf(view))]),
      ...view.sections.flatMap((section) => sectionSaid(section, view, ask)),
      ...moneySaid(view.money),
      { key: 'waiting', lines: waiting === undefined ? [] : [`waiting ${waiting.label}`], news: 'words' },
      { key: 'field.help', lines: ask.kind === 'text' ? [fieldHelp(view)] : [], news: 'all' },
    ],
    ask,
    ...(waiting === undefined ? {} : { waiting }),
  }
}

function fieldHelp({ picture }: AnyView): string {
  const more = picture === undefined ? [] : [`? ${picture.label}`]
  return ['? explains', ...more, '< goes to the line before'].join(', ')
}

function verdictSaid({ mark, text, next }: Verdict, names: LineNames): PageBlock {
  return {
    key: 'verdict',
    lines: [marked(mark, text), ...(next === undefined ? [] : [`next: ${nextText(next, names)}`])],
    news: 'all',
    ...(mark === 'asking' || mark === 'unasked' ? { pending: true } : {}),
  }
}

function sectionSaid(section: Section, view: AnyView, ask: Ask): PageBlock[] {
  switch (section) {
    case 'intro':
      return [{ key: 'intro', lines: view.intro === '' ? [] : [view.intro], news: 'words' }]
    case 'facts':
      return [
        ...heading('facts', view.facts.length, view.factsTitle),
        ...view.facts.map((row) => factSaid(row, 'fact')),
      ]
    case 'checks':
      return [
        ...heading('checks', view.checks.length, 'Final checks before sending'),
        ...view.checks.map((row) => factSaid(row, 'check')),
      ]
    case 'fields':
      return view.fields
        .filter(({ value }) => value !== '')
        .map((field) => (ask.kind === 'text' && ask.id === field.id ? unsaid(field) : fieldSaid(field)))
    case 'ranks':
      return [{ key: 'ranks', lines: view.ranks.map(rankLine), news: 'none' }]
    case 'timeline':
      return view.timeline.map(timelineSaid)
    case 'chart': {
      const words = (view.chart ?? []).map(({ label, text }) => `${label} ${text}`)
      return words.length === 0 ? [] : [{ key: 'chart', lines: [words.join(' · ')], news: 'words' }]
    }
    case 'notes':
      return view.notes.map((note, at) => ({ key: `note.${at}`, lines: [note], news: 'words' }))
    case 'picture':
      // As lines it is long, and the same each time: it is printed when it is asked for.
      return []
  }
}

function heading(section: 'facts' | 'checks', rows: number, title: string | undefined): PageBlock[] {
  return [{ key: `${section}.title`, lines: rows === 0 || title === undefined ? [] : [title], news: 'none' }]
}

/** What was accepted, as it is understood: another text is another thing to say. */
function fieldSaid({ id, label, value }: AnyField): PageBlock {
  const [first = '', ...rest] = valueLines(label, value)
  return { key: `field.${id}.${value}`, lines: [marked('given', first), ...rest], news: 'all' }
}

/** What stands in the field that is asked for is in the question; once another one is asked for it is news again. */
function unsaid(field: AnyField): PageBlock {
  return { ...fieldSaid(field), lines: [] }
}

function rankLine({ rank, stakeGwei, note }: RankRow): string {
  return `rank ${rank}: ${[stakeText(stakeGwei), ...(note === '' ? [] : [note])].join(', ')}`
}

const STATES: Readonly<Record<TimelineRow['state'], string>> = { done: 'done', now: 'now', ahead: 'ahead' }

/** What is still ahead changes its time with every slot: that is no news. */
function timelineSaid({ id, state, label, when, detail }: TimelineRow): PageBlock {
  const words = [label, when, detail].filter((text) => text !== '').join(', ')
  return { key: `way.${id}.${state}`, lines: [`${STATES[state]}: ${words}`], news: 'words' }
}

/** Returns the explanation of one value. */
export function explainedLines(subject: { label: string; value: string; explain: Explain }): string[] {
  const { what, who, later } = subject.explain
  const about = subject.value === '' ? [subject.label] : valueLines(subject.label, subject.value)
  return [...about, `what: ${what}`, `who: ${who}`, `later: ${later}`]
}

/** Returns the sentences of a picture. */
export function permissionSentences(picture: PermissionTable): string[] {
  return [
    picture.title,
    ...sentencesOf(picture).flatMap(({ name, sentences }) => [
      name,
      ...sentences.map((text) => `    ${text}`),
    ]),
    picture.note,
  ]
}

/** Returns the question for a field: its label, what it wants, and what an empty line keeps. */
export function fieldAsk(field: AnyField, initial: string): Ask {
  const keeps = initial === '' ? '' : `; Enter keeps ${initial}`
  return {
    kind: 'text',
    under: field.error === undefined ? [] : [marked('refused', field.error)],
    id: field.id,
    prompt: `${field.label} (${field.hint}${keeps}): `,
  }
}

/** What stands above the word on a screen too. */
const consentLines = (consent: Consent): string[] => [...sentLines(consent), consent.undo, consent.stake]

const isSaidIn = (consent: Consent | undefined, intro: string): boolean =>
  intro === '' || consent?.undo.startsWith(intro) === true

/** Everything that a person reads before the word: whole, and again from the beginning when it has changed. */
export function finalPage(
  view: AnyView,
  action: AnyAction & { typed: string },
  { network }: { network: string },
): Page {
  const { consent } = action
  const rows = [
    ...view.facts
      .filter(({ alternative, consented }) => alternative !== true && consented !== true)
      .map((row) => factSaid(row, 'fact')),
    ...view.checks.map((row) => factSaid(row, 'check')),
  ]
  const blocks: PageBlock[] = [
    { key: 'final', lines: ['Final check. Read it to the end.', `network: ${network}`], news: 'none' },
    { key: 'consent', lines: consent === undefined ? [] : consentLines(consent), news: 'none' },
    ...rows,
    { key: 'intro', lines: isSaidIn(consent, view.intro) ? [] : [view.intro], news: 'none' },
    ...view.notes.map((note, at): PageBlock => ({ key: `note.${at}`, lines: [note], news: 'none' })),
    ...moneySaid({ ...view.money, worst: consent?.worst ?? view.money.worst }),
  ]
  const words = [
    'Typed by hand, not pasted. b goes back; nothing is sent.',
    `To ${action.label}, type: ${action.typed}`,
  ]
  return { id: `word.${view.step}.${action.key}`, blocks, ask: { kind: 'word', lines: words } }
}

/** How the keys of the screens are typed as lines. */
type LineNames = Pick<Names, 'keys'>

/** Where no step has keys of its own. */
const LINE_NAMES: LineNames = { keys: { escape: 'b', return: 'Enter' } }

/** In a step; `b` goes back where that is no key of its own. */
function namesOf({ actions }: Pick<AnyView, 'actions'>): LineNames {
  const hasOwnB = actions.some(({ key }) => key === 'b')
  return hasOwnB ? { keys: { ...LINE_NAMES.keys, escape: 'back' } } : LINE_NAMES
}
