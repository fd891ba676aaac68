import { useInput, usePaste } from 'ink'
import type { WordKey } from '../core/pay/desk/typed-word.ts'
import type { MonotonicClock } from './shell.tsx'

/** Hands over each key that concerns a typed word, with the time at which it came. Deaf while not `active`. */
export function useTypedWord(options: {
  clock: MonotonicClock
  active: boolean
  press: (key: WordKey, how: { nowMs: number }) => void
}): void {
  const { clock, active, press } = options
  const take = (pressed: WordKey | undefined): void => {
    if (active && pressed !== undefined) press(pressed, { nowMs: clock.monotonicMs() })
  }
  useInput((input, key) => take(wordKey(input, key)))
  usePaste(() => take({ kind: 'paste' }))
}

function wordKey(input: string, key: Parameters<Parameters<typeof useInput>[0]>[1]): WordKey | undefined {
  if (key.return) return { kind: 'enter' }
  if (key.backspace || key.delete) return { kind: 'rub' }
  if (key.ctrl && input === 'u') return { kind: 'clear' }
  if (key.ctrl || key.meta || key.escape || input === '') return undefined
  return { kind: 'character', text: input }
}
