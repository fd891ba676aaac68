import type { Observation } from '../../src/core/view/observation.ts'

/** The code of the error that a question ended in; undefined where it was answered, or was not asked. */
export const faultCode = (seen: Observation<unknown>): string | undefined =>
  seen.status === 'failed' ? seen.error.code : undefined
