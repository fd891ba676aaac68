import { Box, Text } from 'ink'
import { cellsOf, padRight, wrapText } from '../../core/format/drawable.ts'
import type { FieldView } from '../../core/steps/view.ts'
import type { FieldText } from '../../hooks/use-field-text.ts'
import { type Theme, useTheme } from '../theme.tsx'
import { type Line, type Row, rowsOf, run, type Tone, typedRun } from './line.ts'
import { drawable, keepsWords, longValueLines } from './text.ts'

type FieldProps = {
  field: FieldView
  input: FieldText
  labelCells: number
  columns: number
  height: number
}

const MARGIN = 6
const MARK = 3
const GAP = 2
const MAX_LABEL = 26
/** Rows that the text being typed may take; of a longer one the end is seen. */
const MAX_INPUT_ROWS = 4

/** One text field with the cursor in it. */
function Field({ field, input, labelCells, columns, height }: FieldProps) {
  const theme = useTheme()
  const left = MARGIN + labelCells + GAP
  return (
    <Box height={height} width={columns} overflow="hidden">
      <Box width={left} flexShrink={0}>
        <Text {...theme.style('accent')} wrap="truncate">
          {theme.plain(` ▶    ${drawable(field.label)}`)}
        </Text>
      </Box>
      <Box width={Math.max(1, columns - left - 1)} flexDirection="column" justifyContent="flex-end">
        <Box flexShrink={0}>
          <Text>
            {input.text.slice(0, input.cursor)}
            <Text inverse>{input.text.charAt(input.cursor) || ' '}</Text>
            {input.text.slice(input.cursor + 1)}
          </Text>
        </Box>
      </Box>
    </Box>
  )
}

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
  const height = Math.min(MAX_INPUT_ROWS, Math.ceil((cellsOf(input.text) + 1) / room))
  const node = <Field {...{ field, input, labelCells, columns, height }} />
  const kept = [
    run(` ▶    ${padRight(drawable(field.label), labelCells)}${' '.repeat(GAP)}`),
    typedRun(input.text),
  ]
  const under = (words: string, tone: Tone): Line[] =>
    wrapText(drawable(words), room).map((text): Line => [run(`${' '.repeat(indent)}${text}`, tone)])
  const error = input.wiped ?? (isAboutText(field, options) ? field.error : undefined)
  const below = [
    ...under(`${field.hint}${error === undefined ? keepsWords(input) : ''}`, 'dim'),
    ...(error === undefined ? [] : under(`✘ ${error}`, 'bad')),
  ]
  return [
    { key: `field.${field.id}`, node, height, focused: true, kept },
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
      accepted ? typedRun(first) : run(first),
    ],
    ...rest.map((text) => [run(' '.repeat(indent)), typedRun(text)]),
  ]
}
