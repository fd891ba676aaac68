import { LANGUAGE } from '../core/base/format/language.ts'

const BELL = '\u0007'
const STRING_END = '\u001b\\'
const LONGEST = 100
const NOT_ASCII = /[^\x20-\x7e]+/g
const NOT_OURS = /[^\x20-\x7e\u3001-\u3011\u4e00-\u9fff\uff01-\uff5e]+/g
/** Consoles that would draw a text which is not meant for them, or know no texts. */
const BELL_ONLY = /^(?:linux|dumb|vt\d+.*)?$/

/** Terminals whose text for the desktop is the other one of the two. */
const KNOWS_777 = /^(?:rxvt|foot)/

/** `auto` goes by the name of the terminal. */
export type NotificationForm = 'auto' | 'osc9' | 'osc777' | 'bell'

/**
 * What makes a terminal call its user: a text for the desktop (OSC 9, or OSC 777 where the terminal knows that one) and
 * the bell. Nothing of it moves the cursor or draws. Of `text` only printable ASCII is taken, and the letters of the
 * language of this program, 100 characters at most; `term` is the TERM of the environment.
 */
export function notification(
  text: string,
  term: string | undefined,
  form: NotificationForm = 'auto',
  language = LANGUAGE,
): string {
  const named = KNOWS_777.test(term ?? '') ? 'osc777' : 'osc9'
  const chosen = form === 'auto' ? named : form
  if (chosen === 'bell' || BELL_ONLY.test(term ?? '')) return BELL
  const plain = text.replace(language === 'en' ? NOT_ASCII : NOT_OURS, ' ').trim()
  // Named first: some terminals take a number at the beginning for a command.
  if (chosen === 'osc9') return `\u001b]9;bearings: ${plain.slice(0, LONGEST)}${STRING_END}${BELL}`
  // A semicolon would end the field.
  return `\u001b]777;notify;bearings;${plain.replaceAll(';', ',').slice(0, LONGEST)}${STRING_END}${BELL}`
}
