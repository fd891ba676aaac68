import { cellsOf, padLeft, padRight, takeCells, wrapText } from '../../core/base/format/drawable.ts'
import { nextText } from '../../core/base/format/next-text.ts'
import { drawable, stakeText } from '../../core/view/draw-text.ts'
import type { MoneyBand, RankRow, Verdict } from '../../core/view/view.ts'
import type { KeyHelp } from '../../hooks/keymap.ts'
import type { Theme } from '../theme.tsx'
import { lineCells, type ScreenLine, type ScreenTone, type Span, span } from './line.ts'

const MONEY = ' Money   '

/** The money band: never cut, never empty. In a low window only what has left the wallet, and what the next key may send. */
export function moneyLines(money: MoneyBand, columns: number, { both }: { both: boolean }): ScreenLine[] {
  const room = Math.max(1, columns - cellsOf(MONEY) - 1)
  const lines = (both ? [money.line, money.worst] : [money.line]).flatMap((text) =>
    wrapText(drawable(text), room),
  )
  return lines.map(
    (text, index): ScreenLine => [
      span(index === 0 ? MONEY : ' '.repeat(cellsOf(MONEY)), 'strong'),
      span(text),
    ],
  )
}

/**
 * The line of keys: closer together when that saves a row, else over as many rows as it takes. What is spare is named where
 * that takes no row more.
 */
export function keyLines(keys: readonly KeyHelp[], columns: number): ScreenLine[] {
  const needed = tightest(
    keys.filter(({ spare }) => spare !== true),
    columns,
  )
  const all = tightest(keys, columns)
  return all.length > needed.length ? needed : all
}

function tightest(keys: readonly KeyHelp[], columns: number): ScreenLine[] {
  const wide = keyLinesWith('   ', keys, columns)
  const close = keyLinesWith('  ', keys, columns)
  return close.length < wide.length ? close : wide
}

function keyLinesWith(gap: string, keys: readonly KeyHelp[], columns: number): ScreenLine[] {
  const lines: Span[][] = [[]]
  for (const { keys: names, label } of keys) {
    const entry = [span(names, 'accent'), span(label === '' ? '' : ` ${label}`)]
    const current = lines.at(-1) ?? []
    const lead = span(current.length === 0 ? ' ' : gap)
    if (current.length > 0 && lineCells(current) + lineCells([lead, ...entry]) > columns) {
      lines.push([span(' '), ...entry])
      continue
    }
    current.push(lead, ...entry)
  }
  return lines
}

const MOST_LINES = 2
/** Why a gate is shut is read to its end. */
const MOST_LINES_SHUT = 4
const MARK = 2
const NEXT = 'next   '

/** Where the step stands, in one line; a long one takes two. Where the gate is shut, what to do follows below it. */
export function verdictLines(
  { mark, text, next }: Verdict,
  columns: number,
  { marks }: Pick<Theme, 'marks'>,
): ScreenLine[] {
  const sign = marks[mark]
  const cells = Math.max(MARK, sign.text.length + 1)
  const verdict = partsOf(text, columns - cells - 2, next === undefined ? MOST_LINES : MOST_LINES_SHUT).map(
    (part, at): ScreenLine => [
      span(' '),
      { text: padRight(at === 0 ? sign.text : '', cells), tone: sign.tone },
      span(part, 'strong'),
    ],
  )
  const indent = ' '.repeat(cells + 1)
  const steps =
    next === undefined ? [] : partsOf(nextText(next), columns - indent.length - cellsOf(NEXT) - 1, MOST_LINES)
  return [
    ...verdict,
    ...steps.map(
      (part, at): ScreenLine => [
        span(`${indent}${padRight(at === 0 ? NEXT : '', cellsOf(NEXT))}`, 'accent'),
        span(part),
      ],
    ),
  ]
}

/** A text in at most so many lines; one that is longer ends with dots. */
function partsOf(text: string, columns: number, most: number): readonly string[] {
  const room = Math.max(1, columns)
  const parts = wrapText(drawable(text), room)
  if (parts.length <= most) return parts
  const last = parts[most - 1] ?? ''
  return [...parts.slice(0, most - 1), `${takeCells(last, Math.max(0, room - 2)).trimEnd()} …`]
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const MAX_BAR = 32

/** Returns a bar of `cells` at most for `part` of `whole`, in steps of an eighth of a cell. */
export function barText(part: bigint, whole: bigint, cells: number): string {
  if (whole <= 0n || part <= 0n) return ''
  const eighths = Number((part * BigInt(cells * 8)) / whole)
  return `${'█'.repeat(Math.floor(eighths / 8))}${EIGHTHS[eighths % 8] ?? ''}`
}

const RANK_INDENT = 5

/**
 * The rank table of stakes around the user's place: rank, bar, stake, note, which says which row is the user's own. A line behind
 * the last place is the cutoff, and a colon stands for ranks that are left out.
 */
export function rankLines(rows: readonly RankRow[], columns: number): ScreenLine[] {
  const most = rows.reduce((top, row) => (row.stakeGwei > top ? row.stakeGwei : top), 0n)
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(cellsOf))
  const rank = widest(rows.map((row) => `${row.rank}`))
  const stake = widest(rows.map((row) => stakeText(row.stakeGwei)))
  const note = widest(rows.map((row) => drawable(row.note)))
  const bar = Math.max(0, Math.min(MAX_BAR, columns - RANK_INDENT - rank - 2 - 2 - stake - 3 - note - 1))
  const rowLine = (row: RankRow): ScreenLine => [
    span(' '.repeat(RANK_INDENT)),
    span(`${padLeft(`${row.rank}`, rank)}  `, row.mine ? 'strong' : 'dim'),
    span(padRight(barText(row.stakeGwei, most, bar), bar), row.mine ? 'accent' : 'dim'),
    span(`  ${padLeft(stakeText(row.stakeGwei), stake)}`, row.mine ? 'strong' : 'text'),
    span(`   ${drawable(row.note)}`, noteTone(row)),
  ]
  const gap: ScreenLine = [span(`${' '.repeat(RANK_INDENT)}${padLeft(':', rank)}`, 'dim')]
  return rows.flatMap((row, index) => {
    const [above, below] = [rows[index - 1], rows[index + 1]]
    const isLast = row.hasPlace && below?.hasPlace === false
    const line = isLast ? withRule(rowLine(row), columns) : rowLine(row)
    return above !== undefined && row.rank > above.rank + 1 ? [gap, line] : [line]
  })
}

/** A line with a rule behind it, up to the edge. */
function withRule(line: ScreenLine, columns: number): ScreenLine {
  const room = columns - lineCells(line) - 2
  return room < 1 ? line : [...line, span(` ${'─'.repeat(room)}`, 'dim')]
}

function noteTone({ mine, hasPlace }: RankRow): ScreenTone {
  if (!mine) return 'dim'
  return hasPlace ? 'strong' : 'bad'
}
