import { cellsOf, padRight, wrapText } from '../../core/format/drawable.ts'
import type { ChartRow, Explain, Picture } from '../../core/steps/view.ts'
import { BLANK, type Line, line, paragraph, run, typedRun } from './line.ts'
import { shellLines } from './shell-lines.ts'
import { drawable, longValueLines, sentencesOf } from './text.ts'

const PART_COLUMNS = cellsOf('can it change') + 2

/** The answer to `?`: what a value is, who says it, whether it can change. `typed` where it is the text of a field. */
export function explainLines(
  subject: { label: string; value: string; explain: Explain; typed?: true },
  columns: number,
): Line[] {
  const { what, who, later } = subject.explain
  const value = longValueLines(subject.value, Math.max(8, columns - 6))
  const part = (word: string, text: string): Line[] =>
    paragraph(text, { columns, indent: PART_COLUMNS + 3 }).map((row, index) =>
      index === 0 ? [run(`   ${padRight(word, PART_COLUMNS)}`, 'accent'), ...row.slice(1)] : row,
    )
  return [
    line(` ${subject.label}`, 'strong'),
    ...value.map((text) => [run('   '), subject.typed ? typedRun(text) : run(text)]),
    BLANK,
    ...part('what it is', what),
    BLANK,
    ...part('who says so', who),
    BLANK,
    ...part('can it change', later),
  ]
}

/**
 * The equivalent shell commands, each whole. What stands there can be copied into a shell as it is.
 */
export function commandLines(commands: readonly string[], columns: number): Line[] {
  if (commands.length === 0) return [line(' This step has no command of its own.')]
  const room = Math.max(8, columns - 1)
  return [
    line(' The same from a shell'),
    ...commands.flatMap((command) => [
      BLANK,
      ...shellLines(drawable(command), room).map((text) => line(text)),
    ]),
  ]
}

/** Below this width nobody sees columns. */
const LEAST_COLUMNS = 80
const MOST_COLUMNS = 100
const GAP = 2
/** Where the sentences about one column begin. */
const INDENT = 5

/** The table, or where its columns have no room its sentences, one column after the other. */
export function pictureLines(picture: Picture, columns: number): Line[] {
  return columns < LEAST_COLUMNS ? listLines(picture, columns) : tableLines(picture, columns)
}

function tableLines({ columns: heads, rows, note }: Picture, columns: number): Line[] {
  const label = Math.max(0, ...rows.map((row) => cellsOf(drawable(row.label))))
  const room = Math.min(columns, MOST_COLUMNS) - 1 - label - GAP
  const cell = Math.floor(room / heads.length)
  const first = (text: string) => run(` ${padRight(drawable(text), label + GAP)}`)
  const lines = rows.flatMap((row) => {
    // The last column needs no gap behind it.
    const wrapped = row.cells.map(({ short }, at) =>
      wrapText(drawable(short), at === heads.length - 1 ? cell : cell - GAP),
    )
    const height = Math.max(...wrapped.map((texts) => texts.length))
    return Array.from(
      { length: height },
      (_, at): Line => [
        first(at === 0 ? row.label : ''),
        ...row.cells.map(({ text }, column) =>
          run(padRight(wrapped[column]?.[at] ?? '', cell), text === '' ? 'dim' : 'text'),
        ),
      ],
    )
  })
  return [
    [first(''), ...heads.map((head) => run(padRight(drawable(head), cell), 'accent'))],
    ...lines,
    ...paragraph(note, { columns, tone: 'dim' }),
  ]
}

function listLines(picture: Picture, columns: number): Line[] {
  const parts = sentencesOf(picture).flatMap(({ name, sentences }) => [
    line(` ${name}`, 'accent'),
    ...sentences.flatMap((sentence) => paragraph(sentence, { columns, indent: INDENT })),
    BLANK,
  ])
  return [...parts, ...paragraph(picture.note, { columns, tone: 'dim' })]
}

const LEVELS = [...'▁▂▃▄▅▆▇█']

/**
 * Values beside one another, each in one cell, over the words of what became of them. Own code: libraries for charts draw
 * curves of several rows with axes, and there is room for one row.
 */
export function chartLines(rows: readonly ChartRow[], columns: number): Line[] {
  const label = Math.max(0, ...rows.map((row) => cellsOf(row.label)))
  const cells = Math.max(0, ...rows.map(({ values }) => values.length))
  return rows.map(({ label: name, values, text }) => {
    const [least, most] = [Math.min(...values), Math.max(...values)]
    const levelOf = (value: number) =>
      most === least ? 0 : Math.round(((value - least) / (most - least)) * (LEVELS.length - 1))
    const drawn = values.map((value) => LEVELS[levelOf(value)] ?? '').join('')
    const wide = columns >= 60 ? `  ${padRight(drawn, cells)}` : ''
    return [run('      '), run(padRight(name, label)), run(wide, 'accent'), run(`  ${text}`)]
  })
}
