import type { TimelineRow } from '../../core/steps/view.ts'
import { type Line, type Run, run } from './line.ts'
import { cellsOf, drawable, padRight, wrapText } from './text.ts'

const DOTS: Readonly<Record<TimelineRow['state'], Run>> = {
  done: { text: '●', tone: 'good' },
  now: { text: '◉', tone: 'accent' },
  ahead: { text: '○', tone: 'dim' },
}

/** The path to the active set: dot · what · when · detail, in columns; long details continue below themselves. */
export function timelineLines(rows: readonly TimelineRow[], columns: number): Line[] {
  const widest = (texts: readonly string[], most: number): number =>
    Math.min(most, Math.max(0, ...texts.map((text) => cellsOf(drawable(text)))))
  const label = widest(
    rows.map((row) => row.label),
    26,
  )
  const when = widest(
    rows.map((row) => row.when),
    26,
  )
  const indent = 5 + label + 2 + when + 2
  const room = Math.max(12, columns - indent - 1)
  return rows.flatMap((row) => {
    const tone = row.state === 'ahead' ? 'dim' : 'text'
    const [first = '', ...rest] = wrapText(drawable(row.detail), room)
    return [
      [
        run('   '),
        DOTS[row.state],
        run(` ${padRight(drawable(row.label), label)}`, row.state === 'now' ? 'strong' : tone),
        run(`  ${padRight(drawable(row.when), when)}  ${first}`, tone),
      ],
      ...rest.map((text): Line => [run(`${' '.repeat(indent)}${text}`, tone)]),
    ]
  })
}
