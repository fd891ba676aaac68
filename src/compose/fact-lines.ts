import type { Paper } from '../commands/io.ts'
import { plainAscii } from '../core/format/text.ts'
import type { FactRow, Mark, StepId } from '../core/steps/view.ts'

/** The mark of a fact in plain ASCII. */
export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  proven: 'ok',
  given: '*',
  refused: 'NO',
  unknown: '??',
  asking: '..',
  unasked: '-',
}

/** One fact as one plain line: step, mark, what, value, who said it. ASCII alone, no control codes. */
export function factLine(step: StepId, row: FactRow): string {
  const value = [row.value, row.long].filter((part) => part !== undefined && part !== '').join(' ')
  const source = row.source === '' ? '' : `  (${row.source})`
  return plainAscii(`${step.padEnd(9)} ${MARK_WORDS[row.mark].padEnd(3)} ${row.label}: ${value}${source}`)
}

/** Plain ASCII in 80 columns, without a colour: a file, a pipe, a log. */
export const PLAIN_PAPER: Paper = {
  columns: 80,
  mark: (mark) => MARK_WORDS[mark],
  plain: plainAscii,
  paint: (_, text) => text,
}
