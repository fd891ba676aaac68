import type { FactRow, MoneyBand, StepId } from '../core/steps/view.ts'
import { useNow } from '../hooks/use-now.ts'
import { useTerminal } from '../hooks/use-terminal.ts'
import { PlainScreen } from './PlainScreen.tsx'
import { useTheme } from './theme.tsx'
import { factRows } from './ui/facts.ts'
import { BLANK, line, paragraph, type Row, rowsOf } from './ui/line.ts'

/** What was left open when the program ended the last time. */
type ResumeView = {
  step: StepId
  /** What is open, in sentences. */
  open: readonly string[]
  facts: readonly FactRow[]
  /** A payment was signed before: nothing is sent again for it. */
  paymentOpen: boolean
  money: MoneyBand
}

export type ResumeProps = { view: ResumeView; onContinue: () => void }

/** The first screen after a restart: what is open, what is known of it by now, and that nothing is repeated. */
export function Resume({ view, onContinue }: ResumeProps) {
  const { columns } = useTerminal()
  const theme = useTheme()
  const nowMs = useNow()
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
  const title = view.paymentOpen ? ' Welcome back. One thing is open.' : ' Welcome back.'
  return (
    <PlainScreen
      title={line(title, 'strong')}
      content={content}
      money={view.money}
      step={view.step}
      bindings={[
        {
          key: 'return',
          label: `go on to ${view.step === 'topup' ? 'top-up' : view.step}`,
          run: onContinue,
        },
      ]}
    />
  )
}
