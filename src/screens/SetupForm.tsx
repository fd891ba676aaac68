import type { FactRow, FieldView, MoneyBand, Problem, Waiting } from '../core/steps/view.ts'
import type { KeyBinding } from '../hooks/keymap.ts'
import { useFieldText } from '../hooks/use-field-text.ts'
import { useNow } from '../hooks/use-now.ts'
import { useTerminal } from '../hooks/use-terminal.ts'
import { PlainScreen } from './PlainScreen.tsx'
import { useTheme } from './theme.tsx'
import { fieldRows } from './ui/Field.tsx'
import { factRows } from './ui/facts.ts'
import { BLANK, line, paragraph, type Row, rowsOf } from './ui/line.ts'
import { problemLines } from './ui/problem.ts'

/** What the user is asked before the first step: the node's home, its endpoints, the wallet. */
export type SetupView = {
  title: string
  intro: string
  fields: readonly FieldView[]
  activeField?: string
  facts: readonly FactRow[]
  problem?: Problem
  waiting?: Waiting
  /** Everything needed is there. */
  ready: boolean
}

export type SetupFormProps = {
  view: SetupView
  onSubmit: (fieldId: string, text: string) => void
  onContinue: () => void
  onBack: () => void
}

const MONEY: MoneyBand = { line: 'nothing is sent here', worst: 'worst case here: none. No key is read yet.' }

/** The form before the first step. Public endpoints stand in it as proposals, never used unasked. */
export function SetupForm({ view, onSubmit, onContinue, onBack }: SetupFormProps) {
  const { columns } = useTerminal()
  const theme = useTheme()
  const nowMs = useNow()
  const field = view.fields.find(({ id }) => id === view.activeField)
  const input = useFieldText(field?.id, field?.suggestion ?? field?.value ?? '')
  const typing = view.activeField !== undefined
  const problem = view.problem === undefined ? [] : [...problemLines(view.problem, columns), BLANK]
  const content: Row[] = [
    ...rowsOf('problem', problem),
    ...rowsOf('intro', [...paragraph(view.intro, { columns }), BLANK]),
    ...fieldRows(view.fields, {
      columns,
      activeField: view.activeField,
      marks: theme.marks,
      input,
    }),
    ...rowsOf('gap', view.facts.length > 0 ? [BLANK] : []),
    ...factRows(view.facts, { columns, marks: theme.marks, nowMs }),
  ]
  const proceed: KeyBinding[] = view.ready ? [{ key: 'return', label: 'continue', run: onContinue }] : []
  const accept: KeyBinding = {
    key: 'return',
    label: 'accept',
    whileTyping: true,
    run: () => (field === undefined ? undefined : onSubmit(field.id, input.text)),
  }
  const bindings: KeyBinding[] = [
    ...(typing ? [accept] : proceed),
    { key: 'escape', label: 'back', whileTyping: true, run: onBack },
  ]
  return (
    <PlainScreen
      title={line(` ${view.title}`, 'strong')}
      content={content}
      money={MONEY}
      bindings={bindings}
      typing={typing}
      waiting={view.waiting}
    />
  )
}
