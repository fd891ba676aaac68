/** As many words, one beside the other, are said to somebody. */
const WORDS_OF_A_TEXT = 2
const WORD = /^[("']?\p{L}[\p{L}’'-]*[)"']?[,.:;?!…]*$/u

/** Texts in sources that nobody reads on a screen, a page or in a message, and why. */
export const NOT_SAID: readonly { path: RegExp; is: RegExp; why: string }[] = [
  {
    path: /^core\/steps\/payment\/decide\.ts$/,
    is: /^/,
    why: 'the names of the rows of a table, for its readers',
  },
]

/** Whether a text of a source is one that somebody reads. */
export function isSaid(path: string, text: string): boolean {
  return hasWords(text) && !NOT_SAID.some((each) => each.path.test(path) && each.is.test(text))
}

function hasWords(text: string): boolean {
  let run = 0
  for (const part of text.split(/\s+/)) {
    run = WORD.test(part) ? run + 1 : 0
    if (run === WORDS_OF_A_TEXT) return true
  }
  return false
}
