import { type Next, type NextPart, type OwnCommand, partsOf } from './next.ts'
import { PROGRAM_NAME, shellCommand } from './text.ts'

/** How a desk calls its keys, and a command of this program. */
export type Names = {
  /** What is no name of its own; other keys are called as they are. */
  keys: Readonly<Record<string, string>>
  /** A command of this program as a shell takes it. */
  run(command: OwnCommand): string
}

/** A command of the wizard by the name of the program. */
export const beginByName = (words: readonly string[]): string => shellCommand(PROGRAM_NAME, ...words)

/** The names on the screens, where nobody says how the program was started. */
const NAMES: Names = {
  keys: { escape: 'Esc', return: 'Enter' },
  run: (own) => (typeof own === 'string' ? own : beginByName(own)),
}

/** Returns what to do next in words, by the names that a desk has for its keys and for the program. */
export function nextText(next: Next, { keys = NAMES.keys, run = NAMES.run }: Partial<Names> = {}): string {
  return partsOf(next)
    .map((part) => {
      if (typeof part === 'string') return part
      return 'command' in part ? run(part.command) : part.words.join(keys[part.key] ?? part.key)
    })
    .join('')
}

/** Returns the same with its commands written as they are run. */
export function withCommands(next: Next, run: Names['run']): Next {
  const written = (part: NextPart): NextPart =>
    typeof part !== 'string' && 'command' in part ? run(part.command) : part
  return { parts: partsOf(next).map(written) }
}
