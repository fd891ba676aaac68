import { cellsOf, padRight, wrapText } from '../../core/base/format/drawable.ts'
import { drawable, keepsWords, longValueLines } from '../../core/view/draw-text.ts'
import type { FieldView } from '../../core/view/view.ts'
import type { FieldText } from '../../hooks/use-field-text.ts'
import type { Theme } from '../theme.tsx'
import {
  fitLine,
  keyedRows,
  lineCells,
  type ScreenLine,
  type ScreenRow,
  type ScreenTone,
  span,
} from './line.ts'
import { inputLines } from './setup-fields.ts'

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
export function fieldRows(fields: readonly FieldView[], options: FieldRowsOptions): ScreenRow[] {
  const labelCells = Math.max(
    0,
    ...fields.map((field) => Math.min(MAX_LABEL, cellsOf(drawable(field.label)))),
  )
  return fields.flatMap((field) =>
    field.id === options.activeField
      ? activeRows(field, labelCells, options)
      : keyedRows(`field.${field.id}`, idleLines(field, labelCells, options), {
          focused: options.activeField === undefined && field.id === options.selectedId,
        }),
  )
}

function activeRows(field: FieldView, labelCells: number, options: FieldRowsOptions): ScreenRow[] {
  const { columns, input } = options
  const indent = MARGIN + labelCells + GAP
  const room = Math.max(1, columns - indent - 1)
  const label = fitLine([span(` ▶    ${field.label}`, 'accent')], indent)
  const margin = span(' '.repeat(indent))
  const lines = inputLines(input, { room, tone: 'text' }).map((text, at): ScreenLine => {
    if (at > 0) return [margin, ...text]
    return [...label, span(' '.repeat(indent - lineCells(label))), ...text]
  })
  const under = (words: string, tone: ScreenTone): ScreenLine[] =>
    wrapText(drawable(words), room).map((text): ScreenLine => [span(`${' '.repeat(indent)}${text}`, tone)])
  const error = input.wiped ?? (isAboutText(field, options) ? field.error : undefined)
  const below = [
    ...under(`${field.hint}${error === undefined ? keepsWords(input) : ''}`, 'dim'),
    ...(error === undefined ? [] : under(`✘ ${error}`, 'bad')),
  ]
  return [
    ...keyedRows(`field.${field.id}`, lines, { focused: true }),
    ...keyedRows(`field.${field.id}.hint`, below, { focused: true }),
  ]
}

/**
 * Whether the error of a field is about the text in it: once that is another one, as the accepted one is, what was wrong
 * with the last one is about nothing.
 */
function isAboutText(field: FieldView, { submitted, input }: FieldRowsOptions): boolean {
  return submitted?.fieldId === field.id ? submitted.text === input.text : field.value === ''
}

function idleLines(field: FieldView, labelCells: number, options: FieldRowsOptions): ScreenLine[] {
  const accepted = field.value !== ''
  const mark = options.marks[accepted ? 'given' : 'unasked']
  const indent = MARGIN + labelCells + GAP
  const room = Math.max(8, options.columns - indent - 1)
  const [first = '', ...rest] = longValueLines(accepted ? field.value : '–', room)
  const chosen = options.selectedId === field.id
  return [
    [
      span(chosen ? ' ▶ ' : '   ', 'accent'),
      { text: padRight(mark.text, MARK), tone: mark.tone },
      span(padRight(drawable(field.label), labelCells), chosen ? 'chosen' : 'text'),
      span(' '.repeat(GAP)),
      span(first),
    ],
    ...rest.map((text) => [span(' '.repeat(indent)), span(text)]),
  ]
}
