import { cellsOf } from './drawable.ts'

const INDENT = '  '
const GOES_ON = ' \\'
/** How a word holds characters that are no printable ASCII (core/format/shell-word). */
const [OPEN, CLOSE] = [`"$(printf '`, `')"`]

type Quote = 'none' | 'single' | 'double' | 'bytes'
/** What of a word stays on one line, and in which quotation marks the word is before it and after it. */
type Token = { text: string; before: Quote; after: Quote }

/**
 * A command over lines of `room` cells. A long command goes on behind the shell's own continuation, a word that fits no
 * line at the very edge of the next one, its quotation marks closed and opened anew: a shell reads the same words.
 */
export function shellLines(command: string, room: number): string[] {
  const lines: string[] = []
  let current = ''
  for (const word of wordsOf(command)) {
    const joined = current === '' ? textOf(word) : `${current} ${textOf(word)}`
    if (cellsOf(joined) + GOES_ON.length <= room) {
      current = joined
      continue
    }
    if (current !== '') lines.push(`${current}${GOES_ON}`)
    const pieces = piecesOf(word, { start: lines.length === 0 ? '' : INDENT, room })
    lines.push(...pieces.slice(0, -1))
    current = pieces.at(-1) ?? ''
  }
  return [...lines, current]
}

function piecesOf(word: readonly Token[], { start, room }: { start: string; room: number }): string[] {
  const whole = `${start}${textOf(word)}`
  if (cellsOf(whole) + GOES_ON.length <= room) return [whole]
  const pieces: string[] = []
  let current = start
  for (const { text, before, after } of word) {
    const isFull = cellsOf(current) + cellsOf(text) + markOf(after).length + 1 > room
    if (isFull && current !== start) {
      pieces.push(`${current}${markOf(before)}\\`)
      current = markOf(before)
    }
    current += text
  }
  return [...pieces, current]
}

/** What closes a word's quotation marks, and opens them anew. */
const markOf = (quote: Quote): string => ({ none: '', single: `'`, double: '"', bytes: `'` })[quote]

const textOf = (word: readonly Token[]): string => word.map(({ text }) => text).join('')

function wordsOf(command: string): Token[][] {
  const words: Token[][] = [[]]
  let before: Quote = 'none'
  for (let rest = command; rest !== ''; ) {
    const [text, after]: [string, Quote] = nextToken(rest, before)
    rest = rest.slice(text.length)
    if (text === ' ' && before === 'none') words.push([])
    else words.at(-1)?.push({ text, before, after })
    before = after
  }
  return words.filter((word) => word.length > 0)
}

function nextToken(rest: string, quote: Quote): [text: string, after: Quote] {
  switch (quote) {
    case 'none':
      if (rest.startsWith(OPEN)) return [OPEN, 'bytes']
      if (rest.startsWith('"')) return ['"', 'double']
      return rest.startsWith(`'`) ? [`'`, 'single'] : [/^(?:\\.|.)/s.exec(rest)?.[0] ?? rest, 'none']
    case 'single':
      return [rest.slice(0, 1), rest.startsWith(`'`) ? 'none' : 'single']
    case 'double':
      // A path as Windows writes it. A backslash keeps what follows it: before a quotation mark it would take that in.
      return rest.startsWith('"') ? ['"', 'none'] : [/^(?:\\.|.)/s.exec(rest)?.[0] ?? rest, 'double']
    case 'bytes':
      return rest.startsWith(CLOSE)
        ? [CLOSE, 'none']
        : [/^(?:\\\d{3}|%%|.)/s.exec(rest)?.[0] ?? rest, 'bytes']
  }
}
