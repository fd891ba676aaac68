import type { Row } from './line.ts'

/** Which rows of the content are on the screen. `top` and `bottom` count terminal rows. */
export type ScrollWindow = {
  rows: readonly Row[]
  top: number
  maxTop: number
  pageRows: number
  above: boolean
  below: boolean
}

const heightOf = (row: Row): number => ('line' in row ? 1 : row.height)

/**
 * The part of the content that fits into `height` rows: from `top`, or so that the focused rows can be seen when
 * `top` is `follow`. One row is kept free for the hint when something does not fit.
 */
export function scrollWindow(content: readonly Row[], height: number, top: number | 'follow'): ScrollWindow {
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

function followTop(content: readonly Row[], pageRows: number): number {
  let offset = 0
  let first: number | undefined
  let last = 0
  for (const row of content) {
    const next = offset + heightOf(row)
    if (row.focused === true) {
      first ??= offset
      last = next
    }
    offset = next
  }
  if (first === undefined || last <= pageRows) return 0
  return Math.min(first, last - pageRows + 1)
}

function visibleRows(content: readonly Row[], from: number, pageRows: number): Row[] {
  const rows: Row[] = []
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
