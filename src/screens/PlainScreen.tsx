import { useState } from 'react'
import type { MoneyBand, Problem, StepId, Waiting } from '../core/steps/view.ts'
import { type KeyBinding, keyHelp, useKeymap } from '../hooks/keymap.ts'
import { useShell, useTerminal } from '../hooks/shell.tsx'
import { useTheme } from './theme.tsx'
import { Frame, layoutFrame } from './ui/Frame.tsx'
import { type Line, line, type Row, rowsOf, spreadLine } from './ui/line.ts'
import { waitRow } from './ui/lines.tsx'
import { problemLines } from './ui/problem.ts'
import { FAILURE_MONEY } from './words.ts'

export type PlainScreenProps = {
  title: Line
  content: readonly Row[]
  money: MoneyBand
  bindings: readonly KeyBinding[]
  typing?: boolean
  step?: StepId | undefined
  waiting?: Waiting | undefined
}

/** A screen outside the seven steps, in the same four bands. */
export function PlainScreen(props: PlainScreenProps) {
  const { title, content, money, bindings, typing = false, step, waiting } = props
  const shell = useShell()
  const { ascii } = useTheme()
  const { columns, rows } = useTerminal()
  const [top, setTop] = useState<number | 'follow'>('follow')
  const quit: KeyBinding = { key: 'q', label: 'quit', run: () => shell.quit() }
  const foot: Row[] = waiting === undefined ? [] : [waitRow(waiting, columns)]
  const keys = keyHelp([...bindings, quit], { typing, ascii })
  const layout = layoutFrame({
    columns,
    rows,
    network: shell.network,
    step,
    title: spreadLine(title, [], columns),
    content,
    foot,
    money,
    keys,
    top,
  })
  const { window } = layout
  const scroll = (by: number) => setTop(Math.min(window.maxTop, Math.max(0, window.top + by)))
  const page = Math.max(1, window.pageRows - 1)
  const scrollKeys: KeyBinding[] = [
    { key: 'pageup', whileTyping: true, run: () => scroll(-page) },
    { key: 'pagedown', whileTyping: true, run: () => scroll(page) },
  ]
  useKeymap([...bindings, ...scrollKeys, quit], { typing })
  return <Frame layout={layout} />
}

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
