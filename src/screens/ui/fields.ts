import { cellsOf, isWide, padRight } from '../../core/base/format/drawable.ts'
import { drawable, keepsWords, longValueLines } from '../../core/view/draw-text.ts'
import type { EarlyField, FieldState, SetupField } from '../../core/view/early-view.ts'
import type { FieldView } from '../../core/view/view.ts'
import type { FieldText } from '../../hooks/text-editor.tsx'
import type { Theme } from '../theme.tsx'
import {
  CURSOR,
  keyedRows,
  paragraph,
  type ScreenLine,
  type ScreenRow,
  type ScreenTone,
  type Span,
  span,
} from './line.ts'

type Options = { columns: number; marks: Theme['marks']; at: string | undefined }
type Layout = { labelCells: number; indent: number; room: number; columns: number; marks: Theme['marks'] }

const MARGIN = 6
const GAP = 2
/** Below this width a value stands under its label. */
const NARROW = 60
const MAX_CHOICE_ROWS = 3

/** Returns the fields of a form before the steps, with what was found out about their texts; `at` has the cursor. */
export function setupFieldRows(fields: readonly EarlyField[], { columns, marks, at }: Options): ScreenRow[] {
  const views = fields.map(({ field }) => field)
  const layout = layoutOf(views, { columns, marks })
  return fields.flatMap(({ field, state }) => {
    const focused = field.id === at
    const lines = focused ? activeLines(field, state, layout) : idleLines(field, state, layout)
    return keyedRows(`field.${field.id}`, lines, { focused })
  })
}

function layoutOf(fields: readonly FieldView[], { columns, marks }: Omit<Options, 'at'>): Layout {
  const labelCells = Math.max(0, ...fields.map(({ label }) => cellsOf(drawable(label))))
  const indent = columns < NARROW ? MARGIN : MARGIN + labelCells + GAP
  return { labelCells, indent, room: Math.max(8, columns - indent - 1), columns, marks }
}

type FieldRowsOptions = {
  columns: number
  activeField: string | undefined
  selectedId?: string | undefined
  submitted?: { fieldId: string; text: string } | undefined
  marks: Theme['marks']
  input: FieldText
}

/** The fields of a step as rows: accepted ones with their value, the active one as an input, with hint or error. */
export function fieldRows(fields: readonly FieldView[], options: FieldRowsOptions): ScreenRow[] {
  const { activeField, selectedId } = options
  const layout = layoutOf(fields, options)
  return fields.flatMap((field) => {
    const isActive = field.id === activeField
    const isSelected = activeField === undefined && field.id === selectedId
    const lines = isActive
      ? typedLines(field, options, layout)
      : acceptedLines(field, selectedId === field.id, layout)
    return keyedRows(`field.${field.id}`, lines, { focused: isActive || isSelected })
  })
}

function typedLines(field: FieldView, options: FieldRowsOptions, layout: Layout): ScreenLine[] {
  const { input } = options
  const { columns, indent, room } = layout
  const error = input.wiped ?? (isAboutText(field, options) ? field.error : undefined)
  const hint = `${field.hint}${error === undefined || input.text === '' ? keepsWords(input) : ''}`
  return [
    ...headed(POINTED, [field.label, 'accent'], inputLines(input, { room, tone: 'text' }), layout),
    ...paragraph(hint, { columns, indent, tone: 'dim' }),
    ...(error === undefined ? [] : paragraph(`✘ ${error}`, { columns, indent, tone: 'bad' })),
  ]
}

/**
 * Whether the error of a field is about the text in it: once that is another one, as the accepted one is, what was wrong
 * with the last one is about nothing.
 */
function isAboutText(field: FieldView, { submitted, input }: FieldRowsOptions): boolean {
  return submitted?.fieldId === field.id ? submitted.text === input.text : field.value === ''
}

function acceptedLines({ label, value }: FieldView, chosen: boolean, layout: Layout): ScreenLine[] {
  const { text, tone } = layout.marks[value === '' ? 'unasked' : 'given']
  const lines = longValueLines(value === '' ? '–' : value, layout.room).map(
    (each): ScreenLine => [span(each)],
  )
  const marks = [span(chosen ? ' ▶ ' : '   ', 'accent'), { text: padRight(text, 3), tone }]
  return headed(marks, [label, chosen ? 'chosen' : 'text'], lines, layout)
}

const POINTED = [span(' ▶ ', 'accent'), span('   ')]

