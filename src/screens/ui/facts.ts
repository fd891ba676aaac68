import { cellsOf, padLeft, padRight, wrapText } from '../../core/base/format/drawable.ts'
import { cutText, drawable, longValueLines } from '../../core/view/draw-text.ts'
import type { FactRow, Mark } from '../../core/view/view.ts'
import { ageText } from '../../hooks/shell.tsx'
import type { Theme } from '../theme.tsx'
import { keyedRows, type ScreenLine, type ScreenRow, span, widest } from './line.ts'

/** Which good rows share a line: those of one source, all without a long value, or all. */
export type Folding = 'by source' | 'short' | 'all'

export type FactOptions = {
  columns: number
  marks: Theme['marks']
  /** Arrows cannot be drawn. */
  ascii?: boolean
  /** Monotonic time now, for the ages. */
  nowMs: number
  selectedId?: string | undefined
  folded?: Folding | undefined
  /** A text is typed: the arrows show no rows then. */
  typing?: boolean
}

type Widths = { label: number; value: number; source: number }

const MARGIN = 3
const MARK = 3
const GAP = 2
const AGE = 8
const MAX_LABEL = 28
const MAX_LABEL_SHARE = 0.36
const MAX_SOURCE = 22
const MIN_VALUE = 14
/** Cells of an address in groups of four: long values are placed so that it fits on one line. */
const ADDRESS = 51
const MAX_COLUMN_LINES = 2
/** Wider than this the source of a fact is too far from its value. */
export const MOST_COLUMNS = 100

/**
 * Facts as rows in columns that stay where they are: mark · label · value · source · age. A value too long for
 * its column goes on below, over the whole width; in a narrow terminal source and age go below.
 */
export function factRows(facts: readonly FactRow[], options: FactOptions): ScreenRow[] {
  const columns = Math.min(options.columns, MOST_COLUMNS)
  const widths = widthsFor(facts, columns)
  const within = { ...options, columns }
  if (options.folded === 'all' || options.folded === 'short') return allFolded(facts, widths, within)
  const groups = options.folded === 'by source' ? groupsOf(facts) : facts.map((fact) => [fact])
  return groups.flatMap((group) => {
    const [fact, ...more] = group
    if (fact === undefined) return []
    const lines = more.length === 0 ? factLines(fact, widths, within) : sharedLines(group, widths, within)
    return keyedRows(`fact.${fact.id}`, lines, { focused: fact.id === options.selectedId })
  })
}

/** One line for everything that is good, behind what is not and what must be read whole. */
function allFolded(facts: readonly FactRow[], widths: Widths, options: FactOptions): ScreenRow[] {
  const all = facts.filter(({ mark }) => mark !== 'unasked' && mark !== 'given')
  const passed = all.filter(({ mark }) => mark === 'proven')
  const isGood = ({ mark, long }: FactRow) =>
    (mark === 'proven' || (mark === 'given' && passed.length > 0)) &&
    (options.folded === 'all' || long === undefined)
  const good = facts.filter(isGood)
  const others = facts.filter((fact) => !isGood(fact) && fact.mark !== 'unasked')
  const { marks, nowMs } = options
  const oldest = Math.max(0, ...good.map(({ learntAtMs = nowMs }) => nowMs - learntAtMs))
  const words = foldedWords(`${passed.length} of ${all.length}`, options)
  const { text, tone } = marks.proven
  const age = `   oldest answer ${ageText(oldest)}`
  const isRoom = MARGIN + MARK + cellsOf(words + age) < options.columns
  const shared: ScreenLine = [
    span(' '.repeat(MARGIN)),
    { text: padRight(text, MARK), tone },
    span(words),
    ...(isRoom ? [span(age, 'dim')] : []),
  ]
  const rows = others.flatMap((fact) => keyedRows(`fact.${fact.id}`, factLines(fact, widths, options)))
  return good.length === 0 ? rows : [...rows, ...keyedRows('fact.folded', [shared])]
}

/** How many checks pass, with the key that shows them, in what room there is. */
function foldedWords(count: string, { columns, ascii = false, typing = false }: FactOptions): string {
  if (typing) return `${count} checks pass`
  const down = ascii ? 'Down' : '↓'
  const long = `${count} checks pass; ${down} shows each`
  return MARGIN + MARK + cellsOf(long) < columns ? long : `${count} pass; ${down} shows each`
}

const SHARING: readonly Mark[] = ['proven', 'given', 'unasked']

/** Rows that may share a line, each group where its first one stood. */
function groupsOf(facts: readonly FactRow[]): readonly (readonly FactRow[])[] {
  const shares = ({ mark, long }: FactRow) => SHARING.includes(mark) && long === undefined
  const groups = new Map<string, FactRow[]>()
  for (const fact of facts) {
    const key = shares(fact) ? `${fact.mark} ${fact.source}` : fact.id
    groups.set(key, [...(groups.get(key) ?? []), fact])
  }
  return [...groups.values()]
}

