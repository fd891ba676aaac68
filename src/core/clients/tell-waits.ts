import type { Effects } from '../base/effects/effects.ts'
import { endpointLabel } from '../base/format/endpoint-url.ts'
import { askedWaitMs } from './json-rpc.ts'

/** How long an endpoint may take before whoever waits is told. */
const QUIET_MS = 3000

/** Told once for each endpoint: it hasn't answered for `QUIET_MS`, or asks to wait for `askedMs`. */
export type TellWait = (endpoint: string, askedMs?: number) => void

/** Runs something after a time unless it is canceled. */
type RunLater = (delayMs: number, run: () => void) => { cancel(): void }

/**
 * The same world, in which `tell` learns of each endpoint that keeps whoever asked waiting. Its 3 s are those of a person at
 * a terminal, not of the clock of the world.
 */
export function tellWaits<E extends Pick<Effects, 'http'>>(
  effects: E,
  tell: TellWait,
  runLater: RunLater,
): E {
  const told = new Set<string>()
  const tellOnce = (endpoint: string, askedMs?: number) => {
    if (told.has(endpoint)) return
    told.add(endpoint)
    tell(endpoint, askedMs)
  }
  const request: Effects['http']['request'] = async (asked) => {
    const endpoint = endpointLabel(asked.url)
    const late = runLater(QUIET_MS, () => tellOnce(endpoint))
    try {
      const reply = await effects.http.request(asked)
      const askedMs = askedWaitMs(reply)
      if (askedMs !== undefined && askedMs >= QUIET_MS) tellOnce(endpoint, askedMs)
      return reply
    } finally {
      late.cancel()
    }
  }
  return { ...effects, http: { request } }
}
