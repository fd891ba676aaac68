import type { ReactNode } from 'react'
import { cellsOf, takeCells, wrapText } from '../../core/base/format/drawable.ts'
import { cutText, drawable } from '../../core/view/draw-text.ts'
import type { MarkTone } from '../../core/view/marks.ts'

/** What a piece of text means; the theme decides how that looks, never by colour alone. */
export type ScreenTone = MarkTone | 'strong' | 'accent' | 'alarm' | 'chosen'

/** A piece of one line with one meaning; `cursor` where the terminal's own cursor stands before it. */
export type Span = { text: string; tone: ScreenTone; cursor?: true }

/** One row of the terminal. */
export type ScreenLine = readonly Span[]

/** Returns a piece of text; whatever it holds, it stays drawable and on its line. */
export function span(text: string, tone: ScreenTone = 'text'): Span {
  return { text: drawable(text), tone }
}

/** Returns a line of one piece. */
export function line(text: string, tone: ScreenTone = 'text'): ScreenLine {
  return [span(text, tone)]
}

/** Returns the cells that the widest of the texts takes, `most` at most. */
export function widest(texts: readonly string[], most: number): number {
  return Math.min(most, Math.max(0, ...texts.map((text) => cellsOf(drawable(text)))))
}

/** Where the terminal's own cursor stands: no cell of its own. One at most on a screen. */
export const CURSOR: Span = { text: '', tone: 'text', cursor: true }

export const BLANK: ScreenLine = []

/** Cells that a line takes. */
export function lineCells(row: ScreenLine): number {
  return row.reduce((sum, piece) => sum + cellsOf(piece.text), 0)
}

/** Returns the line within `columns`, with `…` where something is cut off. */
export function fitLine(row: ScreenLine, columns: number): ScreenLine {
  if (lineCells(row) <= columns) return row
  const fitted: Span[] = []
  let room = columns
  for (const piece of row) {
    const last = cellsOf(piece.text) >= room
    fitted.push({ ...piece, text: last ? cutText(`${piece.text} `, room) : piece.text })
    if (last) return fitted
    room -= cellsOf(piece.text)
  }
  return fitted
}

/** `left` at the left edge and `right` at the right edge of `columns`; the left one gives way. */
export function spreadLine(left: ScreenLine, right: ScreenLine, columns: number): ScreenLine {
  const rightCells = Math.min(lineCells(right), columns)
  const leftFitted = fitLine(left, Math.max(0, columns - rightCells - 1))
  const gap = columns - rightCells - lineCells(leftFitted)
  return [...leftFitted, span(' '.repeat(Math.max(0, gap))), ...fitLine(right, columns)]
}

/** Returns a sentence over the lines it takes, each indented. */
export function paragraph(
  text: string,
  options: { columns: number; indent?: number; tone?: ScreenTone },
): ScreenLine[] {
  const { columns, indent = 1, tone = 'text' } = options
  const margin = span(' '.repeat(Math.min(indent, Math.max(0, columns - 1))))
  return wrapText(drawable(text), columns - margin.text.length - 1).map((piece) => [
    margin,
    span(piece, tone),
  ])
}

/** Returns a rule across `columns`. */
export function ruleLine(columns: number): ScreenLine {
  return [{ text: takeCells('─'.repeat(columns), columns), tone: 'dim' }]
}

/** A row of the content: a line, or one that only a component can draw, of a known height. */
export type ScreenRow = { key: string; focused?: boolean } & (
  | { line: ScreenLine }
  | { node: ReactNode; height: number; lines?: readonly ScreenLine[] }
)

/** Where the terminal's own cursor stands in these rows, in cells from their corner; undefined where it is not seen. */
export function cursorOf(rows: readonly ScreenRow[], columns: number): { x: number; y: number } | undefined {
  const lines = rows.flatMap((row) => {
    if ('line' in row) return [row.line]
    return Array.from({ length: row.height }, (_, at) => row.lines?.[at] ?? BLANK)
  })
  for (const [y, whole] of lines.entries()) {
    const row = fitLine(whole, columns)
    const at = row.findIndex(({ cursor }) => cursor)
    if (at !== -1) return { x: Math.min(columns - 1, lineCells(row.slice(0, at))), y }
  }
  return undefined
}

/** Lines as rows with keys of their own. */
export function keyedRows(
  prefix: string,
  lines: readonly ScreenLine[],
  options: { focused?: boolean } = {},
): ScreenRow[] {
  return lines.map((row, index) => ({
    key: `${prefix}.${index}`,
    line: row,
    focused: options.focused === true,
  }))
}

/** Which rows of the content are on the screen. `top` and `bottom` count terminal rows. */
export type ScrollWindow = {
  rows: readonly ScreenRow[]
  top: number
  maxTop: number
  pageRows: number
  above: boolean
  below: boolean
}

const heightOf = (row: ScreenRow): number => ('line' in row ? 1 : row.height)

/**
 * The part of the content that fits into `height` rows: from `top`, or so that the focused rows can be seen when
 * `top` is `follow`. One row is kept free for the hint when something does not fit.
 */
export function scrollWindow(
  content: readonly ScreenRow[],
  height: number,
  top: number | 'follow',
): ScrollWindow {
  const total = content.reduce((sum, row) => sum + heightOf(row), 0)
  const fits = total <= height
  const pageRows = Math.max(0, fits ? height : height - 1)
  const maxTop = Math.max(0, total - pageRows)
  const from = Math.min(maxTop, Math.max(0, top === 'follow' ? followTop(content, pageRows) : top))
  return {
    rows: visibleRows(content, from, pageRows),
    top: from,
    maxTop,
    pageRows,
    above: from > 0,
    below: from < maxTop,
  }
}

/** Where a page with the focused rows begins: at the first row of a part, so that no sentence is cut above. */
function followTop(content: readonly ScreenRow[], pageRows: number): number {
  let offset = 0
  const starts: number[] = []
  let first: number | undefined
  let last = 0
  for (const row of content) {
    const next = offset + heightOf(row)
    if (!('line' in row) || (row.key.endsWith('.0') && !row.key.startsWith('gap.'))) starts.push(offset)
    if (row.focused === true) {
      first ??= offset
      last = next
    }
    offset = next
  }
  if (first === undefined || last <= pageRows) return 0
  const top = Math.min(first, last - pageRows + 1)
  return starts.find((start) => start >= top && start <= first) ?? top
}

function visibleRows(content: readonly ScreenRow[], from: number, pageRows: number): ScreenRow[] {
  const rows: ScreenRow[] = []
  let offset = 0
  let room = pageRows
  for (const row of content) {
    const start = offset
    offset += heightOf(row)
    if (offset <= from || room <= 0) continue
    const height = Math.min(offset - Math.max(start, from), room)
    room -= height
    rows.push('line' in row ? row : { ...row, height })
  }
  return rows
}
