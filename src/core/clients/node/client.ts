import type { Decoder } from '../../base/format/decode.ts'
import { urlsBelow } from '../../base/format/endpoint-url.ts'
import { type ClientEffects, createHttpClient } from '../http-client.ts'
import { type Fail, type Intake, type JsonReply, READ } from '../json-rpc.ts'

type NodeQuestion<T> = {
  /** Parts of the path, unescaped. */
  path: readonly string[]
  query?: readonly (readonly [string, string])[]
  /** Sent as a JSON body; the question is then a POST. It still only reads. */
  body?: unknown
  decode: Decoder<T>
  limits?: { deadlineMs: number; maxBytes: number; retries: number; idleMs?: number }
  /** Reads a body that is too large to be held; `decode` then gets what the intake leaves. */
  intake?: () => Intake
}

/** One node API. */
export type NodeClient = {
  /** scheme://host:port. */
  label: string
  /** Path of the proof endpoints, in parts. */
  proofPath: readonly string[]
  ask<T>(question: NodeQuestion<T>): Promise<T>
}

const NOT_OFFERED = /\b(?:is not yet implemented|is deprecated)$/
const NOT_READY = /\bis not ready; please wait for first block$/

/**
 * Returns a client of the node API (beacon API and proofs) at `url`; `proofNamespace` as in the network's names, e.g.
 * `bkit/v1`. Failures are `ClientError`s.
 */
export function createNodeClient(
  effects: ClientEffects,
  url: string,
  options: { proofNamespace: string },
): NodeClient {
  const http = createHttpClient(effects, 'node API', url)
  const below = urlsBelow(url)
  return {
    label: http.label,
    proofPath: [...options.proofNamespace.split('/'), 'proof'],
    ask({ path, query = [], body, decode, limits = READ, intake }) {
      return http.request({
        method: body === undefined ? 'GET' : 'POST',
        url: below(path, query),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        what: `/${path.join('/')}`,
        ...limits,
        ...(intake === undefined ? {} : { intake }),
        read: (reply, fail) => readReply(reply, decode, fail),
      })
    },
  }
}

function readReply<T>(reply: JsonReply, decode: Decoder<T>, fail: Fail): T {
  if (reply.status === 200) return decode(reply.json, '')
  const { code, message } = errorBody(reply.json)
  throw fail(nodeFault(reply.status, message ?? '', code !== undefined), {
    status: reply.status,
    said: message,
  })
}

/** A 404 without a code comes from the router: there is no such endpoint. With one, the thing asked for is missing. */
function nodeFault(status: number, message: string, hasCode: boolean) {
  if (NOT_READY.test(message)) return 'not-ready'
  if (status === 501 || (status === 500 && NOT_OFFERED.test(message))) return 'not-offered'
  if (status === 503) return 'not-ready'
  if (status >= 500) return 'failed'
  if (status === 404) return hasCode ? 'not-found' : 'not-offered'
  if (status === 405) return 'not-offered'
  return status >= 400 ? 'bad-request' : 'malformed'
}

function errorBody(json: unknown): { code?: unknown; message?: string } {
  if (typeof json !== 'object' || json === null) return {}
  const { code, message } = json as { code?: unknown; message?: unknown }
  return { code, ...(typeof message === 'string' ? { message } : {}) }
}
