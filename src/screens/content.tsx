import type { Section, StepView } from '../core/steps/step-view.ts'
import type { FactRow } from '../core/steps/view.ts'
import type { FieldText } from '../hooks/use-field-text.ts'
import { fieldWithCursor, type StepPanel } from '../hooks/use-step-panel.ts'
import type { Theme } from './theme.tsx'
import { fieldRows } from './ui/Field.tsx'
import { factRows } from './ui/facts.ts'
import { ladderLines } from './ui/ladder.ts'
import { BLANK, type Line, line, paragraph, type Row, rowsOf } from './ui/line.ts'
import { commandLines, explainLines } from './ui/panels.ts'
import { problemLines } from './ui/problem.ts'
import { timelineLines } from './ui/timeline.ts'

export type ContentInput = {
  view: StepView
  panel: StepPanel
  columns: number
  nowMs: number
  theme: Theme
  fieldText: FieldText
}

/** The rows between the title and the money band. */
export function contentRows(input: ContentInput): Row[] {
  const { view, panel, columns } = input
  if (panel.panel === 'explain') return explainRows(view, panel, columns)
  if (panel.panel === 'commands') return rowsOf('commands', commandLines(view.commands, columns))
  const parts = view.sections.map((section) => sectionRows(section, input))
  const problem = view.problem === undefined ? [] : rowsOf('problem', problemLines(view.problem, columns))
  return joined([problem, ...parts].filter((part) => part.length > 0))
}

function joined(parts: readonly Row[][]): Row[] {
  return parts.flatMap((part, index) => (index === 0 ? part : [...rowsOf(`gap.${index}`, [BLANK]), ...part]))
}

function sectionRows(section: Section, input: ContentInput): Row[] {
  const { view, panel, columns, theme } = input
  switch (section) {
    case 'intro':
      return view.intro === '' ? [] : rowsOf('intro', paragraph(view.intro, { columns }))
    case 'facts':
      return listRows('facts', view.facts, view.factsTitle, input)
    case 'checks':
      return listRows('checks', view.checks, 'Is everything as it must be, right now?', input)
    case 'fields':
      return fieldRows(view.fields, {
        columns,
        activeField: fieldWithCursor(view, panel)?.id,
        selectedId: panel.selectedId,
        marks: theme.marks,
        input: input.fieldText,
      })
    case 'ladder':
      return rowsOf('ladder', ladderLines(view.ladder, columns))
    case 'timeline':
      return rowsOf('timeline', timelineLines(view.timeline, columns))
    case 'notes':
      return rowsOf(
        'notes',
        view.notes.flatMap((note): Line[] => paragraph(note, { columns, tone: 'dim' })),
      )
  }
}

function listRows(
  key: string,
  facts: readonly FactRow[],
  title: string | undefined,
  { columns, theme, nowMs, panel }: ContentInput,
): Row[] {
  const rows = factRows(facts, { columns, marks: theme.marks, nowMs, selectedId: panel.selectedId })
  const heading = title === undefined || rows.length === 0 ? [] : [line(` ${title}`, 'strong')]
  return [...rowsOf(`${key}.title`, heading), ...rows]
}

function explainRows(view: StepView, panel: StepPanel, columns: number): Row[] {
  const fact = [...view.facts, ...view.checks].find(({ id }) => id === panel.selectedId)
  if (fact !== undefined) {
    return rowsOf('explain', explainLines({ ...fact, value: fact.long ?? fact.value }, columns))
  }
  const field = view.fields.find(({ id }) => id === panel.selectedId)
  return field === undefined ? [] : rowsOf('explain', explainLines(field, columns))
}
