import { useState } from 'react'
import type { TextEdit } from '../core/base/format/edit-text.ts'
import type { EarlyView } from '../core/view/early-view.ts'
import { type KeyBinding, keyHelp, useKeymap } from '../hooks/keymap.ts'
import { useNow, useSecretWait, useShell, useTerminal } from '../hooks/shell.tsx'
import { TextEditor } from '../hooks/text-editor.tsx'
import { earlyRows } from './early-content.ts'
import { useTheme } from './theme.tsx'
import { Frame, layoutFrame } from './ui/Frame.tsx'
import { line, type ScreenRow, spreadLine } from './ui/line.ts'
import { waitRow } from './ui/lines.tsx'

export type EarlyScreenProps<E> = {
  view: EarlyView<E>
  /** Hears the event of a key. */
  tell: (event: E) => void
  /** Hears what is typed, where a text is asked for. */
  edit?: (edit: TextEdit) => void
}

/** Draws any screen outside the seven steps, in the same four bands. */
export function EarlyScreen<E>({ view, tell, edit }: EarlyScreenProps<E>) {
  const shell = useShell()
  const secret = useSecretWait()
  const theme = useTheme()
  const nowMs = useNow()
  const { columns, rows } = useTerminal()
  const [scrolled, setScrolled] = useState<{ id: string; top: number } | undefined>(undefined)
  const typing = view.typing !== undefined
  const keys: KeyBinding[] = view.keys.map(({ does, ...key }) => ({ ...key, run: () => tell(does) }))
  const quit: KeyBinding = { key: 'q', label: 'quit', run: () => shell.quit() }
  const foot: ScreenRow[] = view.waiting === undefined ? [] : [waitRow(view.waiting, columns)]
  const layout = layoutFrame({
    columns,
    rows,
    network: view.badge ?? shell.network,
    step: view.step,
    title: spreadLine(line(` ${view.title}`, view.isCode === true ? 'dim' : 'strong'), [], columns),
    content: earlyRows(view, { columns, theme, nowMs, shell }),
    foot,
    money: view.money,
    secret,
    keys: keyHelp([...keys, quit], { typing, ascii: theme.ascii }),
    top: scrolled?.id === view.id ? scrolled.top : 'follow',
  })
  const { top, maxTop, pageRows } = layout.window
  const page = Math.max(1, pageRows - 1)
  const scroll = (by: number) => setScrolled({ id: view.id, top: Math.min(maxTop, Math.max(0, top + by)) })
  const scrollKeys: KeyBinding[] = [
    { key: 'pageup', whileTyping: true, run: () => scroll(-page) },
    { key: 'pagedown', whileTyping: true, run: () => scroll(page) },
  ]
  useKeymap([...keys, ...scrollKeys, quit], { typing })
  return (
    <>
      {view.typing === undefined || edit === undefined ? undefined : (
        <TextEditor edited={view.typing.state} change={edit} />
      )}
      <Frame layout={layout} />
    </>
  )
}
