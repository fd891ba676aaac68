import { PROGRAM_NAME, shellCommand } from './text.ts'

/** What a key comes to: it asks again, goes back, shows something, or decides. */
type KeyEffect = 'asks' | 'returns' | 'shows' | 'decides'

/** A clause that only somebody with keys can follow: the words around the name of the key. */
export type KeyPart = { key: string; effect: KeyEffect; words: readonly string[] }
/** A command of this program: its words behind the name of the program, or one that was written by that name. */
export type OwnCommand = readonly string[] | string
type CommandPart = { command: OwnCommand }
type NextPart = string | KeyPart | CommandPart

/**
 * What to do next: words, something about a key, a command, or a sentence of such parts. Desks, commands and reports draw
 * it each in its own way; nothing is ever found out from its words.
 */
export type Next = string | KeyPart | CommandPart | { parts: readonly NextPart[] }

/** Returns a sentence of words and of parts that are more than words. */
export function parts(words: TemplateStringsArray, ...between: readonly Next[]): Next {
  const all = words.flatMap((text, at) => [text, ...between.slice(at, at + 1).flatMap(partsOf)])
  return { parts: all.filter((part) => part !== '') }
}

/** A command of this program, by its words behind the name of the program. */
export const command = (...words: readonly string[]): CommandPart => ({ command: words })

/** Where the name of the key stands in a clause. */
export const KEY = Symbol('key')

/** What makes a clause of a template in which `KEY` stands for the name of a key. */
type Clause = (words: TemplateStringsArray, ...between: readonly (typeof KEY | string)[]) => KeyPart

const clauseOf =
  (key: string, effect: KeyEffect): Clause =>
  (template, ...between) => {
    const words = ['']
    for (const [at, text] of template.entries()) {
      const fill = between[at] ?? ''
      const last = `${words.pop() ?? ''}${text}`
      if (fill === KEY) words.push(last, '')
      else words.push(`${last}${String(fill)}`)
    }
    return { key, effect, words }
  }

/** A clause about the key that asks again. */
export const again = clauseOf('r', 'asks')
/** A clause about the key that goes back. */
export const back = clauseOf('escape', 'returns')
/** A clause about a key that only shows something. */
export const shows = (key: string): Clause => clauseOf(key, 'shows')
/** A clause about a key that decides. */
export const decides = (key: string): Clause => clauseOf(key, 'decides')

/** Returns the parts of a step, in their order. */
function partsOf(next: Next): readonly NextPart[] {
  return typeof next !== 'string' && 'parts' in next ? next.parts : [next]
}

const isKey = (part: NextPart): part is KeyPart => typeof part !== 'string' && 'key' in part

/** Whether what to do next has to do with this key. */
export const namesKey = (next: Next, key: string): boolean =>
  partsOf(next).some((part) => isKey(part) && part.key === key)

/** A step that ends in a command, parted before it; undefined for any other one. */
export function endsInCommand(next: Next): { label: Next; own: Next } | undefined {
  const own = partsOf(next).at(-1)
  if (own === undefined || typeof own === 'string' || !('command' in own)) return undefined
  return { label: { parts: partsOf(next).slice(0, -1) }, own }
}

/** Returns the same without those that say what one before them says. */
export function distinctNext(steps: readonly Next[]): Next[] {
  return [...new Map(steps.map((step) => [JSON.stringify(partsOf(step)), step])).values()]
}

/**
 * What is left of the next steps where nobody has keys: without each clause about a key. `decides`, `asks`: whether a key
 * that decides, one that asks again or goes back was among them.
 */
export function withoutKeys(steps: readonly Next[]): { next: Next[]; decides: boolean; asks: boolean } {
  const effects = steps.flatMap(partsOf).flatMap((part) => (isKey(part) ? [part.effect] : []))
  const next = steps.flatMap((step): Next[] => {
    const all = partsOf(step)
    const rest = all.filter((part) => !isKey(part))
    if (rest.length === all.length) return [step]
    return rest.length === 0 ? [] : [{ parts: rest }]
  })
  const asks = effects.includes('asks') || effects.includes('returns')
  return { next, decides: effects.includes('decides'), asks }
}

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
