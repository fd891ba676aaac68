import { useState } from 'react'
import type { SetupField } from '../core/launch/choice.ts'
import type { FormEvent, FormState } from '../core/launch/form.ts'
import type { MoneyBand } from '../core/steps/view.ts'
import { KEY_WORDS, type KeyBinding } from '../hooks/keymap.ts'
import { useTerminal } from '../hooks/shell.tsx'
import { TextEditor } from '../hooks/text-editor.tsx'
import { PlainScreen } from './PlainScreen.tsx'
import { useTheme } from './theme.tsx'
import { BLANK, line, paragraph, type Row, rowsOf } from './ui/line.ts'
import { explainLines } from './ui/panels.ts'
import { setupFieldRows } from './ui/setup-fields.ts'

export type SetupFormProps = {
  form: FormState
  onEvent: (event: FormEvent) => void
  onContinue: () => void
  onBack: () => void
}

const MONEY: MoneyBand = { line: 'nothing is sent here', worst: 'worst case here: none. No key is read yet.' }
const READY = 'Enter continues with these. e corrects one of them.'

/** The form before the first step. Public endpoints stand in it as proposals, never used unasked. */
export function SetupForm({ form, onEvent, onContinue, onBack }: SetupFormProps) {
  const [explains, explain] = useState(false)
  const field = form.draft.fields.find(({ id }) => id === form.at)
  const shown = field ?? form.draft.fields[0]
  if (explains && shown !== undefined)
    return <FieldPanel field={shown} text={form.fields[shown.id]?.text ?? ''} close={() => explain(false)} />
  return <FormScreen {...{ form, field, onEvent, onContinue, onBack }} onExplain={() => explain(true)} />
}

type FormScreenProps = SetupFormProps & { field: SetupField | undefined; onExplain: () => void }

function FormScreen({ form, field, onEvent, onContinue, onBack, onExplain }: FormScreenProps) {
  const { columns } = useTerminal()
  const { marks } = useTheme()
  const typing = field !== undefined
  const edited = form.fields[field?.id ?? '']
  const content: Row[] = [
    ...rowsOf('intro', [...paragraph(typing ? form.draft.intro : READY, { columns }), BLANK]),
    ...setupFieldRows(form, { columns, marks }),
  ]
  const before = () => onEvent({ type: 'moved', to: 'before' })
  const next = () => onEvent({ type: 'moved', to: 'next' })
  const tab = () => onEvent({ type: 'tabbed' })
  const inField: KeyBinding[] = [
    { key: 'return', label: 'accept', whileTyping: true, run: () => onEvent({ type: 'moved', to: 'open' }) },
    { key: 'up', label: 'field', whileTyping: true, run: before },
    { key: 'down', label: 'field', whileTyping: true, run: next },
    { key: 'backtab', whileTyping: true, run: before },
    {
      key: 'tab',
      label: field?.path === undefined ? KEY_WORDS.next : 'complete',
      whileTyping: true,
      run: tab,
    },
    { key: 'f1', label: 'explain', whileTyping: true, run: onExplain },
  ]
  const outside: KeyBinding[] = [
    { key: 'return', label: 'continue', run: onContinue },
    { key: 'up', label: 'field', run: before },
    { key: 'down', label: 'field', run: next },
    { key: 'e', label: 'correct', run: next },
    { key: 'tab', run: next },
    { key: 'backtab', run: before },
    { key: '?', label: 'explain', run: onExplain },
    { key: 'f1', run: onExplain },
  ]
  return (
    <>
      {edited === undefined ? undefined : (
        <TextEditor edited={edited} change={(edit) => onEvent({ type: 'edited', edit })} />
      )}
      <PlainScreen
        title={line(` ${form.draft.title}`, 'strong')}
        content={content}
        money={MONEY}
        bindings={[
          ...(typing ? inField : outside),
          { key: 'escape', label: 'back', whileTyping: true, run: onBack },
        ]}
        typing={typing}
      />
    </>
  )
}

/** What a field is for, in the place of the form. */
function FieldPanel({ field, text, close }: { field: SetupField; text: string; close: () => void }) {
  const { columns } = useTerminal()
  const subject = {
    label: field.label,
    value: text === '' ? '–' : text,
    explain: field.explain,
  }
  return (
    <PlainScreen
      title={line(' Before the first step', 'strong')}
      content={rowsOf('panel', explainLines(subject, columns))}
      money={MONEY}
      bindings={[
        { key: 'escape', label: 'close', run: close },
        { key: '?', run: close },
        { key: 'f1', run: close },
      ]}
    />
  )
}
