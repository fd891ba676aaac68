import { isNotAsked } from '../core/errors/tool.ts'
import { errorFacts } from '../core/steps/observation.ts'
import type { ReportRow } from './report-lines.ts'

/** What a row says where the node tool gave no opinion: unknown, or not asked where it cannot be asked at all. */
export function toolFault(thrown: unknown): Pick<ReportRow, 'mark' | 'value'> {
  return { mark: isNotAsked(thrown) ? 'unasked' : 'unknown', value: errorFacts(thrown).shortMessage }
}