function activeLines(field: SetupField, state: FieldState, layout: Layout): ScreenLine[] {
  const { columns, indent } = layout
  const below = (text: string, tone: Span['tone']) => paragraph(text, { columns, indent, tone })
  const { fault, note, choices } = state
  const keeps = fault?.text === state.text && state.text !== '' ? '' : keepsWords(state)
  return [
    ...headed(
      POINTED,
      [field.label, 'accent'],
      inputLines(state, { room: layout.room, tone: state.fresh ? 'chosen' : 'text' }),
      layout,
    ),
    ...below(`${field.hint}${keeps}`, 'dim'),
    ...(fault?.text === state.text ? below(`✘ ${fault.words}`, 'bad') : []),
    ...(note?.text === state.text ? below(note.words, note.doubt === true ? 'warn' : 'dim') : []),
    ...(choices?.text === state.text
      ? below(choices.names.join('  '), 'text').slice(0, MAX_CHOICE_ROWS)
      : []),
  ]
}

function idleLines(field: SetupField, state: FieldState, layout: Layout): ScreenLine[] {
  const { columns, indent, room } = layout
  const { fault, note, accepted } = state
  const text = state.text === '' ? '–' : drawable(state.text)
  const lines = chop([...text], room).map(
    (cells): ScreenLine => [span(cells.join(''), accepted ? 'text' : 'dim')],
  )
  const wrong = fault?.text === state.text ? fault.words : undefined
  const doubt = note?.doubt === true ? note.words : undefined
  return [
    ...headed([span('   '), markOf(state, layout)], [field.label, 'text'], lines, layout),
    ...(wrong === undefined ? [] : paragraph(wrong, { columns, indent, tone: 'bad' })),
    ...(doubt === undefined ? [] : paragraph(doubt, { columns, indent, tone: 'warn' })),
  ]
}

/** Only what was looked at has a verdict: an address that was typed was asked nothing yet. */
function markOf({ accepted, fault, note, text }: FieldState, { marks }: Layout): Span {
  const mark = (name: keyof Theme['marks']) => ({ ...marks[name], text: padRight(marks[name].text, 3) })
  if (fault?.text === text) return mark('refused')
  if (!accepted) return mark('unasked')
  if (note?.text !== text) return text === '' ? span('   ') : mark('given')
  return mark(note.doubt === true ? 'unknown' : 'proven')
}

function headed(
  marks: readonly Span[],
  [label, tone]: readonly [string, Span['tone']],
  lines: readonly ScreenLine[],
  { columns, indent, labelCells }: Layout,
): ScreenLine[] {
  const margin = span(' '.repeat(indent))
  if (columns < NARROW) return [[...marks, span(label, tone)], ...lines.map((each) => [margin, ...each])]
  const [first = [], ...rest] = lines
  return [
    [...marks, span(padRight(drawable(label), labelCells), tone), span(' '.repeat(GAP)), ...first],
    ...rest.map((each) => [margin, ...each]),
  ]
}

/** Rows that a text with the cursor in it may take; of a longer one those around the cursor are seen. */
const MAX_TEXT_ROWS = 4

/** A text that is being typed over rows of at most `room` cells, with the terminal's own cursor in it. */
function inputLines(
  { text, cursor }: { text: string; cursor: number },
  { room, tone }: { room: number; tone: ScreenTone },
): ScreenLine[] {
  // Behind the last character there is a place for the cursor.
  const rows = chop([...text, ' '], room)
  let start = 0
  const lines = rows.map((places, index) => {
    const at = cursor - start
    start += places.length
    const has = at >= 0 && at < places.length
    const cells = index === rows.length - 1 ? places.slice(0, -1) : places
    const piece = (from: number, to?: number) => span(cells.slice(from, to).join(''), tone)
    return { has, line: has ? [piece(0, at), CURSOR, piece(at)] : [piece(0)] }
  })
  const last = Math.max(MAX_TEXT_ROWS, lines.findIndex(({ has }) => has) + 1)
  return lines.slice(last - MAX_TEXT_ROWS, last).map(({ line }) => line)
}

/** Characters over as many rows of at most `cells` as they take. */
function chop(characters: readonly string[], cells: number): string[][] {
  const rows: string[][] = [[]]
  let used = 0
  for (const character of characters) {
    const width = isWide(character) ? 2 : 1
    if (used + width > cells) {
      rows.push([])
      used = 0
    }
    rows.at(-1)?.push(character)
    used += width
  }
  return rows
}
