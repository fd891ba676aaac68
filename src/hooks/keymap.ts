import { type Key, useInput } from 'ink'

/** What one key does. Declared once: the help line is made from the same table. */
export type KeyBinding = {
  /** `return`, `escape`, `up`, `pagedown` … or the character itself. */
  key: string
  /** Words in the help line; none when the key is not shown there. */
  label?: string
  /** The help line names it only where that takes no row more. */
  spare?: true
  /** Works although a text field has the cursor. */
  whileTyping?: boolean
  run: () => void
}

/** An entry of the help line: the keys as people name them, and what they do. */
export type KeyHelp = { keys: string; label: string; spare?: true }

/** A key that opens a typed confirmation sends nothing by itself. */
export const reviewLabel = (label: string): string => `review, then ${label}`

/** Labels of keys that have the same word as an event or a place. */
export const KEY_WORDS = { close: 'close', explain: 'explain', command: 'command', next: 'next' } as const

const NAMES: Readonly<Record<string, string>> = {
  return: 'Enter',
  escape: 'Esc',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  tab: 'Tab',
  backtab: 'Shift-Tab',
  f1: 'F1',
  f2: 'F2',
  space: 'Space',
}

/** Returns the help line while a password may be typed before its prompt: no other key acts then. */
export const lockedHelp = ({ is }: { is: string }): KeyHelp[] => [
  ...(is === 'coming' ? [] : [{ keys: `${NAMES.return}, ${NAMES.escape}`, label: 'use the keys again' }]),
  { keys: 'Ctrl-C', label: 'quit' },
]

/** Where arrows cannot be drawn: what stands for them there, < or v, would be read as a key. */
const ASCII_NAMES: Readonly<Record<string, string>> = {
  ...NAMES,
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
}

/** Returns the name of a key press, or undefined for what is none: a paste, a control letter, several characters. */
export function keyNameOf(input: string, key: Partial<Key>): string | undefined {
  // F1 arrives as Alt and a question mark, F2 as Alt and w: Ink has no names for them (src/terminal/keys.ts).
  if (key.meta === true && input === '?') return 'f1'
  if (key.meta === true && input === 'w') return 'f2'
  if (key.ctrl === true || key.meta === true) return undefined
  if (key.return === true) return 'return'
  if (key.escape === true) return 'escape'
  if (key.upArrow === true) return 'up'
  if (key.downArrow === true) return 'down'
  if (key.leftArrow === true) return 'left'
  if (key.rightArrow === true) return 'right'
  if (key.pageUp === true) return 'pageup'
  if (key.pageDown === true) return 'pagedown'
  if (key.tab === true) return key.shift === true ? 'backtab' : 'tab'
  if (input === ' ') return 'space'
  return input.length === 1 ? input : undefined
}

/** Returns the binding that a key triggers: the first in the table; while typing only those that say so. */
export function bindingFor(
  bindings: readonly KeyBinding[],
  name: string | undefined,
  options: { typing: boolean },
): KeyBinding | undefined {
  if (name === undefined) return undefined
  const found = bindings.find((binding) => binding.key === name)
  if (found === undefined || (options.typing && found.whileTyping !== true)) return undefined
  return found
}

/** Returns the help line of a table, in its order; neighbours that do the same share one entry. */
export function keyHelp(
  bindings: readonly KeyBinding[],
  options: { typing: boolean; ascii?: boolean },
): KeyHelp[] {
  const [names, joint] = options.ascii === true ? [ASCII_NAMES, '/'] : [NAMES, '']
  const help: KeyHelp[] = []
  const listed = new Set<string>()
  for (const { key, label, whileTyping, spare } of bindings) {
    if (label === undefined || listed.has(key) || (options.typing && whileTyping !== true)) continue
    listed.add(key)
    const keys = names[key] ?? key
    const last = help.at(-1)
    if (last !== undefined && last.label === label)
      help[help.length - 1] = { ...last, keys: last.keys + joint + keys }
    else help.push({ keys, label, ...(spare === true ? { spare } : {}) })
  }
  return help
}

/** Listens to the keys of a table. `typing` says that a text field has the cursor. */
export function useKeymap(bindings: readonly KeyBinding[], options: { typing: boolean }): void {
  useInput((input, key) => bindingFor(bindings, keyNameOf(input, key), options)?.run())
}
