import type { HttpReply } from '../effects/effects.ts'
import { JsonFault, parseStrictJson } from '../format/strict-json.ts'
import { safeText } from '../format/text.ts'
import type { Fail } from './fail.ts'
import type { Intake } from './intake.ts'

/** `json` is undefined only when the status is not 200 and the body is no JSON. */
export type JsonReply = { status: number; json: unknown }

const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json(?:\s*;.*)?$/i
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The JSON of a reply: content type checked, UTF-8 and JSON read strictly (at most 32 levels, no key twice, whole
 * numbers beyond 2^53 as bigint). Throws a `ClientError`: `says-nothing` for an empty body, `unauthorized` and
 * `rate-limited` by status, `malformed` otherwise. The body of a 200 that went to an `intake` is read there.
 */
export function readJsonReply(reply: HttpReply, fail: Fail, intake?: Intake): JsonReply {
  const { status } = reply
  if (status === 401 || status === 403) throw fail('unauthorized', { status })
  if (status === 429) throw fail('rate-limited', { status, ...retryAfter(reply) })
  const streamed = status === 200 ? intake : undefined
  if ((streamed?.receivedBytes() ?? reply.body.length) === 0) {
    if (status === 200) throw fail('says-nothing', { status, details: ['the reply is empty'] })
    return { status, json: undefined }
  }
  const contentType = reply.headers['content-type'] ?? 'none'
  if (JSON_TYPE.test(contentType))
    return { status, json: streamed === undefined ? readJson(reply, fail) : streamed.end() }
  if (status !== 200) return { status, json: undefined }
  throw fail('malformed', {
    status,
    details: [`content type: ${safeText(contentType, 60)}`, 'expected: application/json'],
  })
}

function readJson(reply: HttpReply, fail: Fail): unknown {
  try {
    return parseStrictJson(UTF8.decode(reply.body))
  } catch (thrown) {
    if (reply.status !== 200) return undefined
    const reason = thrown instanceof JsonFault ? thrown.message : 'the bytes are not UTF-8'
    throw fail('malformed', { status: reply.status, details: [`not JSON: ${reason}`] })
  }
}

/** Only the form in seconds counts; a date would need the endpoint's clock. */
function retryAfter(reply: HttpReply): { retryAfterMs?: number } {
  const header = reply.headers['retry-after'] ?? ''
  return /^\d{1,6}$/.test(header) ? { retryAfterMs: Number(header) * 1000 } : {}
}
