import { failureWords } from '../../core/base/errors/base.ts'
import { errorFacts } from '../../core/view/observation.ts'
import type { StepId } from '../../core/view/view.ts'
import { nextOf, type ReportRow } from '../report-lines.ts'
import { DOCTOR_TEXT as TEXT } from './text.ts'

/** The rows of the page that no step has. */
export type DoctorRowId = keyof typeof TEXT.labels

/** Returns one line of the page. */
export function doctorRow(
  step: StepId,
  id: DoctorRowId,
  part: Pick<ReportRow, 'mark' | 'value' | 'source' | 'next' | 'numbers'>,
): ReportRow {
  return { step, id, label: TEXT.labels[id], ...part }
}

/** Returns a line that could not be found out: the failure in words, and what may help. */
export function unknownRow(
  step: StepId,
  id: DoctorRowId,
  failed: { thrown: unknown; source: string },
): ReportRow {
  const error = errorFacts(failed.thrown)
  const part = { mark: 'unknown', value: failureWords(error), source: failed.source } as const
  return doctorRow(step, id, { ...part, ...nextOf(error) })
}
