import type { Verdict } from '../../core/steps/verdict.ts'
import type { Theme } from '../theme.tsx'
import { type Line, run } from './line.ts'
import { drawable, padRight, wrapText } from './text.ts'

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
): Line[] {
  const sign = marks[mark]
  const cells = Math.max(MARK, sign.text.length + 1)
  const verdict = partsOf(text, columns - cells - 2, next === undefined ? MOST_LINES : MOST_LINES_SHUT).map(
    (part, at): Line => [
      run(' '),
      { text: padRight(at === 0 ? sign.text : '', cells), tone: sign.tone },
      run(part, 'strong'),
    ],
  )
  const indent = ' '.repeat(cells + 1)
  const steps = next === undefined ? [] : partsOf(next, columns - indent.length - NEXT.length - 1, MOST_LINES)
  return [
    ...verdict,
    ...steps.map(
      (part, at): Line => [
        run(`${indent}${padRight(at === 0 ? NEXT : '', NEXT.length)}`, 'accent'),
        run(part),
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
  return [...parts.slice(0, most - 1), `${last.slice(0, Math.max(0, room - 2)).trimEnd()} …`]
}
