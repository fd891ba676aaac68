import { cellsOf, padRight } from '../../core/base/format/drawable.ts'
import { nextText } from '../../core/base/format/next-text.ts'
import { stopTitle } from '../../core/view/desk-words.ts'
import { drawable, longValueLines } from '../../core/view/draw-text.ts'
import type { Problem } from '../../core/view/view.ts'
import { BLANK, line, paragraph, type ScreenLine, type ScreenTone, span, spreadLine } from './line.ts'

const MONEY_WORDS = {
  untouched: { text: 'money untouched ', tone: 'good' },
  unknown: { text: 'money: not known ', tone: 'warn' },
  moved: { text: 'money has moved ', tone: 'bad' },
} as const

const MAX_LABEL = 24

/** What stops the step: what, where the money is, what to do next, why; `isNamed`: what, and where the money is. */
export function problemLines(problem: Problem, columns: number, { isNamed = false } = {}): ScreenLine[] {
  const title = stopTitle(problem)
  const money = moneyOf(problem)
  const moneyRun = span(money.text, money.tone)
  const room = columns - cellsOf(money.text) - 2
  const [first = [], ...rest] = paragraph(title, { columns: Math.max(20, room), tone: 'bad' })
  const named = [spreadLine(first, [moneyRun], columns), ...rest]
  if (isNamed) return named
  return [
    ...named,
    ...[
      problem.next.flatMap((step, index) => nextLines(nextText(step), index === 0 ? 'next' : 'or', columns)),
      problem.lines.flatMap((text) => paragraph(text, { columns })),
      problem.values.flatMap((value) => valueLines(value, columns)),
    ].flatMap((part) => (part.length === 0 ? [] : [BLANK, ...part])),
  ]
}

function moneyOf({ money, lost }: Problem): { text: string; tone: ScreenTone } {
  return lost === undefined ? MONEY_WORDS[money] : { text: `${lost} lost `, tone: 'bad' }
}

function valueLines({ label, value }: Problem['values'][number], columns: number): ScreenLine[] {
  const text = drawable(label)
  const beside = cellsOf(text) <= MAX_LABEL && columns >= 60
  const indent = beside ? 3 + MAX_LABEL + 1 : 5
  const values = longValueLines(value, Math.max(8, columns - indent - 1))
  const lines = values.map(
    (piece, index): ScreenLine => [
      span(beside && index === 0 ? `   ${padRight(text, MAX_LABEL)} ` : ' '.repeat(indent)),
      span(piece, 'strong'),
    ],
  )
  return beside ? lines : [line(`   ${text}`), ...lines]
}

function nextLines(text: string, word: string, columns: number): ScreenLine[] {
  return paragraph(text, { columns, indent: 10 }).map((row, index) =>
    index === 0 ? [span(`   ${padRight(word, 7)}`, 'accent'), ...row.slice(1)] : row,
  )
}
