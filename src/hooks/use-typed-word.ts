import { useInput, usePaste } from 'ink'
import { useRef, useState } from 'react'
import { type TypedWord, typeWord, type WordKey } from '../core/steps/desk/typed-word.ts'
import type { MonotonicClock } from './shell.tsx'

/** Lets a person type `word`; calls `onConfirm` once it stands there and Enter is pressed. Deaf while not `active`. */
export function useTypedWord(options: {
  word: string
  clock: MonotonicClock
  active: boolean
  onConfirm: () => void
}): Pick<TypedWord, 'text' | 'refusal'> {
  const { word, clock, active, onConfirm } = options
  const [shown, show] = useState<Pick<TypedWord, 'text' | 'refusal'>>({ text: '' })
  const state = useRef<TypedWord | undefined>(undefined)
  state.current ??= { text: '', shownAtMs: clock.monotonicMs(), lastKeyAtMs: 0, confirmed: false }
  const take = (pressed: WordKey | undefined): void => {
    const before = state.current
    if (!active || before === undefined || pressed === undefined) return
    const after = typeWord(before, pressed, { word, nowMs: clock.monotonicMs() })
    state.current = after
    show(after)
    if (after.confirmed && !before.confirmed) onConfirm()
  }
  useInput((input, key) => take(wordKey(input, key)))
  usePaste(() => take({ kind: 'paste' }))
  return shown
}

function wordKey(input: string, key: Parameters<Parameters<typeof useInput>[0]>[1]): WordKey | undefined {
  if (key.return) return { kind: 'enter' }
  if (key.backspace || key.delete) return { kind: 'rub' }
  if (key.ctrl && input === 'u') return { kind: 'clear' }
  if (key.ctrl || key.meta || key.escape || input === '') return undefined
  return { kind: 'character', text: input }
}
