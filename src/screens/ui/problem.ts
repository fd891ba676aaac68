import { cellsOf, padRight } from '../../core/format/drawable.ts'
import type { Problem } from '../../core/steps/view.ts'
import { stopTitle } from '../words.ts'
import { BLANK, type Line, line, paragraph, run, spreadLine } from './line.ts'
import { drawable, longValueLines } from './text.ts'

const MONEY_WORDS = {
  untouched: { text: 'money untouched ', tone: 'good' },
  unknown: { text: 'money: not known yet ', tone: 'warn' },
  moved: { text: 'money has moved ', tone: 'bad' },
} as const

const MAX_LABEL = 24

/** What stops the step: what, why, where the money is, what to do next; `isNamed`: what, and where the money is. */
export function problemLines(problem: Problem, columns: number, { isNamed = false } = {}): Line[] {
  const title = stopTitle(problem)
  const money = MONEY_WORDS[problem.money]
  const moneyRun = run(money.text, money.tone)
  const room = columns - cellsOf(money.text) - 2
  const [first = [], ...rest] = paragraph(title, { columns: Math.max(20, room), tone: 'bad' })
  const named = [spreadLine(first, [moneyRun], columns), ...rest]
  if (isNamed) return named
  return [
    ...named,
    BLANK,
    ...problem.values.flatMap((value) => valueLines(value, columns)),
    ...(problem.values.length > 0 ? [BLANK] : []),
    ...problem.lines.flatMap((text) => paragraph(text, { columns })),
    ...(problem.lines.length > 0 && problem.next.length > 0 ? [BLANK] : []),
    ...problem.next.flatMap((text, index) => nextLines(text, index === 0 ? 'next' : 'or', columns)),
  ]
}

function valueLines({ label, value }: Problem['values'][number], columns: number): Line[] {
  const text = drawable(label)
  const beside = cellsOf(text) <= MAX_LABEL && columns >= 60
  const indent = beside ? 3 + MAX_LABEL + 1 : 5
  const values = longValueLines(value, Math.max(8, columns - indent - 1))
  const lines = values.map(
    (piece, index): Line => [
      run(beside && index === 0 ? `   ${padRight(text, MAX_LABEL)} ` : ' '.repeat(indent)),
      run(piece, 'strong'),
    ],
  )
  return beside ? lines : [line(`   ${text}`), ...lines]
}

function nextLines(text: string, word: string, columns: number): Line[] {
  return paragraph(text, { columns, indent: 10 }).map((row, index) =>
    index === 0 ? [run(`   ${padRight(word, 7)}`, 'accent'), ...row.slice(1)] : row,
  )
}
