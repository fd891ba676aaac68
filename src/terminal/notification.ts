const BELL = '\u0007'
const STRING_END = '\u001b\\'
const LONGEST = 100
/** Consoles that would draw a text which is not meant for them, or know no texts. */
const BELL_ONLY = /^(?:linux|dumb|vt\d+.*)?$/

/**
 * What makes a terminal call its user: a text for the desktop (OSC 9) where the terminal may know that, and the bell.
 * Nothing of it moves the cursor or draws. Of `text` only printable ASCII is taken, 100 characters at most; `term` is
 * the TERM of the environment.
 */
export function notification(text: string, term: string | undefined): string {
  if (BELL_ONLY.test(term ?? '')) return BELL
  const plain = text.replace(/[^\x20-\x7e]+/g, ' ').trim()
  // Named first: some terminals take a number at the beginning for a command.
  return `\u001b]9;bearings: ${plain.slice(0, LONGEST)}${STRING_END}${BELL}`
}
