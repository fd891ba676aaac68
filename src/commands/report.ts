import { factLine, plainAscii } from '../compose/fact-lines.ts'
import type { FactRow, StepId } from '../core/steps/view.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { CommandIo } from './io.ts'
import { printable } from './printable.ts'

/** One line of a report: a fact, who said it, and what to change when it is not as it must be. */
export type ReportRow = Pick<FactRow, 'id' | 'mark' | 'label' | 'value' | 'long' | 'source'> & {
  step: StepId
  fix?: string
}

/** What a command found out. `data` holds further values for `--json`, `notes` are for people. */
export type Report = {
  command: string
  network?: string
  rows: readonly ReportRow[]
  data?: Readonly<Record<string, unknown>>
  notes?: readonly string[]
}

const EXPLAIN = { what: '', who: '', later: '' }

/** Prints a report, one line a fact or one JSON document, and gives its exit code: no before unknown before yes. */
export function tellReport(report: Report, io: CommandIo, options: { json: boolean }): ExitCode {
  const code = exitOf(report.rows)
  if (options.json) {
    const { command, network, rows, data = {}, notes = [] } = report
    io.out(printable({ command, network, verdict: VERDICTS[code], ...data, rows, notes }))
    return code
  }
  for (const row of report.rows) {
    io.out(factLine(row.step, { ...row, explain: EXPLAIN }))
    if (row.fix !== undefined && BAD.has(row.mark)) io.out(plainAscii(`              change: ${row.fix}`))
  }
  for (const note of report.notes ?? []) io.out(plainAscii(note))
  return code
}

const BAD: ReadonlySet<string> = new Set(['refused', 'unknown'])

const VERDICTS: Readonly<Record<number, string>> = {
  [EXIT.done]: 'yes',
  [EXIT.no]: 'no',
  [EXIT.unknown]: 'unknown',
}

function exitOf(rows: readonly ReportRow[]): ExitCode {
  if (rows.some(({ mark }) => mark === 'refused')) return EXIT.no
  return rows.some(({ mark }) => mark === 'unknown' || mark === 'asking') ? EXIT.unknown : EXIT.done
}

/** The rows of a step's view as rows of a report, those that are named, in their order. */
export function rowsOf(step: StepId, facts: readonly FactRow[], ids?: readonly string[]): ReportRow[] {
  return facts
    .filter(({ id }) => ids === undefined || ids.includes(id))
    .map(({ id, mark, label, value, long, source }) => ({
      step,
      id,
      mark,
      label,
      value,
      source,
      ...(long === undefined ? {} : { long }),
    }))
}
