import { isWide } from '../../core/base/format/drawable.ts'
import { CURSOR, type ScreenLine, type ScreenTone, span } from './line.ts'

/** Rows that a text with the cursor in it may take; of a longer one those around the cursor are seen. */
const MAX_TEXT_ROWS = 4

/** A text that is being typed over rows of at most `room` cells, with the terminal's own cursor in it. */
export function inputLines(
  { text, cursor }: { text: string; cursor: number },
  { room, tone }: { room: number; tone: ScreenTone },
): ScreenLine[] {
  // Behind the last character there is a place for the cursor.
  const rows = chop([...text, ' '], room)
  let start = 0
  const lines = rows.map((places, index) => {
    const at = cursor - start
    start += places.length
    const has = at >= 0 && at < places.length
    const cells = index === rows.length - 1 ? places.slice(0, -1) : places
    const piece = (from: number, to?: number) => span(cells.slice(from, to).join(''), tone)
    return { has, line: has ? [piece(0, at), CURSOR, piece(at)] : [piece(0)] }
  })
  const last = Math.max(MAX_TEXT_ROWS, lines.findIndex(({ has }) => has) + 1)
  return lines.slice(last - MAX_TEXT_ROWS, last).map(({ line }) => line)
}

/** Characters over as many rows of at most `cells` as they take. */
export function chop(characters: readonly string[], cells: number): string[][] {
  const rows: string[][] = [[]]
  let used = 0
  for (const character of characters) {
    const width = isWide(character) ? 2 : 1
    if (used + width > cells) {
      rows.push([])
      used = 0
    }
    rows.at(-1)?.push(character)
    used += width
  }
  return rows
}
