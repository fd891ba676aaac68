import type { Explain } from '../../core/steps/view.ts'
import { BLANK, type Line, line, paragraph, run } from './line.ts'
import { shellLines } from './shell-lines.ts'
import { drawable, longValueLines, padRight } from './text.ts'

const PART_COLUMNS = 'can it change'.length + 2

/** The answer to `?`: what a value is, who says it, whether it can change. */
export function explainLines(
  subject: { label: string; value: string; explain: Explain },
  columns: number,
): Line[] {
  const { what, who, later } = subject.explain
  const value = longValueLines(subject.value, Math.max(8, columns - 6))
  const part = (word: string, text: string): Line[] =>
    paragraph(text, { columns, indent: PART_COLUMNS + 3 }).map((row, index) =>
      index === 0 ? [run(`   ${padRight(word, PART_COLUMNS)}`, 'accent'), ...row.slice(1)] : row,
    )
  return [
    line(` ${subject.label}`, 'strong'),
    ...value.map((text) => line(`   ${text}`)),
    BLANK,
    ...part('what it is', what),
    BLANK,
    ...part('who says so', who),
    BLANK,
    ...part('can it change', later),
  ]
}

/**
 * The equivalent shell commands, each whole. What stands there can be copied into a shell as it is.
 */
export function commandLines(commands: readonly string[], columns: number): Line[] {
  if (commands.length === 0) return [line(' This step has no command of its own.')]
  const room = Math.max(8, columns - 1)
  return [
    line(' The same from a shell'),
    ...commands.flatMap((command) => [
      BLANK,
      ...shellLines(drawable(command), room).map((text) => line(text)),
    ]),
  ]
}
