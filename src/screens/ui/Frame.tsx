import { Box, useCursor } from 'ink'
import { cellsOf, padLeft, padRight, takeCells, wrapText } from '../../core/base/format/drawable.ts'
import { nextText } from '../../core/base/format/next.ts'
import { drawable, stakeText } from '../../core/view/draw-text.ts'
import { STEP_NAMES_TEXT } from '../../core/view/text.ts'
import type { MoneyBand, RankRow, StepId, Verdict } from '../../core/view/view.ts'
import { type KeyHelp, lockedHelp } from '../../hooks/keymap.ts'
import { type SecretWait, secretSentences } from '../../hooks/secret-gate.ts'
import type { NetworkBadge } from '../../hooks/shell.tsx'
import type { Theme } from '../theme.tsx'
import {
  BLANK,
  cursorOf,
  fitLine,
  keyedRows,
  line,
  lineCells,
  paragraph,
  ruleLine,
  type ScreenLine,
  type ScreenRow,
  type ScreenTone,
  type ScrollWindow,
  type Span,
  scrollWindow,
  span,
  spreadLine,
} from './line.ts'
import { Rows } from './lines.tsx'

/** The network in words and tone: what kind of money this is, in every frame. */
function networkRun(network: NetworkBadge): Span {
  switch (network.kind) {
    case 'real':
      return span(` REAL MONEY · ${network.label} `, 'alarm')
    case 'test':
      return span(`TEST · ${network.label} `, 'warn')
    case 'rehearsal':
      return span('REHEARSAL · play money ', 'accent')
  }
}

/** The top line: the program's name and the network. */
function headerLine(network: NetworkBadge | undefined, columns: number): ScreenLine {
  return spreadLine(line(' Bearings', 'strong'), network === undefined ? [] : [networkRun(network)], columns)
}

const STEPS = Object.keys(STEP_NAMES_TEXT.of) as StepId[]

/** `step 3 of 7` */
export function stepNumber(step: StepId): string {
  return `step ${STEPS.indexOf(step) + 1} of ${STEPS.length}`
}

/** The path through the steps: done, here, ahead; in short form where the long one does not fit. */
function stepBar(step: StepId, columns: number): ScreenLine {
  const here = STEPS.indexOf(step)
  const long = STEPS.flatMap((id, index): Span[] => {
    const joint = index === 0 ? ' ' : ' ─ '
    return [
      span(joint, 'dim'),
      dot(index, here),
      span(` ${STEP_NAMES_TEXT.of[id].name}`, index === here ? 'strong' : 'dim'),
    ]
  })
  if (lineCells(long) <= columns) return long
  return [
    span(' '),
    ...STEPS.map((_, index) => dot(index, here)),
    span(` ${STEP_NAMES_TEXT.of[step].name}`, 'strong'),
  ]
}

function dot(index: number, here: number): Span {
  if (index < here) return span('●', 'good')
  return index === here ? span('◉', 'accent') : span('○', 'dim')
}

export type FrameInput = {
  columns: number
  rows: number
  network: NetworkBadge | undefined
  /** Absent where no step is entered yet. */
  step: StepId | undefined
  /** First row of the content, which stays when the rest scrolls. */
  title: ScreenLine
  /** What stays below the title: where the step stands. */
  verdict?: readonly ScreenLine[]
  content: readonly ScreenRow[]
  /** The same with less prose, for where there is no room for all of it; each denser than the one before. */
  denser?: readonly (() => readonly ScreenRow[])[]
  /** What stands at the right of the content, from which column on; it does not scroll. */
  beside?: { left: number; lines: readonly ScreenLine[] }
  /** Last rows of the content, which stay as well. */
  foot: readonly ScreenRow[]
  money: MoneyBand
  keys: readonly KeyHelp[]
  /** Where no key acts, as a password may be typed: that stands in the place of the keys. */
  secret: SecretWait | undefined
  top: number | 'follow'
}

/** A whole frame, cut to the terminal: rows from top to bottom, and what of the content is seen. */
export type FrameLayout = {
  columns: number
  height: number
  rows: readonly ScreenRow[]
  window: ScrollWindow
}

const ROOMY_ROWS = 18
/** Of the content so many rows are wanted before the step bar and the title may stay. */
const LEAST_CONTENT_ROWS = 3

/**
 * Lays the four bands out: where, facts, money, keys, always in the same places and exactly as high as the
 * terminal. Only the facts scroll. In a low terminal the rules and blank lines go first, then the step bar, then the title.
 */
