import type { DocumentName } from '../core/base/format/document.ts'
import { cellsOf } from '../core/base/format/drawable.ts'
import { endsInCommand, type Next, parts, withoutKeys } from '../core/base/format/next.ts'
import type { Observation } from '../core/view/observation.ts'
import type { FactRow, Mark, Problem, StepId } from '../core/view/view.ts'
import { PLAIN_RENDERER } from '../output/fact-lines.ts'
import { type CommandIo, EXIT, type ExitCode, nextWords, type Renderer } from '../output/io.ts'
import type { Findings } from './documents/parts.ts'
import { findingOf, inOrder, nextOf, type ReportRow, rowLines, textLines } from './report-lines.ts'
import { type Asked, tellDocument } from './tell-document.ts'

/** What the rows of a report come to: how many were judged, how many of them decided, those by name, and how many are open. */
export type ReportEnding = {
  is: 'yes' | 'no' | 'unknown'
  checks: number
  bad: number
  which: string
  open: number
}

/** What a command found out. `data` are the further fields of its document, `notes` are for people. */
export type Report<Fields extends Findings = Findings> = {
  document: DocumentName
  network?: string
  rows: readonly ReportRow[]
  /** The verdict as one sentence: what it means, and what to do. */
  sentence(outcome: ReportEnding): string
  data: Omit<Fields, keyof Findings>
  notes?: readonly Next[]
  /** Lines for another program, behind the notes: whole, however long, so that they can be copied. */
  verbatim?: readonly string[]
}

/** Prints a report, facts first and the verdict last, or one JSON document, and gives its exit code: no before unknown before yes. */
export function tellReport<Fields extends Findings>(
  report: Report<Fields>,
  call: Asked & { io: CommandIo; json: boolean },
): ExitCode {
  const { io } = call
  const rows = inOrder(report.rows)
  const outcome = outcomeOf(rows)
  const sentence = report.sentence(outcome)
  const { document, network = null, data, notes = [], verbatim = [] } = report
  if (call.json) {
    const findings = rows.map((row) => findingOf(row, io))
    const words = { sentence, notes: notes.map((note) => nextWords(note, io)) }
    tellDocument(document, { network, verdict: outcome.is, fields: { ...data, findings, words } }, call)
    return EXITS[outcome.is]
  }
  const { renderer = PLAIN_RENDERER } = io
  for (const line of rowLines(rows, renderer, io)) io.out(line)
  if (notes.length > 0) io.out('')
  for (const line of notes.flatMap((note) => noteLines(note, io, renderer))) io.out(line)
  for (const line of verbatim) io.out(renderer.plain(line))
  io.out('')
  tellVerdict(outcome.is, sentence, io)
  return EXITS[outcome.is]
}

/** A sentence is wrapped at its words; a command that fits no line stands below its label on one of its own, to be copied. */
function noteLines(note: Next, io: CommandIo, renderer: Renderer): string[] {
  const whole = nextWords(note, io)
  const { label, own } = endsInCommand(note) ?? {}
  if (label === undefined || own === undefined || cellsOf(whole) <= renderer.columns)
    return textLines(whole, renderer)
  return [...textLines(nextWords(label, io).trimEnd(), renderer), renderer.plain(nextWords(own, io))]
}

/** The last line of a command that judges: a mark, and what it means. */
export function tellVerdict(
  is: ReportEnding['is'],
  sentence: string,
  { out, renderer = PLAIN_RENDERER }: CommandIo,
): void {
  const tone = ({ yes: 'good', no: 'bad', unknown: 'warn' } as const)[is]
  const mark = renderer.paint(tone, renderer.mark(MARKS[is]))
  out(`${mark} ${renderer.paint('strong', renderer.plain(sentence))}`)
}

/** `1 check refuses`, `2 checks refuse`: a number of things, and what they do. */
export function countWords(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

const EXITS = { yes: EXIT.done, no: EXIT.no, unknown: EXIT.unknown } as const
const MARKS: Readonly<Record<ReportEnding['is'], Mark>> = { yes: 'proven', no: 'refused', unknown: 'unknown' }

function outcomeOf(rows: readonly ReportRow[]): ReportEnding {
  const judged = rows.filter(({ mark }) => mark !== 'unasked' && mark !== 'given')
  const refused = judged.filter(({ mark }) => mark === 'refused')
  const open = judged.filter(({ mark }) => mark === 'unknown' || mark === 'asking')
  const bad = refused.length > 0 ? refused : open
  const [first] = bad
  const more = bad.length > 1 ? ` and ${bad.length - 1} more` : ''
  const which = first === undefined ? '' : `${first.label}${more}`
  const is = endingOf(refused.length, open.length)
  return { is, checks: judged.length, bad: bad.length, which, open: open.length }
}

function endingOf(refused: number, open: number): ReportEnding['is'] {
  if (refused > 0) return 'no'
  return open > 0 ? 'unknown' : 'yes'
}

/** Returns the rows of a step's view as rows of a report, those that are named, in their order. */
export function reportRows(step: StepId, facts: readonly FactRow[], ids?: readonly string[]): ReportRow[] {
  return facts
    .filter(({ id }) => ids === undefined || ids.includes(id))
    .map(({ id, mark, label, value, long, source, numbers, next }) => ({
      step,
      id,
      mark,
      label,
      value,
      source,
      ...(long === undefined ? {} : { long }),
      ...(numbers === undefined ? {} : { numbers }),
      ...(next === undefined ? {} : { next }),
    }))
}

const IS_NO = /^(?:genesis-file|key-file)\./

/**
 * Returns a row as refused where its source was read and is not what it claims to be; a step says "unknown" there, because a
 * person may still correct it. What to do is the error's own next step.
 */
export function asRefused(row: ReportRow, observation: Observation<unknown>): ReportRow {
  if (observation.status !== 'failed') return row
  const { error } = observation
  const next = nextOf(error)
  return IS_NO.test(error.code) ? { ...row, ...next, mark: 'refused' } : { ...row, ...next }
}

/** Returns a step's problem as lines of plain text. */
export function problemNotes(problem: Problem | undefined): Next[] {
  if (problem === undefined) return []
  const values = problem.values.map(({ label, value }) => `  ${label}: ${value}`)
  const next = withoutKeys(problem.next).next.map((step) => parts`  next: ${step}`)
  return [problem.title, ...values, ...problem.lines.map((line) => `  ${line}`), ...next]
}
