import { cellsOf, padRight, wrapText } from '../../core/base/format/drawable.ts'
import { drawable, keepsWords, longValueLines } from '../../core/view/draw-text.ts'
import type { FieldView } from '../../core/view/view.ts'
import type { FieldText } from '../../hooks/use-field-text.ts'
import type { Theme } from '../theme.tsx'
import { inputLines } from './input-lines.ts'
import { fitLine, type Line, lineCells, type Row, rowsOf, run, type Tone } from './line.ts'

const MARGIN = 6
const MARK = 3
const GAP = 2
const MAX_LABEL = 26

export type FieldRowsOptions = {
  columns: number
  activeField: string | undefined
  selectedId?: string | undefined
  submitted?: { fieldId: string; text: string } | undefined
  marks: Theme['marks']
  input: FieldText
}

/** The fields of a step as rows: accepted ones with their value, the active one as an input, with hint or error. */
export function fieldRows(fields: readonly FieldView[], options: FieldRowsOptions): Row[] {
  const labelCells = Math.max(
    0,
    ...fields.map((field) => Math.min(MAX_LABEL, cellsOf(drawable(field.label)))),
  )
  return fields.flatMap((field) =>
    field.id === options.activeField
      ? activeRows(field, labelCells, options)
      : rowsOf(`field.${field.id}`, idleLines(field, labelCells, options), {
          focused: options.activeField === undefined && field.id === options.selectedId,
        }),
  )
}

function activeRows(field: FieldView, labelCells: number, options: FieldRowsOptions): Row[] {
  const { columns, input } = options
  const indent = MARGIN + labelCells + GAP
  const room = Math.max(1, columns - indent - 1)
  const label = fitLine([run(` ▶    ${field.label}`, 'accent')], indent)
  const margin = run(' '.repeat(indent))
  const lines = inputLines(input, { room, tone: 'text' }).map((text, at): Line => {
    if (at > 0) return [margin, ...text]
    return [...label, run(' '.repeat(indent - lineCells(label))), ...text]
  })
  const under = (words: string, tone: Tone): Line[] =>
    wrapText(drawable(words), room).map((text): Line => [run(`${' '.repeat(indent)}${text}`, tone)])
  const error = input.wiped ?? (isAboutText(field, options) ? field.error : undefined)
  const below = [
    ...under(`${field.hint}${error === undefined ? keepsWords(input) : ''}`, 'dim'),
    ...(error === undefined ? [] : under(`✘ ${error}`, 'bad')),
  ]
  return [
    ...rowsOf(`field.${field.id}`, lines, { focused: true }),
    ...rowsOf(`field.${field.id}.hint`, below, { focused: true }),
  ]
}

/**
 * Whether the error of a field is about the text in it: once that is another one, as the accepted one is, what was wrong
 * with the last one is about nothing.
 */
function isAboutText(field: FieldView, { submitted, input }: FieldRowsOptions): boolean {
  return submitted?.fieldId === field.id ? submitted.text === input.text : field.value === ''
}

function idleLines(field: FieldView, labelCells: number, options: FieldRowsOptions): Line[] {
  const accepted = field.value !== ''
  const mark = options.marks[accepted ? 'given' : 'unasked']
  const indent = MARGIN + labelCells + GAP
  const room = Math.max(8, options.columns - indent - 1)
  const [first = '', ...rest] = longValueLines(accepted ? field.value : '–', room)
  const chosen = options.selectedId === field.id
  return [
    [
      run(chosen ? ' ▶ ' : '   ', 'accent'),
      { text: padRight(mark.text, MARK), tone: mark.tone },
      run(padRight(drawable(field.label), labelCells), chosen ? 'chosen' : 'text'),
      run(' '.repeat(GAP)),
      run(first),
    ],
    ...rest.map((text) => [run(' '.repeat(indent)), run(text)]),
  ]
}
