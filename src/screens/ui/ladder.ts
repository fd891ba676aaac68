import type { LadderRow } from '../../core/steps/view.ts'
import { type Line, lineCells, run, type Tone } from './line.ts'
import { cellsOf, drawable, padLeft, padRight, stakeText } from './text.ts'

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const MAX_BAR = 32

/** A bar of `cells` at most for `part` of `whole`, in steps of an eighth of a cell. */
export function barText(part: bigint, whole: bigint, cells: number): string {
  if (whole <= 0n || part <= 0n) return ''
  const eighths = Number((part * BigInt(cells * 8)) / whole)
  return `${'█'.repeat(Math.floor(eighths / 8))}${EIGHTHS[eighths % 8] ?? ''}`
}

/**
 * The ladder of stakes around the user's place: rank, bar, stake, note; the user's own row is marked. A line behind
 * the last seat is the cut, and a colon stands for ranks that are left out.
 */
export function ladderLines(rows: readonly LadderRow[], columns: number): Line[] {
  const most = rows.reduce((top, row) => (row.stakeGwei > top ? row.stakeGwei : top), 0n)
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(cellsOf))
  const rank = widest(rows.map((row) => `${row.rank}`))
  const stake = widest(rows.map((row) => stakeText(row.stakeGwei)))
  const note = widest(rows.map((row) => drawable(row.note)))
  const bar = Math.max(0, Math.min(MAX_BAR, columns - 5 - rank - 2 - 2 - stake - 3 - note - 1))
  const rung = (row: LadderRow): Line => [
    run(`   ${row.mine ? '▶' : ' '} `, 'accent'),
    run(`${padLeft(`${row.rank}`, rank)}  `, row.mine ? 'strong' : 'dim'),
    run(padRight(barText(row.stakeGwei, most, bar), bar), row.mine ? 'accent' : 'dim'),
    run(`  ${padLeft(stakeText(row.stakeGwei), stake)}`, row.mine ? 'strong' : 'text'),
    run(`   ${drawable(row.note)}`, noteTone(row)),
  ]
  const gap: Line = [run(`     ${padLeft(':', rank)}`, 'dim')]
  return rows.flatMap((row, index) => {
    const [above, below] = [rows[index - 1], rows[index + 1]]
    const isCut = row.seated && below?.seated === false
    const line = isCut ? withRule(rung(row), columns) : rung(row)
    return above !== undefined && row.rank > above.rank + 1 ? [gap, line] : [line]
  })
}

/** A line with a rule behind it, up to the edge. */
function withRule(line: Line, columns: number): Line {
  const room = columns - lineCells(line) - 2
  return room < 1 ? line : [...line, run(` ${'─'.repeat(room)}`, 'dim')]
}

function noteTone({ mine, seated }: LadderRow): Tone {
  if (!mine) return 'dim'
  return seated ? 'strong' : 'bad'
}
