import { closestMatch } from 'leven'

const LONGEST = 40
const SHORTEST_BEGINNING = 3

/** A word without its dashes: whoever writes `top-up` means what begins with `topup`. */
const joined = (word: string): string => word.replaceAll('-', '')

/** The known word that a mistyped one most likely means; undefined where none is near. Whatever its length, it costs little. */
export function nearWord(word: string, known: readonly string[]): string | undefined {
  const typed = word.slice(0, LONGEST).toLowerCase()
  if (known.includes(typed)) return typed
  const begun =
    joined(typed).length < SHORTEST_BEGINNING
      ? []
      : known.filter((each) => joined(each).startsWith(joined(typed)))
  if (begun.length === 1) return begun[0]
  // Two letters changed places count as two changes.
  return closestMatch(typed, known, { maxDistance: typed.length < 4 ? 1 : 2 + Math.floor(typed.length / 10) })
}
