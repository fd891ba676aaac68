import { MARK_WORDS } from '../compose/fact-lines.ts'
import type { FactRow, Mark, MoneyBand, Problem } from '../core/steps/view.ts'
import type { NetworkBadge } from '../hooks/shell.tsx'
import { longValueLines } from '../screens/ui/text.ts'
import type { Said } from './page.ts'

/** Where what belongs to a row goes on. */
const INDENT = ' '.repeat(4)
const LONG_CELLS = 72

/** A line behind the mark of a fact. */
export const marked = (mark: Mark, text: string): string => `${MARK_WORDS[mark].padEnd(3)} ${text}`

/** A value as it is: what is long goes below its label, hex in groups of four. */
export function valueLines(label: string, value: string): string[] {
  const [first = '', ...rest] = longValueLines(value, LONG_CELLS)
  if (rest.length === 0 && label.length + first.length < LONG_CELLS) return [`${label}: ${first}`]
  return [`${label}:`, ...[first, ...rest].map((line) => `${INDENT}${line}`)]
}

/** A fact: its mark, label, value and who said it, then what of it is long. */
export function factSaid(row: FactRow, at: 'fact' | 'check'): Said {
  const source = row.source === '' ? '' : ` (${row.source})`
  const value = row.value === '' ? '' : ` ${row.value}`
  const long = row.long === undefined ? [] : longValueLines(row.long, LONG_CELLS)
  return {
    key: `${at}.${row.id}`,
    lines: [marked(row.mark, `${row.label}:${value}${source}`), ...long.map((line) => `${INDENT}${line}`)],
    news: row.mark === 'unasked' ? 'none' : 'words',
    ...(row.mark === 'asking' || row.value === 'not asked yet' ? { pending: true } : {}),
  }
}

/** The two lines on where the money is. */
export function moneySaid({ line, worst }: MoneyBand): Said[] {
  return [
    { key: 'money', lines: [`Money: ${line}`], news: 'all' },
    { key: 'worst', lines: [worst.startsWith('worst') ? `W${worst.slice(1)}` : worst], news: 'words' },
  ]
}

const MONEY_WORDS: Readonly<Record<Problem['money'], string>> = {
  untouched: 'Money untouched.',
  unknown: 'Money: not known yet.',
  moved: 'Money has moved.',
}

/** What stops a step: what, where the money is, why, what to do next. */
export function problemSaid({ title, money, values, lines, next }: Problem): Said {
  const stop = /^(?:Stop|Closed|You)\b/.test(title) ? title : `Stop: ${title}`
  return {
    key: 'problem',
    news: 'all',
    lines: [
      `${stop} ${MONEY_WORDS[money]}`,
      ...values.flatMap(({ label, value }) => valueLines(label, value)),
      ...lines,
      ...next.map((text, at) => `${at === 0 ? 'next' : 'or'}: ${text}`),
    ],
  }
}

/** What kind of money it is, and where. */
export function badgeWords({ kind, label }: NetworkBadge): string {
  switch (kind) {
    case 'real':
      return `REAL MONEY, ${label}`
    case 'test':
      return `TEST, ${label}`
    case 'rehearsal':
      return 'REHEARSAL, play money'
  }
}
