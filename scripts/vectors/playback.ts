import type { HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import type { ClientEffects } from '../../src/core/clients/http-client.ts'

/** What a vector check found; each failure is one sentence. */
export type CheckResult = { passed: number; failures: string[]; notes?: readonly string[] }

/** A recorded exchange: a reply, or the way in which there was none. */
export type Recorded = { status?: number; contentType?: string; body?: string; failed?: string }

const REFUSED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH'])

/** Effects whose every request gets the recorded reply. `seen` collects the requests; pauses take no time. */
export function playback(
  recorded: Recorded | ((request: HttpRequest) => Recorded),
  requests: HttpRequest[] = [],
): ClientEffects {
  return {
    http: {
      async request(request) {
        requests.push(request)
        return replay(typeof recorded === 'function' ? recorded(request) : recorded, request)
      },
    },
    clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: async () => undefined },
    random: { bytes: (length) => new Uint8Array(length) },
  }
}

function replay(recorded: Recorded, request: HttpRequest): HttpReply {
  const endpoint = new URL(request.url).origin
  if (recorded.failed !== undefined) {
    throw REFUSED.has(recorded.failed)
      ? httpError('http.unreachable', endpoint, recorded.failed)
      : httpError('http.closed', endpoint, recorded.failed, 0)
  }
  return {
    status: recorded.status ?? 0,
    headers: { 'content-type': recorded.contentType ?? '' },
    body: new TextEncoder().encode(recorded.body ?? ''),
  }
}

/** JSON for comparison: bigints as decimal text, bytes as hex, undefined left out. */
export function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (_, entry) => {
    if (typeof entry === 'bigint') return entry.toString()
    return entry instanceof Uint8Array ? `0x${Buffer.from(entry).toString('hex')}` : entry
  })
  return text === undefined ? undefined : JSON.parse(text)
}
