import type { Paper } from '../commands/io.ts'
import type { Mark } from '../core/steps/view.ts'

/** The mark of a fact in plain ASCII. */
export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  proven: 'ok',
  refused: 'NO',
  unknown: '??',
  asking: '..',
  unasked: '-',
}

const REPLACED: readonly [RegExp, string][] = [
  [/→/g, '->'],
  [/[·•]/g, '-'],
  [/[’‘]/g, "'"],
  [/…/g, '...'],
  [/✔/g, 'ok'],
  [/✘/g, 'NO'],
  [/[^\x20-\x7e]/g, '?'],
]

/** Text for a log: every character beyond ASCII replaced. */
export function plainAscii(text: string): string {
  return REPLACED.reduce((line, [from, to]) => line.replace(from, to), text)
}

/** Plain ASCII in 80 columns, without a colour: a file, a pipe, a log. */
export const PLAIN_PAPER: Paper = {
  columns: 80,
  mark: (mark) => MARK_WORDS[mark],
  plain: plainAscii,
  paint: (_, text) => text,
}
