import { onlyDrawable } from './drawable.ts'
import { secretFault } from './text.ts'

/** What is said of a text that may be a secret, once it was wiped: its length alone. Undefined where it is none. */
export function secretRefusal(text: string): string | undefined {
  const fault = secretFault(text)
  return fault === undefined ? undefined : `${fault} Its ${[...text.trim()].length} characters were wiped.`
}

const MAX_CHARACTERS = 20_000

/** One line of what every terminal draws alike, while it is edited. Every character is one unit. */
export type EditedText = {
  text: string
  /** How many characters stand in front of the cursor. */
  cursor: number
  /** Proposed or accepted before, and not edited yet: what is typed takes its place. */
  fresh: boolean
  /** What the field offered: it comes back where nothing is left of the text. */
  proposed?: string
  /** Why the text was wiped: it may have been a secret. */
  wiped?: string
}

/** What a key or a paste does to a text. */
export type TextEdit =
  | { kind: 'insert' | 'paste'; text: string }
  | { kind: 'left' | 'right' | 'home' | 'end' | 'rub' | 'rubAhead' | 'empty' }

/** A text that is there when the cursor comes, and what the field offers, where that is another one. */
export function freshText(initial: string, proposed: string = initial): EditedText {
  const text = onlyDrawable(initial).slice(0, MAX_CHARACTERS)
  return { text, cursor: text.length, fresh: true, proposed }
}

/**
 * Returns the text after an edit: the first letter replaces a fresh one, a cursor that moves keeps it. Emptying an empty
 * text brings back what was proposed.
 */
export function editText({ text, cursor, fresh, proposed = '' }: EditedText, edit: TextEdit): EditedText {
  const at = (place: number, changed = text): EditedText => ({
    text: changed,
    cursor: place,
    fresh: false,
    proposed,
  })
  switch (edit.kind) {
    case 'left':
      return at(Math.max(0, cursor - 1))
    case 'right':
      return at(Math.min(text.length, cursor + 1))
    case 'home':
      return at(0)
    case 'end':
      return at(text.length)
    case 'rub':
      return at(Math.max(0, cursor - 1), text.slice(0, Math.max(0, cursor - 1)) + text.slice(cursor))
    case 'rubAhead':
      return at(cursor, text.slice(0, cursor) + text.slice(cursor + 1))
    case 'empty':
      return text === '' && proposed !== '' ? freshText(proposed) : at(0, '')
    case 'paste':
    case 'insert': {
      const added = edit.kind === 'paste' ? onOneLine(edit.text) : edit.text
      const next = { ...(fresh ? inserted('', 0, added) : inserted(text, cursor, added)), proposed }
      // Of what is typed letter by letter nobody knows yet whether it is whole.
      return edit.kind === 'paste' ? (wipedText(edit.text) ?? wipedText(next.text) ?? next) : next
    }
  }
}

/** Returns what stays of a text that may be a secret: nothing but why. Undefined where it is none. */
export function wipedText(text: string): EditedText | undefined {
  const wiped = secretRefusal(text)
  return wiped === undefined ? undefined : { text: '', cursor: 0, fresh: false, wiped }
}

const NUMBERS = /^[\d.,]+(?:\s*[\r\n]+\s*[\d.,]+)+$/

/** A long value that a terminal broke is one again; numbers of several lines stay apart, or they make another number. */
function onOneLine(pasted: string): string {
  return NUMBERS.test(pasted) ? pasted.replace(/\s+/g, ' ') : pasted
}

function inserted(text: string, cursor: number, more: string): EditedText {
  const added = onlyDrawable(more).slice(0, MAX_CHARACTERS - text.length)
  return {
    text: text.slice(0, cursor) + added + text.slice(cursor),
    cursor: cursor + added.length,
    fresh: false,
  }
}
