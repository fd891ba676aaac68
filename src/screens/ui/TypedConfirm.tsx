import type { ActionView } from '../../core/steps/view.ts'
import { useShell } from '../../hooks/shell.tsx'
import { useTypedWord } from '../../hooks/use-typed-word.ts'
import { line, type Row, run } from './line.ts'
import { Lines } from './lines.tsx'

export type TypedConfirmProps = {
  action: ActionView & { typed: string }
  columns: number
  /** Why it cannot be confirmed now: the window is too small, or not everything was seen. */
  obstacle: string | undefined
  onConfirm: () => void
}

const HEIGHT = 2

/** Asks for a word before money leaves. Enter alone, a paste, or a key pressed too early never suffices. */
function TypedConfirm({ action, columns, obstacle, onConfirm }: TypedConfirmProps) {
  const { clock } = useShell()
  const active = obstacle === undefined
  const { text } = useTypedWord({ word: action.typed, clock, active, onConfirm })
  const prompt = [
    run(` To ${action.label}, type `, 'strong'),
    run(action.typed, 'bad'),
    run(' and press Enter:  ', 'strong'),
    run(text, 'strong'),
    run(' ', 'chosen'),
  ]
  const words = line(' Typed by hand, not pasted. Esc goes back; nothing is sent.', 'dim')
  return <Lines lines={[active ? prompt : line(` ${obstacle}`, 'warn'), words]} columns={columns} />
}

/** The typed confirmation as a row of the content's foot. */
export function confirmRow(props: TypedConfirmProps): Row {
  return { key: `confirm.${props.action.id}`, height: HEIGHT, node: <TypedConfirm {...props} /> }
}
