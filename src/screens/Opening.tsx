import { useState } from 'react'
import { useShell } from '../hooks/shell.tsx'
import { PlainScreen } from './PlainScreen.tsx'
import { line } from './ui/line.ts'

/** `sinceMs`: when the wait began, where that was before it is shown. */
export type OpeningProps = { words: string; sinceMs?: number; onBack: () => void }

/** What is shown while a network starts or its endpoints are asked for the first time. */
export function Opening({ words, sinceMs, onBack }: OpeningProps) {
  const { clock } = useShell()
  const [shownMs] = useState(() => clock.monotonicMs())
  return (
    <PlainScreen
      title={line(' One moment', 'strong')}
      content={[]}
      money={{ line: 'nothing is sent here', worst: 'worst case here: none.' }}
      waiting={{ label: words, sinceMs: sinceMs ?? shownMs }}
      bindings={[{ key: 'escape', label: 'back', run: onBack }]}
    />
  )
}
