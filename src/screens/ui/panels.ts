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

/**
 * The equivalent shell commands, each whole. What stands there can be copied into a shell as it is: a long command goes
 * on behind the shell's own continuation, a long word at the very edge of the next line.
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

const WORD = /(?:'[^']*'|[^\s'])+/g
const INDENT = '  '
const GOES_ON = ' \\'

function shellLines(command: string, room: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of command.match(WORD) ?? []) {
    const joined = current === '' ? word : `${current} ${word}`
    if (joined.length + GOES_ON.length <= room) {
      current = joined
      continue
    }
    if (current !== '') lines.push(`${current}${GOES_ON}`)
    const pieces = wordPieces(`${lines.length === 0 ? '' : INDENT}${word}`, room)
    lines.push(...pieces.slice(0, -1))
    current = pieces.at(-1) ?? ''
  }
  return [...lines, current]
}

/** A word that fits no line, in pieces that a shell puts together again; a quoted one is closed and opened anew. */
function wordPieces(word: string, room: number): string[] {
  const [, indent = '', quoted] = /^( *)'([^']*)'$/.exec(word) ?? []
  if (word.length + GOES_ON.length <= room) return [word]
  if (quoted === undefined)
    return chopText(word, room - 1).map((piece, at, all) => (at < all.length - 1 ? `${piece}\\` : piece))
  return chopText(quoted, room - INDENT.length - 3).map((piece, at, all) => {
    const start = at === 0 ? indent : ''
    return at < all.length - 1 ? `${start}'${piece}'\\` : `${start}'${piece}'`
  })
}
