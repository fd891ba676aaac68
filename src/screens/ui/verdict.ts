import type { Verdict } from '../../core/steps/verdict.ts'
import type { Theme } from '../theme.tsx'
import { type Line, run } from './line.ts'
import { drawable, padRight, wrapText } from './text.ts'

const MOST_LINES = 2
const MARK = 2

/** Where the step stands, in one line; a long one takes two. */
export function verdictLines(
  { mark, text }: Verdict,
  columns: number,
  { marks }: Pick<Theme, 'marks'>,
): Line[] {
  const sign = marks[mark]
  const cells = Math.max(MARK, sign.text.length + 1)
  const parts = wrapText(drawable(text), Math.max(1, columns - cells - 2))
  return parts
    .slice(0, MOST_LINES)
    .map(
      (part, at): Line => [
        run(' '),
        { text: padRight(at === 0 ? sign.text : '', cells), tone: sign.tone },
        run(part, 'strong'),
      ],
    )
}
