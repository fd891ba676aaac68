/** Nothing has it: what has this type came through one of the functions here. */
declare const CLOSED: unique symbol
type Closed = { readonly [CLOSED]: true }

/** A word of a list in this program, or the numbers of a version. */
export type Word<T extends string = string> = T & Closed

/** A whole number. */
type Count = number & Closed

/** What a field holds that has no fields of its own. */
export type Leaf = boolean | Word | Count

/**
 * What a report may hold, and nothing else: yes or no, whole numbers, numbers of versions, and words of lists in
 * this program. No text that was typed, read from a file or received can become one of these.
 */
export type ReportFacts = Leaf | readonly ReportFacts[] | { readonly [field: string]: ReportFacts }

/** Whether something is one of these words; then it is the word. */
function isOneOf<T extends string>(words: readonly T[], found: unknown): found is Word<T> {
  return words.some((word) => word === found)
}

function fixed<T extends string>(word: T): Word<T> {
  if (isOneOf([word], word)) return word
  throw new TypeError(word)
}

/** Stands for whatever is not in a list, or is no number that makes sense. */
export const OTHER = fixed('other')
/** Stands for what is not there. */
export const NONE = fixed('none')

/** Tells what is one of the words as that word, all else as `other`, and nothing at all as `none`. */
export function wordOf<const T extends string>(
  words: readonly T[],
): (found: unknown) => Word<T> | typeof OTHER | typeof NONE {
  return (found) => {
    if (found === undefined || found === '') return NONE
    return isOneOf(words, found) ? found : OTHER
  }
}

const MOST = 1_000_000_000

function isCount(found: unknown): found is Count {
  return Number.isSafeInteger(found) && Math.abs(Number(found)) <= MOST
}

/** Returns a whole number up to a thousand millions, below zero too; `other` for anything else. */
export function count(found: unknown): Count | typeof OTHER {
  return isCount(found) ? found : OTHER
}

/** Three numbers at most, so that no address of the Internet is one. */
const NUMBERS = /^v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?(?![\d.])(?:-(alpha|beta|rc)\.(\d{1,4})(?!\d))?/
const VERSION = /^\d{1,4}(?:\.\d{1,4}){1,2}(?:-(?:alpha|beta|rc)\.\d{1,4})?$/

const isVersion = (text: string): text is Word => VERSION.test(text)

/** The numbers that a version begins with, such as 1.2.3 of `v1.2.3-stable`; `other` where it begins with none. */
export function version(found: string | undefined): Word {
  if (found === undefined) return NONE
  const [, major, minor, patch, stage, number] = NUMBERS.exec(found) ?? []
  const numbers = [major, minor, patch].filter((part) => part !== undefined)
  const text = `${numbers.join('.')}${stage === undefined ? '' : `-${stage}.${number}`}`
  return isVersion(text) ? text : OTHER
}

/** Returns a report with null for what is not there, as every document says it. */
export function withoutNone(facts: ReportFacts): unknown {
  if (facts === NONE) return null
  if (typeof facts !== 'object') return facts
  if (isList(facts)) return facts.map(withoutNone)
  return Object.fromEntries(Object.entries(facts).map(([name, each]) => [name, withoutNone(each)]))
}

const isList = (facts: ReportFacts): facts is readonly ReportFacts[] => Array.isArray(facts)
