import type { Picture } from '../../core/steps/view.ts'
import { BLANK, type Line, line, paragraph, run } from './line.ts'
import { cellsOf, drawable, padRight, sentencesOf, wrapText } from './text.ts'

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
      wrapText(drawable(short), at === heads.length - 1 ? cell : cell - 1),
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
