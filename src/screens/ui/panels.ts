import { cellsOf, padRight, wrapText } from '../../core/base/format/drawable.ts'
import { nextText } from '../../core/base/format/next.ts'
import { shellLines } from '../../core/base/format/shell-lines.ts'
import { stopTitle } from '../../core/view/desk-words.ts'
import { drawable, longValueLines, sentencesOf } from '../../core/view/draw-text.ts'
import type { ChartRow, Explain, PermissionTable, Problem, TimelineRow } from '../../core/view/view.ts'
import {
  BLANK,
  line,
  paragraph,
  type ScreenLine,
  type ScreenTone,
  type Span,
  span,
  spreadLine,
  widest,
} from './line.ts'

const PART_COLUMNS = cellsOf('can it change') + 2

/** Returns the answer to `?`: what a value is, who says it, whether it can change. */
export function explainLines(
  subject: { label: string; value: string; explain: Explain },
  columns: number,
): ScreenLine[] {
  const { what, who, later } = subject.explain
  const value = subject.value === '' ? [] : longValueLines(subject.value, Math.max(8, columns - 6))
  const part = (word: string, text: string): ScreenLine[] =>
    paragraph(text, { columns, indent: PART_COLUMNS + 3 }).map((row, index) =>
      index === 0 ? [span(`   ${padRight(word, PART_COLUMNS)}`, 'accent'), ...row.slice(1)] : row,
    )
  return [
    line(` ${subject.label}`, 'strong'),
    ...value.map((text) => [span('   '), span(text)]),
    BLANK,
    ...part('what it is', what),
    BLANK,
    ...part('who says so', who),
    BLANK,
    ...part('can it change', later),
  ]
}

/**
 * Returns the equivalent shell commands, each whole. What stands there can be copied into a shell as it is.
 */
export function commandLines(commands: readonly string[], columns: number, hint?: string): ScreenLine[] {
  if (commands.length === 0) return [line(' This step has no command of its own.')]
  const room = Math.max(8, columns - 1)
  const heading = ' The same from a shell'
  return [
    ...(hint === undefined ? [line(heading)] : paragraph(`${heading.trim()}. ${hint}`, { columns })),
    ...commands.flatMap((command) => [
      BLANK,
      ...shellLines(drawable(command), room).map((text) => line(text)),
    ]),
  ]
}

/** Below this width nobody sees columns. */
const LEAST_COLUMNS = 80
const MOST_COLUMNS = 100
const GAP = 2
/** Where the sentences about one column begin. */
const INDENT = 5

/** Returns the table, or where its columns have no room its sentences, one column after the other. */
export function permissionLines(picture: PermissionTable, columns: number): ScreenLine[] {
  return columns < LEAST_COLUMNS ? listLines(picture, columns) : tableLines(picture, columns)
}

function tableLines({ columns: heads, rows, note }: PermissionTable, columns: number): ScreenLine[] {
  const label = Math.max(0, ...rows.map((row) => cellsOf(drawable(row.label))))
  const room = Math.min(columns, MOST_COLUMNS) - 1 - label - GAP
  const cell = Math.floor(room / heads.length)
  const first = (text: string) => span(` ${padRight(drawable(text), label + GAP)}`)
  const lines = rows.flatMap((row) => {
    // The last column needs no gap behind it.
    const wrapped = row.cells.map(({ short }, at) =>
      wrapText(drawable(short), at === heads.length - 1 ? cell : cell - GAP),
    )
    const height = Math.max(...wrapped.map((texts) => texts.length))
    return Array.from(
      { length: height },
      (_, at): ScreenLine => [
        first(at === 0 ? row.label : ''),
        ...row.cells.map(({ text }, column) =>
          span(padRight(wrapped[column]?.[at] ?? '', cell), text === '' ? 'dim' : 'text'),
        ),
      ],
    )
  })
  return [
    [first(''), ...heads.map((head) => span(padRight(drawable(head), cell), 'accent'))],
    ...lines,
    ...paragraph(note, { columns, tone: 'dim' }),
  ]
}

function listLines(picture: PermissionTable, columns: number): ScreenLine[] {
  const parts = sentencesOf(picture).flatMap(({ name, sentences }) => [
    line(` ${name}`, 'accent'),
    ...sentences.flatMap((sentence) => paragraph(sentence, { columns, indent: INDENT })),
    BLANK,
  ])
  return [...parts, ...paragraph(picture.note, { columns, tone: 'dim' })]
}

const DOTS: Readonly<Record<TimelineRow['state'], Span>> = {
  done: { text: '●', tone: 'good' },
  now: { text: '◉', tone: 'accent' },
  ahead: { text: '○', tone: 'dim' },
}

/** What stands behind a time has this much room, or goes below it, right of the dots. */
const LEAST_DETAIL = 16
const BELOW = 7

/**
 * The path to the active set: dot · what · when · detail, in columns; long details continue below themselves, and where there
 * is no column for them below the row.
 */
