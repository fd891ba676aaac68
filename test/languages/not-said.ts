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
  {
    path: /^core\/steps\/(?:confirm|genesis|identity|status)\/commands\.ts$|^core\/steps\/gate\/following\.ts$/,
    is: /^(?:execution RPC|node API|engine RPC)$/,
    why: 'names of services in the program; the errors have the words for them',
  },
  {
    path: /^core\/steps\/(?:genesis|identity)\/facts\.ts$/,
    is: /^where (?:asked|answered)$/,
    why: 'when a gate waits for a fact: a column of a table',
  },
  {
    path: /^core\/steps\/(?:gate\/facts|payment\/round)\.ts$/,
    is: /^no (?:balance|nonce) was asked for/,
    why: 'a fault of the program, which no user can bring about',
  },
  {
    path: /^core\/steps\/payment-view\/text\.ts$/,
    is: /^(?:speed up|never signed|never carried out)$/,
    why: 'what the user types, in every language',
  },
  {
    path: /^core\/steps\/sign\/text\.ts$/,
    is: /^<[a-z ]+>$/,
    why: 'a blank in a shell command, which is ASCII',
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
