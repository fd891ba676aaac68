import { Box, Text } from 'ink'
import TextInput from 'ink-text-input'
import type { FieldView } from '../../core/steps/view.ts'
import { useFieldText } from '../../hooks/use-field-text.ts'
import { useTheme } from '../theme.tsx'
import { type Line, line, type Row, rowsOf, run } from './line.ts'
import { drawable, longValueLines, padRight } from './text.ts'

export type FieldProps = {
  field: FieldView
  columns: number
  labelCells: number
  onSubmit: (text: string) => void
}

const MARGIN = 6
const GAP = 2
/** Rows kept for the text being typed; of a longer one the end is seen. */
export const FIELD_ROWS = 3

/** One text field with the cursor in it. */
export function Field({ field, columns, labelCells, onSubmit }: FieldProps) {
  const theme = useTheme()
  const { text, pastes, setText } = useFieldText(field.suggestion ?? field.value)
  const left = MARGIN + labelCells + GAP
  return (
    <Box height={FIELD_ROWS} width={columns} overflow="hidden">
      <Box width={left} flexShrink={0}>
        <Text {...theme.style('accent')} wrap="truncate">
          {theme.plain(` ▶    ${drawable(field.label)}`)}
        </Text>
      </Box>
      <Box
        width={Math.max(1, columns - left - 1)}
        flexDirection="column"
        justifyContent={endOf(text, columns - left)}
      >
        <Box flexShrink={0}>
          <TextInput key={pastes} value={text} onChange={setText} onSubmit={onSubmit} />
        </Box>
      </Box>
    </Box>
  )
}

function endOf(text: string, cells: number): 'flex-start' | 'flex-end' {
  return text.length + 2 > cells * FIELD_ROWS - cells ? 'flex-end' : 'flex-start'
}

/** The fields of a step as rows: accepted ones with their value, the active one as an input, with hint and error. */
export function fieldRows(
  fields: readonly FieldView[],
  options: {
    columns: number
    activeField: string | undefined
    selectedId: string | undefined
    mark: (accepted: boolean) => { text: string; tone: 'good' | 'dim' }
    onSubmit: (fieldId: string, text: string) => void
  },
): Row[] {
  const { columns, activeField, selectedId, onSubmit } = options
  const labelCells = Math.max(0, ...fields.map((field) => Math.min(26, drawable(field.label).length)))
  return fields.flatMap((field): Row[] => {
    const focused = field.id === activeField || (activeField === undefined && field.id === selectedId)
    if (field.id !== activeField)
      return rowsOf(`field.${field.id}`, idleLines(field, labelCells, options), { focused })
    const node = (
      <Field
        key={field.id}
        field={field}
        columns={columns}
        labelCells={labelCells}
        onSubmit={(text) => onSubmit(field.id, text)}
      />
    )
    return [
      ...rowsOf(`field.${field.id}.hint`, [hintLine(field, labelCells)], { focused }),
      { key: `field.${field.id}`, node, height: FIELD_ROWS, focused },
    ]
  })
}

function hintLine(field: FieldView, labelCells: number): Line {
  const indent = ' '.repeat(MARGIN + labelCells + GAP)
  return field.error === undefined
    ? [run(`${indent}${field.hint}`, 'dim')]
    : [run(`${' '.repeat(MARGIN)}✘ ${field.error}`, 'bad')]
}

function idleLines(
  field: FieldView,
  labelCells: number,
  options: {
    columns: number
    selectedId: string | undefined
    mark: (accepted: boolean) => { text: string; tone: 'good' | 'dim' }
  },
): Line[] {
  const accepted = field.value !== ''
  const mark = options.mark(accepted)
  const indent = MARGIN + labelCells + GAP
  const [first = '', ...rest] = longValueLines(
    accepted ? field.value : '–',
    Math.max(8, options.columns - indent - 1),
  )
  const chosen = options.selectedId === field.id
  return [
    [
      run(chosen ? ' ▶ ' : '   ', 'accent'),
      { text: padRight(mark.text, MARGIN - 3), tone: mark.tone },
      run(padRight(drawable(field.label), labelCells), chosen ? 'chosen' : 'text'),
      run(`${' '.repeat(GAP)}${first}`),
    ],
    ...rest.map((text) => line(`${' '.repeat(indent)}${text}`)),
  ]
}
