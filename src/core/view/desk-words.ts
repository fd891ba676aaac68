import { padRight, wrapText } from '../base/format/drawable.ts'
import { drawable, longValueLines } from './draw-text.ts'
import type { Consent, Problem } from './view.ts'

/** The title of what stops a step: where it does not say itself that something ends there, that is put before it. */
export function stopTitle({ kind, title }: Pick<Problem, 'kind' | 'title'>): string {
  return kind === 'event' ? `Stop: ${title}` : title
}

/** Cells of an address in groups of four. */
const ADDRESS = 51

/** Returns the receiver and the amount of a consent, a line each. */
export function sentLines({ to, amount, fee }: Consent): readonly [to: string, amount: string] {
  return [`to: ${longValueLines(to.address, ADDRESS).join(' ')} · ${to.name}`, `amount: ${amount} · ${fee}`]
}

/** Why a key had no effect where a word is asked for, on screens and in lines. */
export const WORD_REFUSALS = {
  early: 'Keys of the first second do not count. Type it now.',
  pasted: 'A paste does not count: nothing is sent. Type it letter by letter.',
  hasty: 'Enter arrived together with the letters. Press it once more.',
  unknown: 'A check was not known when Enter came. Press it once more.',
} as const

/** Shown after a typed word until its password prompt opens; where none opens, until the user has read why. */
export const SECRET_WORDS = {
  coming: 'Wait for the password prompt. Until it opens, keys do nothing.',
  dropped: 'What you typed was dropped.',
  refused: 'Nothing was done: the step does not allow it now.',
  unneeded: 'This word needs no password.',
  none: 'No password is asked for. The reason is above.',
  answer: 'Press Enter or Esc to use the keys again.',
} as const

/** Why no word can be typed on a screen yet. */
export const CONFIRM_OBSTACLES = {
  room: 'This window is too small to confirm in: make it 80 columns by 24 rows.',
  unread: (typed: string) => `Read it to the end first: PgDn. Then type ${typed}`,
} as const

/** What stays in the terminal's history when the screens are gone. */
export type ReceiptView = {
  /** One sentence: how far it came. */
  title: string
  rows: readonly { label: string; value: string }[]
  /** What the user can do next, e.g. how to come back. */
  next: readonly string[]
}

const LABEL = 14
const COLUMNS = 78

/** Returns the summary as plain lines of at most 78 cells; values are whole, hex in groups of four. */
export function receiptLines(receipt: ReceiptView, plain: (text: string) => string): string[] {
  const rows = receipt.rows.flatMap(({ label, value }) =>
    longValueLines(value, COLUMNS - LABEL - 3).map(
      (text, index) => `  ${padRight(index === 0 ? drawable(label) : '', LABEL)} ${text}`,
    ),
  )
  const next = receipt.next.flatMap((text) =>
    wrapText(drawable(text), COLUMNS - 2).map((line) => `  ${line}`),
  )
  return [drawable(receipt.title), ...rows, ...(next.length > 0 ? ['', ...next] : [])].map(plain)
}