export function layoutFrame(input: FrameInput): FrameLayout {
  const { columns, rows, step, secret } = input
  const roomy = rows >= ROOMY_ROWS
  const rule = roomy ? [ruleLine(columns)] : []
  const money = moneyLines(input.money, columns, { both: roomy })
  const keys = keyLines(secret === undefined ? input.keys : lockedHelp(secret), columns)
  const foot = secret === undefined ? input.foot : [...input.foot, ...secretRows(secret, columns)]
  const footCells = cellsHigh(foot)
  const below = money.length + keys.length + 2 * rule.length + footCells
  const room = rows - below - 1 - (input.verdict?.length ?? 0) - LEAST_CONTENT_ROWS
  const where = [
    headerLine(input.network, columns),
    ...(step === undefined || room < 2 ? [] : [stepBar(step, columns)]),
    ...rule,
    ...(room < 1 ? [] : [input.title]),
    ...(input.verdict ?? []),
    ...(roomy ? [BLANK] : []),
  ]
  const bands = where.length + below
  const height = Math.max(0, rows - bands)
  const content = fitting(input, height)
  const window = scrollWindow(content, height, input.top)
  if (bands > rows) {
    const urgent = keyedRows('urgent', urgentLines(input, { first: where[0] ?? BLANK, keys }))
    return { columns, height: rows, rows: urgent, window }
  }
  const all = [
    ...keyedRows('where', where),
    ...withBeside(padded(window, height, columns), input.beside),
    ...foot,
    ...keyedRows('rule.money', rule),
    ...keyedRows('money', money),
    ...keyedRows('rule.keys', rule),
    ...keyedRows('keys', keys),
  ]
  return { columns, height: rows, rows: all, window }
}

function secretRows(secret: SecretWait, columns: number): ScreenRow[] {
  const text = secretSentences(secret).join(' ')
  return keyedRows('secret', paragraph(text, { columns, tone: 'warn' }))
}

/** The rows with a pane at their right, as far as it has lines. */
function withBeside(rows: readonly ScreenRow[], beside: FrameInput['beside']): readonly ScreenRow[] {
  if (beside === undefined) return rows
  const { left, lines } = beside
  return rows.map((row, at): ScreenRow => {
    const pane = lines[at]
    if (pane === undefined || !('line' in row)) return row
    const line = fitLine(row.line, left)
    return { ...row, line: [...line, span(' '.repeat(left - lineCells(line))), span('│ ', 'dim'), ...pane] }
  })
}

/** The first version of the content that has room, else the densest; a denser one is made only where it is needed. */
function fitting({ content, denser = [] }: FrameInput, height: number): readonly ScreenRow[] {
  let rows = content
  for (const make of denser) {
    if (cellsHigh(rows) <= height) break
    rows = make()
  }
  return rows
}

const cellsHigh = (rows: readonly ScreenRow[]): number =>
  rows.reduce((sum, row) => sum + ('line' in row ? 1 : row.height), 0)

function padded(window: ScrollWindow, height: number, columns: number): ScreenRow[] {
  const used = cellsHigh(window.rows)
  const cut = window.above || window.below
  const hint = cut ? [hintLine(window, columns)] : []
  const blanks = Math.max(0, height - used - hint.length)
  const filler = Array.from({ length: blanks }, () => BLANK)
  return [...window.rows, ...keyedRows('filler', filler), ...keyedRows(`hint.${columns}`, hint)].slice(
    0,
    height,
  )
}

const HINT_COLUMNS = 48

function hintLine({ above, below }: ScrollWindow, columns: number): ScreenLine {
  if (above && below && columns < HINT_COLUMNS) return line('   ↑ more (PgUp)   ↓ more (PgDn)', 'accent')
  if (above && below) return line('   ↑ more above (PgUp)   ↓ more below (PgDn)', 'accent')
  return line(below ? '   ↓ more below (PgDn)' : '   ↑ more above (PgUp)', 'accent')
}

/** Behind a whole word: an amount is not cut. */
const MORE = ' …'

/**
 * Where even the bands do not fit: the top line and the keys, and between them of the money what it begins with, which says
 * what has left the wallet; what is left out of it is marked.
 */
function urgentLines(
  { columns, rows, money }: FrameInput,
  { first, keys }: { first: ScreenLine; keys: readonly ScreenLine[] },
): ScreenLine[] {
  if (rows <= 1) return rows <= 0 ? [] : [first]
  const shown = keys.slice(-(rows - 1))
  const room = rows - 1 - shown.length
  const texts = wrapText(drawable(money.line), Math.max(1, columns - MORE.length - 1))
  const kept = texts.slice(0, room)
  const lines = kept.map((text, at) =>
    line(` ${text}${at < texts.length - 1 && at === room - 1 ? MORE : ''}`),
  )
  return [first, ...lines, ...shown]
}

/** Draws a laid-out frame and puts the terminal's cursor in it. */
export function Frame({ layout }: { layout: FrameLayout }) {
  const { setCursorPosition } = useCursor()
  setCursorPosition(cursorOf(layout.rows, layout.columns))
  return (
    <Box flexDirection="column" width={layout.columns} height={layout.height} overflow="hidden">
      <Rows rows={layout.rows} columns={layout.columns} />
    </Box>
  )
}

const MONEY = ' Money   '

/** The money band: never cut, never empty. In a low window only what has left the wallet, and what the next key may send. */
function moneyLines(money: MoneyBand, columns: number, { both }: { both: boolean }): ScreenLine[] {
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
