import type { KeyBinding } from '../hooks/keymap.ts'
import type { ResumeView } from '../hooks/resume-view.ts'
import { useNow, useShell, useTerminal } from '../hooks/shell.tsx'
import { PlainScreen } from './PlainScreen.tsx'
import { useTheme } from './theme.tsx'
import { factRows } from './ui/facts.ts'
import { BLANK, line, paragraph, type Row, rowsOf } from './ui/line.ts'

export type ResumeProps = { view: ResumeView; onContinue: () => void }

/** The first screen after a restart: what is open, what is known of it by now, and that nothing is repeated. */
export function Resume({ view, onContinue }: ResumeProps) {
  const { columns } = useTerminal()
  const theme = useTheme()
  const nowMs = useNow()
  const { wayBack } = useShell()
  const promise = view.paymentOpen
    ? [
        BLANK,
        ...paragraph('Nothing will be sent again for this step, whatever you press.', {
          columns,
          tone: 'strong',
        }),
      ]
    : []
  const content: Row[] = [
    ...rowsOf('open', [...view.open.flatMap((text) => paragraph(text, { columns, indent: 3 })), BLANK]),
    ...factRows(view.facts, { columns, marks: theme.marks, nowMs }),
    ...rowsOf('promise', promise),
  ]
  const back: KeyBinding[] =
    wayBack === undefined ? [] : [{ key: 'escape', label: wayBack.label, run: wayBack.run }]
  const title = view.paymentOpen ? ' Welcome back. One thing is open.' : ' Welcome back.'
  return (
    <PlainScreen
      title={line(title, 'strong')}
      content={content}
      money={view.money}
      step={view.step}
      bindings={[
        { key: 'return', label: `go on to ${view.step === 'topup' ? 'top-up' : view.step}`, run: onContinue },
        ...back,
      ]}
    />
  )
}
