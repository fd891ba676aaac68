import type { Effects, Http } from '../../src/core/base/effects/effects.ts'

/** Longer than any test lasts. */
const DEADLINE_MS = 3_600_000

/**
 * HTTP without the deadlines of the machine's clock: what listens on the loopback of a test answers or closes, and one that
 * works for three seconds because the machine is busy would be told as an endpoint that does not answer.
 */
export function patient<Real extends Pick<Effects, 'http'>>(real: Real): Real {
  const request: Http['request'] = (asked) =>
    real.http.request({ ...asked, deadlineMs: DEADLINE_MS, idleMs: DEADLINE_MS })
  return { ...real, http: { request } }
}
