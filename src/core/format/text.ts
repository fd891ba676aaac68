/** Text from a stranger that can be drawn: one line, no control, direction or invisible characters. */
export type SafeText = string & { readonly __safe: true }

const MAX_LENGTH = 200
const MAX_MARKS = 2
const MARK = /\p{M}/u
const UNSAFE = /\p{Cc}|\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\p{Zl}|\p{Zp}|\p{VS}|[\u3164\u115F\u1160\u{FFA0}]/u

/**
 * Makes text from an endpoint, a file or a tool safe to draw: control, direction, zero-width,
 * variation and private-use characters become `·`, at most two combining marks stay on a letter, at most
 * `maxLength` characters stay in all.
 */
export function safeText(raw: unknown, maxLength = MAX_LENGTH): SafeText {
  const source = typeof raw === 'string' ? raw : String(raw)
  let out = ''
  let marks = 0
  let length = 0
  for (const character of source.slice(0, maxLength * 8)) {
    if (length >= maxLength) return `${out}…` as SafeText
    if (MARK.test(character) && !UNSAFE.test(character)) {
      marks += 1
      if (marks > MAX_MARKS) continue
      out += character
      continue
    }
    marks = 0
    length += 1
    out += UNSAFE.test(character) ? '·' : character
  }
  return out as SafeText
}

const REPLACED: readonly [RegExp, string][] = [
  [/→/g, '->'],
  [/[·•–—−]/g, '-'],
  [/[“”]/g, '"'],
  [/×/g, 'x'],
  [/≥/g, '>='],
  [/≤/g, '<='],
  [/[’‘]/g, "'"],
  [/…/g, '...'],
  [/✔/g, 'ok'],
  [/✘/g, 'NO'],
  [/[^\x20-\x7e]/g, '?'],
]

/** Text for a log, or for a terminal of which nothing is known: every character beyond ASCII replaced. */
export function plainAscii(text: string): string {
  return REPLACED.reduce((line, [from, to]) => line.replace(from, to), text)
}
