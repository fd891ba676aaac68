import { useInput } from 'ink'
import { useRef, useState } from 'react'
import type { MonotonicClock } from './shell.tsx'

const SETTLE_MS = 1000
const BURST_MS = 30

/** What has been typed of a word so far, and when each thing happened on the clock. */
export type TypedWord = { text: string; shownAtMs: number; lastKeyAtMs: number; confirmed: boolean }

/** A key press that concerns a typed word. */
export type WordKey = { kind: 'character'; text: string } | { kind: 'rub' } | { kind: 'enter' }

/**
 * A typed word after one more key (`safety.md` #106): nothing counts in the first second, several characters at
 * once never count, and Enter counts only when the word is there and it comes at least 30 ms after its last key.
 */
export function typeWord(
  state: TypedWord,
  key: WordKey,
  options: { word: string; nowMs: number },
): TypedWord {
  const { word, nowMs } = options
  const next = { ...state, lastKeyAtMs: nowMs }
  if (state.confirmed || nowMs - state.shownAtMs < SETTLE_MS) return next
  switch (key.kind) {
    case 'rub':
      return { ...next, text: state.text.slice(0, -1) }
    case 'enter': {
      const calm = nowMs - state.lastKeyAtMs >= BURST_MS
      return calm && state.text === word ? { ...next, confirmed: true } : next
    }
    case 'character':
      if ([...key.text].length !== 1 || state.text.length > word.length) return next
      return { ...next, text: state.text + key.text }
  }
}

/** Lets a person type `word`; calls `onConfirm` once it stands there and Enter is pressed. Deaf while not `active`. */
export function useTypedWord(options: {
  word: string
  clock: MonotonicClock
  active: boolean
  onConfirm: () => void
}): { text: string } {
  const { word, clock, active, onConfirm } = options
  const [text, setText] = useState('')
  const state = useRef<TypedWord | undefined>(undefined)
  state.current ??= { text: '', shownAtMs: clock.monotonicMs(), lastKeyAtMs: 0, confirmed: false }
  useInput((input, key) => {
    const before = state.current
    const pressed = wordKey(input, key)
    if (!active || before === undefined || pressed === undefined) return
    const after = typeWord(before, pressed, { word, nowMs: clock.monotonicMs() })
    state.current = after
    setText(after.text)
    if (after.confirmed && !before.confirmed) onConfirm()
  })
  return { text }
}

function wordKey(input: string, key: Parameters<Parameters<typeof useInput>[0]>[1]): WordKey | undefined {
  if (key.return) return { kind: 'enter' }
  if (key.backspace || key.delete) return { kind: 'rub' }
  if (key.ctrl || key.meta || key.escape || input === '') return undefined
  return { kind: 'character', text: input }
}
