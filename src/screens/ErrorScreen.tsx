import type { Problem } from '../core/steps/view.ts'
import type { KeyBinding } from '../hooks/keymap.ts'
import { useTerminal } from '../hooks/shell.tsx'
import { PlainScreen } from './PlainScreen.tsx'
import { line, rowsOf } from './ui/line.ts'
import { problemLines } from './ui/problem.ts'
import { FAILURE_MONEY } from './words.ts'

export type ErrorScreenProps = {
  problem: Problem
  /** Stable code of the failure, for a report. */
  code: string
  /** Other ways on, the first one safest. */
  keys?: readonly ErrorKey[]
  /** Present where trying again may help. */
  onRetry?: () => void
  /** Present where something lies before the failure that can be corrected. */
  onBack?: () => void
}

/** A key that leads on from a failure. */
export type ErrorKey = { key: string; label: string; run: () => void }

/** A failure that no step could take care of: what, why, where the money is, what to do next. */
export function ErrorScreen({ problem, code, keys = [], onRetry, onBack }: ErrorScreenProps) {
  const { columns } = useTerminal()
  const retry: KeyBinding[] = onRetry === undefined ? [] : [{ key: 'r', label: 'try again', run: onRetry }]
  const back: KeyBinding[] = onBack === undefined ? [] : [{ key: 'escape', label: 'back', run: onBack }]
  return (
    <PlainScreen
      title={line(` ${code}`, 'dim')}
      content={rowsOf('problem', problemLines(problem, columns))}
      money={{
        line: FAILURE_MONEY[problem.money],
        worst: 'worst case here: none. This screen sends nothing.',
      }}
      bindings={[...keys, ...retry, ...back]}
    />
  )
}
