import { useState } from 'react'
import type { MoneyBand, StepId, Waiting } from '../core/steps/view.ts'
import { type KeyBinding, keyHelp, useKeymap } from '../hooks/keymap.ts'
import { useShell, useTerminal } from '../hooks/shell.tsx'
import { useTheme } from './theme.tsx'
import { Frame, layoutFrame } from './ui/Frame.tsx'
import { type Line, type Row, spreadLine } from './ui/line.ts'
import { waitRow } from './ui/lines.tsx'

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
