import { failureWords } from '../../core/errors/base.ts'
import { errorFacts } from '../../core/steps/observation.ts'
import type { StepId } from '../../core/steps/view.ts'
import type { ReportRow } from '../report-lines.ts'

/** One line of the page. */
export function doctorRow(
  step: StepId,
  id: string,
  label: string,
  said: Pick<ReportRow, 'mark' | 'value' | 'source'> & { fix?: string },
): ReportRow {
  return { step, id, label, ...said }
}

/** A line that could not be found out: the failure in words, and what may help. */
export function unknownRow(
  step: StepId,
  id: string,
  label: string,
  failed: { thrown: unknown; source: string },
): ReportRow {
  const error = errorFacts(failed.thrown)
  const [fix] = error.nextSteps
  const said = { mark: 'unknown', value: failureWords(error), source: failed.source } as const
  return doctorRow(step, id, label, fix === undefined ? said : { ...said, fix })
}
