import type { Section } from '../core/view/step-view.ts'
import type { FactRow, RankRow } from '../core/view/view.ts'
import type { AnyView } from '../core/wizard/any-step.ts'
import { fieldWithCursor, type StepPanel } from '../hooks/step-panel.ts'
import type { FieldText } from '../hooks/use-field-text.ts'
import type { Theme } from './theme.tsx'
import { rankLines } from './ui/bands.ts'
import { type Folding, factRows, MOST_COLUMNS } from './ui/facts.ts'
import { fieldRows } from './ui/field.ts'
import { BLANK, keyedRows, line, paragraph, type ScreenLine, type ScreenRow } from './ui/line.ts'
import { chartLines, commandLines, explainLines, permissionLines, timelineLines } from './ui/panels.ts'
import { problemLines } from './ui/problem.ts'

export type ContentInput = {
  view: AnyView
  panel: StepPanel
  columns: number
  nowMs: number
  theme: Theme
  fieldText: FieldText
}

/**
 * How much is drawn: all; without the picture; without prose and headings; with rows of one source on one line; all short
 * ones; all.
 */
export const DENSITIES = [0, 1, 2, 3, 4, 5] as const
export type Density = (typeof DENSITIES)[number]

/** The rows between the title and the money band. */
export function contentRows(input: ContentInput, density: Density): ScreenRow[] {
  const { view, panel, columns } = input
  if (panel.panel === 'explain') return explainRows(view, panel, columns)
  if (panel.panel === 'commands') return keyedRows('commands', commandLines(view.commands, columns))
  if (panel.panel === 'picture') return pictureRows(view, columns)
  // A field that is open has the only cursor.
  const shown = fieldWithCursor(view, panel) === undefined ? panel : { ...panel, selectedId: undefined }
  const parts = view.sections.map((section) => sectionRows(section, { ...input, panel: shown }, density))
  const filled = [problemRows(input, density), ...parts].filter((part) => part.length > 0)
  return density >= 3 ? filled.flat() : joined(filled)
}

/** Whoever goes on from a problem has read it: where room is short it is only named beside what is agreed to. */
function problemRows({ view: { problem }, panel, columns }: ContentInput, density: Density): ScreenRow[] {
  if (problem === undefined) return []
  const isNamed = panel.panel === 'confirm' && density >= 3
  return keyedRows('problem', problemLines(problem, columns, { isNamed }))
}

function joined(parts: readonly ScreenRow[][]): ScreenRow[] {
  return parts.flatMap((part, index) =>
    index === 0 ? part : [...keyedRows(`gap.${index}`, [BLANK]), ...part],
  )
}

function sectionRows(section: Section, input: ContentInput, density: Density): ScreenRow[] {
  const { view, panel, columns, theme } = input
  const isDense = density > 1
  // What is agreed to stands below it: above a word there is no field, and no other amount.
  const isAgreeing = panel.panel === 'confirm'
  const facts = isAgreeing ? view.facts.filter(isOfTheWord) : view.facts
  switch (section) {
    case 'intro':
      return view.intro === '' || isDense ? [] : keyedRows('intro', paragraph(view.intro, { columns }))
    case 'facts':
      return listRows(section, facts, isDense ? undefined : view.factsTitle, input, density)
    case 'checks':
      return listRows(
        section,
        view.checks,
        isDense ? undefined : 'Final checks before sending',
        input,
        density,
      )
    case 'fields':
      return fieldRows(isAgreeing ? [] : view.fields, {
        columns,
        activeField: fieldWithCursor(view, panel)?.id,
        selectedId: panel.selectedId,
        submitted: panel.submitted,
        marks: theme.marks,
        input: input.fieldText,
      })
    case 'ranks':
      return isAgreeing && density === 5
        ? []
        : keyedRows('ranks', rankLines(density < 3 ? view.ranks : aroundMine(view.ranks), columns))
    case 'timeline':
      return keyedRows('timeline', timelineLines(view.timeline, columns))
    case 'chart':
      return keyedRows('chart', chartLines((view.chart ?? []).slice(0, chartRowsAt(density)), columns))
    case 'notes':
      return keyedRows(
        'notes',
        view.notes.flatMap((note): ScreenLine[] => paragraph(note, { columns, tone: 'dim' })),
      )
    case 'picture':
      return density > 0 ? [] : pictureRows(view, columns)
  }
}

const isOfTheWord = ({ alternative, consented }: FactRow): boolean =>
  alternative !== true && consented !== true

/** All of it, only the rank, or nothing. */
function chartRowsAt(density: Density): number {
  if (density < 3) return 3
  return density === 3 ? 1 : 0
}

function pictureRows({ picture }: AnyView, columns: number): ScreenRow[] {
  return picture === undefined ? [] : keyedRows('picture', permissionLines(picture, columns))
}

/** What is compared before money moves stands whole, also where the rest is folded. */
function foldingOf(section: Section, density: Density): Folding {
  if (density < 4) return 'by source'
  return section === 'checks' || density === 4 ? 'short' : 'all'
}

function listRows(
  key: Section,
  facts: readonly FactRow[],
  title: string | undefined,
  { view, columns, theme, nowMs, panel }: ContentInput,
  density: Density,
): ScreenRow[] {
  const isOpened = panel.panel !== 'confirm' && panel.selectedId !== undefined
  const folded =
    isOpened || view.folds?.includes(key) !== true || density < 3 ? undefined : foldingOf(key, density)
  const { selectedId } = panel
  const { marks, ascii } = theme
  const typing = panel.panel === 'confirm' || fieldWithCursor(view, panel) !== undefined
  const rows = factRows(facts, { columns, marks, ascii, nowMs, selectedId, folded, typing })
  const heading = title === undefined || rows.length === 0 ? [] : [line(` ${title}`, 'strong')]
  return [...keyedRows(`${key}.title`, heading), ...rows]
}

/** The own place with its neighbours. */
function aroundMine(rows: readonly RankRow[]): readonly RankRow[] {
  const at = rows.findIndex(({ mine }) => mine)
  return at === -1 ? rows : rows.slice(Math.max(0, at - 1), at + 2)
}

function explainRows(view: AnyView, panel: StepPanel, columns: number): ScreenRow[] {
  return keyedRows('explain', paneLines(view, panel.selectedId, columns))
}

/** The explanation of a row or field; nothing where there is none. */
function paneLines(view: AnyView, id: string | undefined, columns: number): readonly ScreenLine[] {
  const fact = [...view.facts, ...view.checks].find((one) => one.id === id)
  if (fact !== undefined) return explainLines({ ...fact, value: fact.long ?? fact.value }, columns)
  const field = view.fields.find((one) => one.id === id)
  return field === undefined ? [] : explainLines(field, columns)
}

/** From this width on the explanation of the chosen row has a pane of its own, at the right. */
const WIDE_COLUMNS = 120
const LEAST_PANE = 40

/** How the content is divided: facts, and beside them what is explained; undefined where there is no room for that. */
export function columnsOf(view: AnyView, panel: StepPanel, columns: number) {
  if (columns < WIDE_COLUMNS || panel.panel !== 'facts' || fieldWithCursor(view, panel) !== undefined)
    return undefined
  const rows = [...view.facts, ...view.checks]
  const open = rows.find(({ mark }) => mark === 'refused' || mark === 'unknown')
  const left = Math.min(MOST_COLUMNS, columns - LEAST_PANE)
  const lines = paneLines(view, panel.selectedId ?? (open ?? rows[0])?.id, columns - left - 2)
  return lines.length === 0 ? undefined : { left, lines }
}
