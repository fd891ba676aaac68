import { memo, type ReactNode } from 'react'
import type { State } from '../core/state.ts'
import { STEP_NAMES_TEXT } from '../core/steps/names-text.ts'
import type { KeyBinding } from '../hooks/keymap.ts'
import type { ResumeView } from '../hooks/resume-view.ts'
import {
  ShellProvider,
  useNow,
  useOfState,
  useSession,
  useShell,
  useTerminal,
  type WayBack,
} from '../hooks/shell.tsx'
import { useNotifier } from '../hooks/step-keys.ts'
import { useResume, useStep, useWayBack } from '../hooks/use-step.ts'
import { ErrorScreen, PlainScreen } from './PlainScreen.tsx'
import { StepScreen } from './StepScreen.tsx'
import { useTheme } from './theme.tsx'
import { factRows } from './ui/facts.ts'
import { BLANK, line, paragraph, type Row, rowsOf } from './ui/line.ts'
import { journalLost } from './words.ts'

/**
 * The seven steps of the running session, and the welcome back where one was left unfinished. `wayBack` ends the session
 * and leads to what was before it.
 */
export function Steps({ wayBack }: { wayBack?: WayBack }): ReactNode {
  const shell = useShell()
  const { setup } = useSession()
  const { kind, label } = setup.network
  const notifier = useNotifier(shell)
  const back = useWayBack(wayBack)
  return (
    <ShellProvider shell={{ ...shell, network: { kind, label }, ...notifier, ...back }}>
      <Step />
    </ShellProvider>
  )
}

/** Drawn again only with another view. */
const SameStepScreen = memo(StepScreen)

const placeOf = ({ step, journal }: State) => ({ step, journal })

function Step(): ReactNode {
  const { step, journal } = useOfState(placeOf).value
  const shown = useStep()
  const resume = useResume()
  if (resume !== undefined) return <Resume view={resume.view} onContinue={resume.proceed} />
  if (journal.status === 'refused' && step !== 'genesis' && step !== 'identity')
    return <ErrorScreen code="journal.refused" problem={journalLost(journal.error)} />
  // What is being read, typed or confirmed belongs to one step.
  return <SameStepScreen key={step} {...shown} />
}

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
        { key: 'return', label: `go on to ${STEP_NAMES_TEXT.of[view.step].name}`, run: onContinue },
        ...back,
      ]}
    />
  )
}
