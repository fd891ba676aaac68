import type { Observation } from '../core/steps/observation.ts'
import type { Problem } from '../core/steps/view.ts'
import type { ReportRow } from './report-lines.ts'

const IS_NO = /^(?:genesis-file|key-file)\./

/**
 * A row whose source was read but is not what it claims to be: a refusal, where a step says "unknown" because a person
 * may still correct it. Its fix is the error's own next step.
 */
export function asRefused(row: ReportRow, observation: Observation<unknown>): ReportRow {
  if (observation.status !== 'failed') return row
  const { code, nextSteps } = observation.error
  const fix = nextSteps[0] === undefined ? {} : { fix: nextSteps[0] }
  return IS_NO.test(code) ? { ...row, ...fix, mark: 'refused' } : { ...row, ...fix }
}

/** A step's problem as lines of plain text. */
export function problemNotes(problem: Problem | undefined): string[] {
  if (problem === undefined) return []
  const values = problem.values.map(({ label, value }) => `  ${label}: ${value}`)
  const next = problem.next.map((text) => `  next: ${text}`)
  return [problem.title, ...values, ...problem.lines.map((line) => `  ${line}`), ...next]
}
