const NARROW =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u0370-\u0377\u037a-\u037f\u0384-\u03ff\u0400-\u0482\u048a-\u052f\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u2070-\u209c\u20a0-\u20bf\u2100-\u211f\u2123-\u218b\u2190-\u22ff\u2500-\u25fc\u25ff\u2713-\u2718\u2800-\u28ff]$/
const WIDE =
  /^[\u3001-\u3003\u3008-\u3011\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]$/
const UNASSIGNED = /\p{Cn}/u

/** A character that is never shown as it came: control, direction, invisible and private ones. */
export const UNSAFE = /\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\p{Zl}|\p{Zp}|\p{VS}|[\u3164\u115F\u1160\u{FFA0}]/u

/** A character of a typed text that nobody sees, and every space but that of the keyboard. */
export const INVISIBLE = new RegExp(`(?![ \\t\\r\\n])(?:${UNSAFE.source}|\\p{Zs})`, 'u')
const INVISIBLE_NAMES: readonly [RegExp, string][] = [
  [/\ufeff/, 'byte-order mark'],
  [/\p{Zs}/u, 'an unusual space'],
  [/\u200b/, 'zero-width space'],
  [/\u200c|\u200d|\u2060/, 'zero-width joiner'],
  [/\u00ad/, 'soft hyphen'],
  [/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/, 'direction mark'],
  [/\p{Cc}/u, 'control character'],
]

/** Returns which character of a typed text nobody can see, and where it is; undefined where there is none. */
export function invisibleFault(text: string): string | undefined {
  const characters = [...text]
  const at = characters.findIndex((each) => INVISIBLE.test(each))
  const found = characters[at]
  if (found === undefined) return undefined
  const [, name = 'not drawn'] = INVISIBLE_NAMES.find(([form]) => form.test(found)) ?? []
  const point = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `Character ${at + 1} of ${characters.length} is invisible: U+${point} (${name}). Remove it, or type the text by hand.`
}

/**
 * Whether every terminal draws this character, and in the same number of cells: not so for what is invisible, turns
 * the direction, or sits on another one, nor for letters from emoji to right-to-left scripts. Such a character is one
 * UTF-16 unit. The one definition of it for what is shown and for what is typed.
 */
export function isDrawable(character: string): boolean {
  return (NARROW.test(character) && !UNASSIGNED.test(character)) || WIDE.test(character)
}

/** Whether a drawable character takes two cells. */
export function isWide(character: string): boolean {
  return WIDE.test(character)
}

/** What of a text can be drawn, in its order; a letter and its marks count as one where there is such a letter. */
export function onlyDrawable(text: string): string {
  return [...text.normalize('NFC')].filter(isDrawable).join('')
}

/** Cells that drawable text takes. */
export function cellsOf(text: string): number {
  let cells = 0
  for (const character of text) cells += isWide(character) ? 2 : 1
  return cells
}

/** Returns the longest beginning of drawable text that takes at most `cells`. */
export function takeCells(text: string, cells: number): string {
  let taken = ''
  let used = 0
  for (const character of text) {
    used += isWide(character) ? 2 : 1
    if (used > cells) return taken
    taken += character
  }
  return taken
}

/** Drawable text followed by spaces up to `cells`. */
export function padRight(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - cellsOf(text)))
}

/** Drawable text with spaces before it up to `cells`. */
export function padLeft(text: string, cells: number): string {
  return ' '.repeat(Math.max(0, cells - cellsOf(text))) + text
}

/**
 * Drawable text over as many lines of at most `cells` as it takes; nothing is left out. A line ends between words, or
 * beside a wide character, though not before a mark that closes nor behind one that opens.
 */
export function wrapText(text: string, cells: number): string[] {
  const width = Math.max(1, cells)
  const lines: string[] = []
  let line = ''
  const add = (piece: string, space: string): void => {
    if (line !== '' && cellsOf(line) + space.length + cellsOf(piece) <= width) {
      line += space + piece
      return
    }
    if (line !== '') lines.push(line)
    const chopped = chopText(piece, width)
    lines.push(...chopped.slice(0, -1))
    line = chopped.at(-1) ?? ''
  }
  for (const word of text.split(' '))
    for (const [at, piece] of breakable(word).entries()) add(piece, at === 0 ? ' ' : '')
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}

/** Marks that a line does not begin with, and marks that it does not end with. */
const CLOSING =
  '\u3001-\u3003\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f,.:;!?)…'
const OPENING = '\u3008\u300a\u300c\u300e\u3010\uff08('
const WIDE_RANGES = WIDE.source.slice(2, -2)
const UNIT = new RegExp(
  `[${OPENING}]*(?:(?![${OPENING}${CLOSING}])[${WIDE_RANGES}]|[^${WIDE_RANGES}]+)[${CLOSING}]*|[^]`,
  'gu',
)

/** Returns the parts of a word between which a line may end: all of it where nothing in it is wide. */
export function breakable(word: string): string[] {
  return [...word].some(isWide) ? (word.match(UNIT) ?? []) : [word]
}

/** Drawable text cut into pieces of at most `cells`, at any character. */
function chopText(text: string, cells: number): string[] {
  const width = Math.max(2, cells)
  const pieces: string[] = []
  let rest = text
  while (cellsOf(rest) > width) {
    const piece = takeCells(rest, width)
    pieces.push(piece)
    rest = rest.slice(piece.length)
  }
  return [...pieces, rest]
}
