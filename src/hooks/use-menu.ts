import { useState } from 'react'
import type { KeyBinding } from './keymap.ts'

/** A list of which one entry is chosen with the arrows, a digit, and Enter. */
export type Menu = { index: number; bindings: KeyBinding[] }

/** Holds the place in a list of `count` entries; `onChoose` is called with the entry's place on Enter. */
export function useMenu(count: number, onChoose: (index: number) => void): Menu {
  const [index, setIndex] = useState(0)
  const move = (by: number) => setIndex((before) => Math.min(count - 1, Math.max(0, before + by)))
  const digits = Array.from(
    { length: Math.min(count, 9) },
    (_, place): KeyBinding => ({
      key: `${place + 1}`,
      run: () => setIndex(place),
    }),
  )
  return {
    index,
    bindings: [
      { key: 'up', label: 'choose', run: () => move(-1) },
      { key: 'down', label: 'choose', run: () => move(1) },
      ...digits,
      { key: 'return', label: 'continue', run: () => onChoose(index) },
    ],
  }
}