export function timelineLines(rows: readonly TimelineRow[], columns: number): ScreenLine[] {
  const label = widest(
    rows.map((row) => row.label),
    26,
  )
  const when = widest(
    rows.map((row) => row.when),
    26,
  )
  const behind = 5 + label + 2
  const beside = behind + when + 2
  const isBeside = columns - beside - 1 >= LEAST_DETAIL
  const indent = isBeside ? beside : BELOW
  const room = Math.max(LEAST_DETAIL, columns - indent - 1)
  return rows.flatMap((row) => {
    const tone = row.state === 'ahead' ? 'dim' : 'text'
    const time = drawable(row.when)
    const details = row.detail === '' ? [] : wrapText(drawable(row.detail), room)
    const { lines, below } = isBeside
      ? besideTime(time, details, when)
      : belowTime(time, details, columns - behind)
    return [
      [
        span('   '),
        DOTS[row.state],
        span(` ${padRight(drawable(row.label), label)}`, row.state === 'now' ? 'strong' : tone),
        ...(lines === '' ? [] : [span(`  ${lines}`, tone)]),
      ],
      ...below.map((text): ScreenLine => [span(`${' '.repeat(indent)}${text}`, tone)]),
    ]
  })
}

type TimeWithDetails = { lines: string; below: readonly string[] }

function besideTime(time: string, [first, ...below]: readonly string[], cells: number): TimeWithDetails {
  return { lines: first === undefined ? time : `${padRight(time, cells)}  ${first}`, below }
}

/** A time that would be cut goes below its row, too: it may be an amount. */
function belowTime(time: string, details: readonly string[], cells: number): TimeWithDetails {
  return cellsOf(time) <= cells ? { lines: time, below: details } : { lines: '', below: [time, ...details] }
}

const LEVELS = [...'▁▂▃▄▅▆▇█']

/**
 * Values beside one another, each in one cell, over the words of what became of them. Own code: libraries for charts draw
 * curves of several rows with axes, and there is room for one row.
 */
export function chartLines(rows: readonly ChartRow[], columns: number): ScreenLine[] {
  const label = Math.max(0, ...rows.map((row) => cellsOf(row.label)))
  const cells = Math.max(0, ...rows.map(({ values }) => values.length))
  return rows.map(({ label: name, values, text }) => {
    const [least, most] = [Math.min(...values), Math.max(...values)]
    const levelOf = (value: number) =>
      most === least ? 0 : Math.round(((value - least) / (most - least)) * (LEVELS.length - 1))
    const drawn = values.map((value) => LEVELS[levelOf(value)] ?? '').join('')
    const wide = columns >= 60 ? `  ${padRight(drawn, cells)}` : ''
    return [span('      '), span(padRight(name, label)), span(wide, 'accent'), span(`  ${text}`)]
  })
}

const MONEY_WORDS = {
  untouched: { text: 'money untouched ', tone: 'good' },
  unknown: { text: 'money: not known ', tone: 'warn' },
  moved: { text: 'money has moved ', tone: 'bad' },
} as const

const MAX_LABEL = 24

/** What stops the step: what, where the money is, what to do next, why; `isNamed`: what, and where the money is. */
export function problemLines(problem: Problem, columns: number, { isNamed = false } = {}): ScreenLine[] {
  const title = stopTitle(problem)
  const money = moneyOf(problem)
  const moneyRun = span(money.text, money.tone)
  const room = columns - cellsOf(money.text) - 2
  const [first = [], ...rest] = paragraph(title, { columns: Math.max(20, room), tone: 'bad' })
  const named = [spreadLine(first, [moneyRun], columns), ...rest]
  if (isNamed) return named
  return [
    ...named,
    ...[
      problem.next.flatMap((step, index) => nextLines(nextText(step), index === 0 ? 'next' : 'or', columns)),
      problem.lines.flatMap((text) => paragraph(text, { columns })),
      problem.values.flatMap((value) => valueLines(value, columns)),
    ].flatMap((part) => (part.length === 0 ? [] : [BLANK, ...part])),
  ]
}

function moneyOf({ money, lost }: Problem): { text: string; tone: ScreenTone } {
  return lost === undefined ? MONEY_WORDS[money] : { text: `${lost} lost `, tone: 'bad' }
}

function valueLines({ label, value }: Problem['values'][number], columns: number): ScreenLine[] {
  const text = drawable(label)
  const beside = cellsOf(text) <= MAX_LABEL && columns >= 60
  const indent = beside ? 3 + MAX_LABEL + 1 : 5
  const values = longValueLines(value, Math.max(8, columns - indent - 1))
  const lines = values.map(
    (piece, index): ScreenLine => [
      span(beside && index === 0 ? `   ${padRight(text, MAX_LABEL)} ` : ' '.repeat(indent)),
      span(piece, 'strong'),
    ],
  )
  return beside ? lines : [line(`   ${text}`), ...lines]
}

function nextLines(text: string, word: string, columns: number): ScreenLine[] {
  return paragraph(text, { columns, indent: 10 }).map((row, index) =>
    index === 0 ? [span(`   ${padRight(word, 7)}`, 'accent'), ...row.slice(1)] : row,
  )
}
