import { padLeft, padRight, wrapText } from '../../core/base/format/drawable.ts'
import { shellLines } from '../../core/base/format/shell-lines.ts'
import type { Detail } from '../../core/view/alarm-view.ts'
import { cutText, drawable, longValueLines } from '../../core/view/draw-text.ts'
import type { EarlyPart, Urgency } from '../../core/view/early-view.ts'
import {
  BLANK,
  keyedRows,
  line,
  paragraph,
  type ScreenLine,
  type ScreenRow,
  type ScreenTone,
  span,
} from './line.ts'

type Part<I, E = unknown> = Extract<EarlyPart<E>, { is: I }>

const TONES: Readonly<Record<Urgency, ScreenTone>> = {
  critical: 'bad',
  warning: 'warn',
  info: 'text',
  well: 'good',
  unknown: 'warn',
}
const MARKS: Readonly<Record<Urgency, string>> = {
  critical: '✘',
  warning: '!',
  info: 'i',
  well: '✔',
  unknown: '?',
}

/** Returns how it stands with all that is watched, in one sentence. */
export function watchVerdictLines({ text, level }: Part<'verdict'>, columns: number): ScreenLine[] {
  return paragraph(`${MARKS[level]} ${text}`, { columns, tone: TONES[level] })
}

/** The columns of the table: name, status (as long as the longest one), rank, stake, margin; the last takes what is left. */
const COLUMNS = [
  (text: string) => padRight(cutText(text, 13), 13),
  (text: string) => padRight(cutText(text, 19), 19),
  (text: string) => padLeft(text, 9),
  (text: string) => padLeft(text, 11),
  (text: string) => padLeft(text, 11),
] as const

/** A table whose chosen row has the cursor. */
export function tableScreenRows<E>({ head, rows, chosen }: Part<'table', E>): ScreenRow[] {
  return [
    ...keyedRows('head', [tableLine(head, { tone: 'dim', lead: '   ' })]),
    ...rows.map(({ id, cells, needs }, at): ScreenRow => {
      const tone = needs === undefined ? 'text' : TONES[needs]
      return {
        key: id,
        focused: at === chosen,
        line: tableLine(cells, { tone, lead: at === chosen ? ' ▶ ' : '   ' }),
      }
    }),
  ]
}

function tableLine(cells: readonly string[], { tone, lead }: { tone: ScreenTone; lead: string }): ScreenLine {
  const drawn = cells.map((text, at) => COLUMNS[at]?.(text) ?? ` ${text}`)
  return [span(lead, 'accent'), span(drawn.join(' '), tone)]
}

/** An alarm that stands: what is so, what helps, since when. */
export function alarmLines({ alarm, isTitled, when }: Part<'alarm'>, columns: number): ScreenLine[] {
  const { severity, title, what, next, command } = alarm
  const tone = TONES[severity]
  return [
    ...(isTitled ? paragraph(`${MARKS[severity]} ${title}`, { columns, indent: 3, tone }) : []),
    ...paragraph(what, { columns, indent: 5 }),
    ...(next === undefined ? [] : paragraph(next, { columns, indent: 5, tone: 'accent' })),
    ...(command === undefined ? [] : accentLines(command, columns)),
    ...paragraph(when, { columns, indent: 5, tone: 'dim' }),
  ]
}

const accentLines = (command: string, columns: number): ScreenLine[] =>
  shellLines(drawable(command), columns - 1).map((text) => line(text, 'accent'))

const LABEL_CELLS = 16

/** One thing that is known, beside its label; a command stands below, so that it can be copied. */
export function detailLines(detail: Detail, columns: number): ScreenLine[] {
  const label = span(`   ${padRight(detail.label, LABEL_CELLS)} `, 'dim')
  const margin = span(' '.repeat(LABEL_CELLS + 4))
  const room = columns - LABEL_CELLS - 5
  if ('command' in detail) return [BLANK, [label], ...accentLines(detail.command, columns)]
  const lines =
    'whole' in detail ? longValueLines(detail.whole, room) : wrapText(drawable(detail.value), room)
  return lines.map((text, at) => [at === 0 ? label : margin, span(text)])
}
