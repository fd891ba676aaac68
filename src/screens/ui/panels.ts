import type { Explain } from '../../core/steps/view.ts'
import { BLANK, type Line, line, paragraph, run } from './line.ts'
import { chopText, drawable, longValueLines, padRight } from './text.ts'

/** The answer to `?`: what a value is, who says it, whether it can change. */
export function explainLines(
  subject: { label: string; value: string; explain: Explain },
  columns: number,
): Line[] {
  const { what, who, later } = subject.explain
  const value = longValueLines(subject.value, Math.max(8, columns - 6))
  const part = (word: string, text: string): Line[] =>
    paragraph(text, { columns, indent: 13 }).map((row, index) =>
      index === 0 ? [run(`   ${padRight(word, 10)}`, 'accent'), ...row.slice(1)] : row,
    )
  return [
    line(` ${subject.label}`, 'strong'),
    ...value.map((text) => line(`   ${text}`)),
    BLANK,
    ...part('what', what),
    BLANK,
    ...part('who', who),
    BLANK,
    ...part('later', later),
  ]
}

/** The equivalent shell commands, each whole: a long one is cut with the shell's own continuation. */
export function commandLines(commands: readonly string[], columns: number): Line[] {
  if (commands.length === 0) return [line(' This step has no command of its own.')]
  const room = Math.max(8, columns - 8)
  return [
    line(' The same from a shell'),
    BLANK,
    ...commands.flatMap((command) => {
      const pieces = shellLines(command, room)
      return pieces.map((piece, index) => line(`${index === 0 ? '   $ ' : '       '}${piece}`))
    }),
  ]
}

function shellLines(command: string, room: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of command.split(' ')) {
    const joined = current === '' ? word : `${current} ${word}`
    if (joined.length <= room || current === '') {
      current = joined
      continue
    }
    lines.push(`${current} \\`)
    current = word
  }
  return [...lines, current].flatMap((text) => chopText(drawable(text), room + 2))
}
