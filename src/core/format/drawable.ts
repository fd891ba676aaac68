const NARROW =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u0370-\u0377\u037a-\u037f\u0384-\u03ff\u0400-\u0482\u048a-\u052f\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u2070-\u209c\u20a0-\u20bf\u2100-\u211f\u2123-\u218b\u2190-\u22ff\u2500-\u25fc\u25ff\u2713-\u2718\u2800-\u28ff]$/
const WIDE = /^[\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]$/
const UNASSIGNED = /\p{Cn}/u

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