/** The labels of several good rows over the columns of label and value, with what they have in common behind. */
function sharedLines(group: readonly FactRow[], widths: Widths, { marks, nowMs }: FactOptions): ScreenLine[] {
  const [{ mark, source }] = group as readonly [FactRow]
  const oldest = Math.max(...group.map(({ learntAtMs = nowMs }) => nowMs - learntAtMs))
  const hasMark = group.some(({ learntAtMs }) => learntAtMs !== undefined)
  const labels = wrapText(
    drawable(group.map(({ label }) => label).join(', ')),
    widths.label + GAP + widths.value,
  )
  const { text, tone } = marks[mark]
  const origin = mark === 'unasked' && source === '' ? 'not asked' : source
  return labels.map((part, at): ScreenLine => {
    const behind =
      at > 0 || widths.source === 0
        ? []
        : [
            span(`${' '.repeat(GAP)}${padRight(drawable(origin), widths.source)}`, 'dim'),
            span(`${' '.repeat(GAP)}${padLeft(hasMark ? ageText(oldest) : '', AGE)}`, 'dim'),
          ]
    return [
      span(' '.repeat(MARGIN)),
      { text: padRight(at === 0 ? text : '', MARK), tone },
      span(padRight(part, widths.label + GAP + widths.value)),
      ...behind,
    ]
  })
}

function widthsFor(facts: readonly FactRow[], columns: number): Widths {
  const label = Math.min(
    widest(
      facts.map((fact) => fact.label),
      MAX_LABEL,
    ),
    Math.floor(columns * MAX_LABEL_SHARE),
  )
  const source = widest(
    facts.map((fact) => fact.source),
    MAX_SOURCE,
  )
  const left = MARGIN + MARK + label + GAP
  const value = columns - left - GAP - source - GAP - AGE - 1
  if (value >= MIN_VALUE) return { label, value, source }
  return { label, value: Math.max(1, columns - left - 1), source: 0 }
}

function factLines(fact: FactRow, widths: Widths, options: FactOptions): ScreenLine[] {
  const { columns, marks, nowMs } = options
  const chosen = fact.id === options.selectedId
  const mark = marks[fact.mark]
  const [label = '', ...moreLabel] = wrapText(drawable(fact.label), widths.label)
  const age = fact.learntAtMs === undefined ? '' : ageText(nowMs - fact.learntAtMs)
  const body = bodyLines(fact, widths, age, columns)
  const first = [
    span(chosen ? ' ▶ ' : '   ', 'accent'),
    { text: padRight(mark.text, MARK), tone: mark.tone },
    span(padRight(label, widths.label), chosen ? 'chosen' : 'text'),
    ...(body.beside[0] ?? []),
  ]
  const count = Math.max(body.beside.length, moreLabel.length + 1)
  const rest = Array.from(
    { length: count - 1 },
    (_, index): ScreenLine => [
      span(`${' '.repeat(MARGIN + MARK)}${padRight(moreLabel[index] ?? '', widths.label)}`),
      ...(body.beside[index + 1] ?? []),
    ],
  )
  return [first, ...rest, ...body.below]
}

type Body = { beside: readonly ScreenLine[]; below: readonly ScreenLine[] }

function bodyLines(fact: FactRow, widths: Widths, age: string, columns: number): Body {
  const value = drawable(fact.value)
  const long = fact.long ?? ''
  const underValue = MARGIN + MARK + widths.label + GAP
  if (value === '' && fact.source === '' && long !== '' && underValue + ADDRESS < columns) {
    const room = columns - underValue - 1
    return {
      beside: longValueLines(long, room).map((text): ScreenLine => [span(`${' '.repeat(GAP)}${text}`)]),
      below: [],
    }
  }
  const indent = Math.min(underValue, Math.max(MARGIN + MARK + GAP, columns - ADDRESS - 2))
  const room = Math.max(1, columns - indent - 1)
  const lower = (texts: readonly string[]): ScreenLine[] =>
    texts.map((text) => [span(`${' '.repeat(indent)}${text}`)])
  const longLines = long === '' ? [] : lower(longValueLines(long, room))
  // With nothing to its right a value has the whole width.
  if (fact.source === '' && age === '')
    return { beside: aloneLines(wrapText(value, columns - underValue - 1), fact), below: longLines }
  if (widths.source === 0) return { beside: narrowLines(value, fact, widths, age), below: longLines }
  const inColumn = wrapText(value, widths.value)
  if (inColumn.length <= MAX_COLUMN_LINES) {
    return { beside: columnLines(inColumn, fact, widths, age), below: longLines }
  }
  const [first = ''] = inColumn
  const rest = value.slice(first.length).trimStart()
  return {
    beside: columnLines([first], fact, widths, age),
    below: [...lower(wrapText(rest, room)), ...longLines],
  }
}

const valueTone = ({ mark }: FactRow) => (mark === 'unknown' ? 'warn' : 'text')

const aloneLines = (values: readonly string[], fact: FactRow): ScreenLine[] =>
  values.map((text) => [span(`${' '.repeat(GAP)}${text}`, valueTone(fact))])

function columnLines(values: readonly string[], fact: FactRow, widths: Widths, age: string): ScreenLine[] {
  const sources = wrapText(drawable(fact.source), widths.source)
  const gap = ' '.repeat(GAP)
  return Array.from(
    { length: Math.max(values.length, sources.length) },
    (_, index): ScreenLine => [
      span(`${gap}${padRight(values[index] ?? '', widths.value)}`, valueTone(fact)),
      span(`${gap}${padRight(sources[index] ?? '', widths.source)}`, 'dim'),
      span(`${gap}${padLeft(index === 0 ? age : '', AGE)}`, 'dim'),
    ],
  )
}

function narrowLines(value: string, fact: FactRow, widths: Widths, age: string): ScreenLine[] {
  const origin = [drawable(fact.source), age].filter((text) => text !== '').join(' · ')
  const values = wrapText(value, widths.value).map((text): ScreenLine => [span(`${' '.repeat(GAP)}${text}`)])
  if (origin === '') return values
  return [...values, [span(`${' '.repeat(GAP)}${cutText(origin, widths.value)}`, 'dim')]]
}
