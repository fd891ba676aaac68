import { useState } from 'react'
import type { KeyBinding } from './keymap.ts'

/** A list of which one entry is chosen with the arrows, a digit, and Enter. */
export type Menu = { index: number; bindings: KeyBinding[] }

/**
 * Holds the place in a list of entries by their ids, the first until another one is chosen: entries may come before it.
 * `onChoose` is called with the entry's place on Enter.
 */
export function useMenu(ids: readonly string[], onChoose: (index: number) => void): Menu {
  const [chosen, choose] = useState<string | undefined>(undefined)
  const count = ids.length
  const index = Math.max(0, ids.indexOf(chosen ?? ''))
  const setIndex = (place: number) => choose(ids[Math.min(count - 1, Math.max(0, place))])
  const move = (by: number) => setIndex(index + by)
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
