import { padRight } from '../core/base/format/drawable.ts'
import { shellLines } from '../core/base/format/shell-lines.ts'
import type { Detail } from '../core/view/alarm-view.ts'
import { drawable } from '../core/view/draw-text.ts'
import type { EarlyField, EarlyPart, EarlyView, Urgency } from '../core/view/early-view.ts'
import { MARKS } from '../core/view/marks.ts'
import { EARLY_TEXT } from './early-text.ts'
import type { Page, PageBlock } from './page.ts'
import { badgeWords, factSaid, marked, moneySaid, problemSaid, valueLines } from './rows.ts'

/** Returns the page of a screen outside the steps, without its question. */
export function earlyPage<E>(view: EarlyView<E>): Omit<Page, 'ask'> {
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
    inLines === undefined || label === undefined ? [] : [EARLY_TEXT.key(inLines, label)],
  )
  return [EARLY_TEXT.help, ...named].join(', ')
}

function titleOf<E>({ title, badge, waiting, parts }: EarlyView<E>): string {
  if (waiting !== undefined && parts.length === 0) return EARLY_TEXT.waiting(title, waiting.label)
  return badge === undefined ? title : EARLY_TEXT.titled(title, badgeWords(badge))
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
    ...(title === undefined ? [] : [note === undefined ? title : EARLY_TEXT.section(title, note)]),
    ...offers.map(({ label, short }) => {
      count += 1
      return EARLY_TEXT.offer(count, label, short)
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
  return EARLY_TEXT.row(
    number,
    name,
    cells.map((text, at) => EARLY_TEXT.cell(heads[at] ?? '', text)),
  )
}

/** The moments of an alarm are numbers: they alone are no news. */
function alarmSaid<E>({ alarm, isTitled, when }: Extract<EarlyPart<E>, { is: 'alarm' }>): PageBlock {
  const { id, severity, title, what, next, command } = alarm
  return {
    key: `alarm.${id}`,
    lines: [
      ...(isTitled ? [levelled(severity, title)] : []),
      what,
      ...(next === undefined ? [] : [EARLY_TEXT.next(next)]),
      ...(command === undefined ? [] : [EARLY_TEXT.nextCommand, ...commandLines(command)]),
      when,
    ],
    news: 'words',
  }
}

function detailLines(detail: Detail): string[] {
  if ('command' in detail) return [EARLY_TEXT.heading(detail.label), ...commandLines(detail.command)]
  return valueLines(detail.label, 'whole' in detail ? detail.whole : detail.value)
}

const SHELL_CELLS = 79
/** It can be copied: where it goes on in another line, a shell reads it as one. */
const commandLines = (command: string): string[] => shellLines(drawable(command), SHELL_CELLS)

const fieldLine = ({ field, state }: EarlyField): string => EARLY_TEXT.field(field.label, state.text)

/** What was found out about a text is told when it is known. */
function foundSaid({ field: { id, label }, state: { text, note, choices } }: EarlyField): PageBlock {
  const about =
    note?.text === text
      ? [marked(note.doubt === true ? 'unknown' : 'proven', EARLY_TEXT.note(label, note.words))]
      : []
  const names = choices?.text === text ? [EARLY_TEXT.choices(label, choices.names.join('  '))] : []
  return { key: `note.${id}.${text}`, lines: [...about, ...names], news: 'all' }
}
