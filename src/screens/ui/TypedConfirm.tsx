import { LEFT_OUT } from '../../core/format/kept-screen.ts'
import type { WordRefusal } from '../../core/steps/desk/typed-word.ts'
import type { ActionView } from '../../core/steps/step-view.ts'
import { useShell } from '../../hooks/shell.tsx'
import { useTypedWord } from '../../hooks/use-typed-word.ts'
import { WORD_REFUSALS } from '../words.ts'
import { type Line, line, paragraph, type Row, run } from './line.ts'
import { Lines } from './lines.tsx'

export type TypedConfirmProps = {
  action: ActionView & { typed: string }
  columns: number
  /** Why it cannot be confirmed now: the window is too small, or not everything was seen. */
  obstacle: string | undefined
  onConfirm: () => void
}

const HEIGHT = 2

const REFUSALS: Readonly<Record<WordRefusal, string>> = {
  ...WORD_REFUSALS,
  another: 'That is not the word. Ctrl-U empties the line; nothing is sent.',
  full: 'Longer than the word. Ctrl-U empties the line; nothing is sent.',
}

/** Asks for a word before money leaves. Enter alone, a paste, or a key pressed too early never suffices. */
function TypedConfirm({ action, columns, obstacle, onConfirm }: TypedConfirmProps) {
  const { clock } = useShell()
  const active = obstacle === undefined
  const { text, refusal } = useTypedWord({ word: action.typed, clock, active, onConfirm })
  const prompt: Line = [
    run(` To ${action.label}, type `, 'strong'),
    run(action.typed, 'bad'),
    run(' and press Enter:  ', 'strong'),
    run(text, 'strong'),
    run(' ', 'chosen'),
  ]
  const words =
    refusal === undefined || !active
      ? line(' Typed by hand, not pasted. Esc goes back; nothing is sent.', 'dim')
      : line(` ${REFUSALS[refusal]}`, 'warn')
  const first = active ? [prompt] : paragraph(obstacle, { columns, tone: 'warn' })
  return <Lines lines={[...first, words].slice(0, HEIGHT)} columns={columns} />
}

/** The typed confirmation as a row of the content's foot. */
export function confirmRow(props: TypedConfirmProps): Row {
  const { action, obstacle = ` To ${action.label}, type ${action.typed} and press Enter:  ${LEFT_OUT}` } =
    props
  const kept = line(obstacle)
  return { key: `confirm.${action.key}`, height: HEIGHT, node: <TypedConfirm {...props} />, kept }
}
