import type { WordKey, WordRefusal } from '../../core/pay/desk/typed-word.ts'
import { WORD_REFUSALS } from '../../core/view/desk-words.ts'
import type { AnyDesk } from '../../core/wizard/any-step.ts'
import { useShell } from '../../hooks/shell.tsx'
import { type DeskNotes, useTypedWord } from '../../hooks/use-desk.ts'
import { CURSOR, line, paragraph, type ScreenLine, type ScreenRow, span } from './line.ts'
import { Lines } from './lines.tsx'

export type TypedConfirmProps = {
  desk: AnyDesk
  /** What changed under the word, what is not known now. */
  notes: DeskNotes
  columns: number
  /** Why it cannot be confirmed now: the window is too small, or not everything was seen. */
  obstacle: string | undefined
  press: (key: WordKey, how: { nowMs: number }) => void
}

const HEIGHT = 2

const EMPTIES = 'Ctrl-U empties the line; nothing is sent.'

/** Why what was typed does not count. `typed`: what has to be. */
function refusalWords(refusal: WordRefusal, typed: string): string {
  if (refusal === 'another') return `Type exactly: ${typed} · ${EMPTIES}`
  if (refusal === 'full') return `Longer than: ${typed} · ${EMPTIES}`
  return WORD_REFUSALS[refusal]
}

/** Asks for a word before money leaves. Enter alone, a paste, or a key pressed too early never suffices. */
function TypedConfirm({
  lines,
  columns,
  obstacle,
  press,
}: TypedConfirmProps & { lines: readonly ScreenLine[] }) {
  const { clock } = useShell()
  useTypedWord({ clock, active: obstacle === undefined, press })
  return <Lines lines={lines} columns={columns} />
}

/** Two lines, and more only where what changed needs them: that is said whole. */
function confirmLines({ desk, notes, columns, obstacle }: TypedConfirmProps): ScreenLine[] {
  const { changed, note } = notes
  if (changed !== undefined)
    return [
      ...paragraph(changed, { columns, tone: 'bad' }),
      ...paragraph(note ?? '', { columns, tone: 'strong' }),
    ]
  const { opened, word } = desk
  const { refusal } = word
  const prompt: ScreenLine = [
    span(` To ${opened.label}, type `, 'strong'),
    span(opened.typed, 'bad'),
    span(' and press Enter:  ', 'strong'),
    span(word.text, 'strong'),
    CURSOR,
  ]
  const words =
    refusal === undefined || obstacle !== undefined
      ? line(' Typed by hand, not pasted. Esc goes back; nothing is sent.', 'dim')
      : line(` ${refusalWords(refusal, opened.typed)}`, 'warn')
  const first = obstacle === undefined ? [prompt] : paragraph(obstacle, { columns, tone: 'warn' })
  const second = note === undefined ? [words] : paragraph(note, { columns, tone: 'warn' })
  return note === undefined ? [...first, ...second].slice(0, HEIGHT) : [...first, ...second]
}

/** The typed confirmation as a row of the content's foot. */
export function confirmRow(props: TypedConfirmProps): ScreenRow {
  const lines = confirmLines(props)
  return {
    key: `confirm.${props.desk.opened.key}`,
    height: Math.max(HEIGHT, lines.length),
    node: <TypedConfirm {...props} lines={lines} />,
    lines,
  }
}
