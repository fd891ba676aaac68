import type { HttpReply } from '../base/effects/effects.ts'
import type { ClientError, ClientErrorParts, ClientFault } from '../base/errors/client.ts'
import { type Decoder, isRecord, nullable, oneOf, record, refuse, text } from '../base/format/decode.ts'
import { type Hex, isHex } from '../base/format/hex.ts'
import { JsonFault, parseStrictReply } from '../base/format/strict-json.ts'
import { safeText } from '../base/format/text.ts'

/** How long a question may take, how much may come back, and how often it's asked again. */
export type AskLimits = { deadlineMs: number; maxBytes: number; retries: number }
export const READ = { deadlineMs: 8000, maxBytes: 1024 * 1024, retries: 2 } as const
/** What an endpoint need not have: its answer is never waited for long. */
export const OPTIONAL = { deadlineMs: 3000, maxBytes: 1024 * 1024, retries: 0 } as const
/** Lists of validators. */
export const LIST = { deadlineMs: 8000, maxBytes: 4 * 1024 * 1024, retries: 2 } as const
/** Merkle proofs: the node builds a tree for each. */
export const PROOF = { deadlineMs: 20_000, maxBytes: 1024 * 1024, retries: 2 } as const
/** A whole beacon state. */
export const STATE = { deadlineMs: 20_000, idleMs: 10_000, maxBytes: 64 * 1024 * 1024, retries: 1 } as const
/** A list of the whole registry, which is never held whole: a million validators are half a gigabyte. */
export const REGISTRY = {
  deadlineMs: 180_000,
  idleMs: 10_000,
  maxBytes: 1024 * 1024 * 1024,
  retries: 1,
} as const
/** A signed transaction: never sent again by itself. */
export const BROADCAST = { deadlineMs: 15_000, maxBytes: 1024 * 1024, retries: 0 } as const

/**
 * Reads the body of a 200 while it arrives. Made anew for each attempt. What it finds wrong it throws: a `JsonFault`
 * or a `FieldFault`.
 */
export type Intake = {
  write(piece: Uint8Array): void
  /** The JSON value of the body, without what was read out of it on the way. */
  end(): unknown
  receivedBytes(): number
}

/** Makes the `ClientError` of the very question that is being asked; `said` as it came. */
export type Fail = (fault: ClientFault, parts?: Partial<ClientErrorParts>) => ClientError

export type RpcError = { code: number; message: string; data: unknown }

/** What a JSON-RPC 2.0 reply carries: a result (which may be null) or an error. */
export type RpcOutcome = { result: unknown } | { error: RpcError }

const integer: Decoder<number> = (value, path) =>
  Number.isSafeInteger(value) ? (value as number) : refuse(path, 'a whole number', value)
const anything: Decoder<unknown> = (value) => value
const error: Decoder<RpcError> = record({ code: integer, message: text, data: anything })
const envelope = record({ jsonrpc: oneOf(['2.0']), id: nullable(integer) })

/**
 * Reads a JSON-RPC 2.0 reply to the request with `id`: the id and the version must match, and there must be exactly
 * one of result and error. Throws a `FieldFault` otherwise (JSON-RPC 2.0 §5).
 */
export function readRpcReply(json: unknown, id: number): RpcOutcome {
  const reply = envelope(json, '')
  const source = json as { result?: unknown; error?: unknown }
  if (reply.id !== id) refuse('id', String(id), reply.id ?? null)
  const hasResult = Object.hasOwn(source, 'result')
  const hasError = Object.hasOwn(source, 'error')
  if (hasResult && hasError) refuse('result', 'either a result or an error', 'both')
  if (hasError) return { error: error(source.error, 'error') }
  return hasResult ? { result: source.result } : refuse('result', 'either a result or an error', undefined)
}

/** Returns the fault of a reply whose HTTP status says that it has no result. */
export function statusFault(status: number): ClientFault {
  if (status >= 500) return 'failed'
  return status === 404 || status === 405 ? 'not-offered' : 'bad-request'
}

/** Returns the bytes that a contract gave as its reason, where an error carries them. */
export function revertData(failure: RpcError): Hex | undefined {
  if (isHex(failure.data)) return failure.data.toLowerCase() as Hex
  return failure.code === 3 ? '0x' : undefined
}

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
  const shows = shownBy(reply)
  if (shows === 'tls-port') throw fail('unusable', { status, shows })
  if (status === 401 || status === 403) throw notAllowed(reply, fail, shows)
  if (status === 429) throw fail('rate-limited', { status, retryAfterMs: askedWaitMs(reply) })
  const streamed = status === 200 ? intake : undefined
  if ((streamed?.receivedBytes() ?? reply.body.length) === 0) {
    if (status === 200) throw fail('says-nothing', { status, details: ['the reply is empty'] })
    return { status, json: undefined }
  }
  const contentType = reply.headers['content-type'] ?? 'none'
  if (JSON_TYPE.test(contentType))
    return { status, json: streamed === undefined ? readJson(reply, fail) : streamed.end() }
  if (shows === 'gateway') throw fail('failed', { status, shows })
  if (status !== 200) return { status, json: undefined }
  throw fail('malformed', {
    status,
    shows,
    details: [`content type: ${safeText(contentType, 60)}`, 'expected: application/json'],
  })
}

/** Texts by which a server says what is wrong with the address: Go's, nginx's, geth's, and reth's. */
const TEXTS: readonly [status: number, form: RegExp, shown: NonNullable<ClientErrorParts['shows']>][] = [
  [400, /sent an HTTP request to an HTTPS server|plain HTTP request was sent to HTTPS port/i, 'tls-port'],
  [403, /^invalid host specified\s*$/i, 'refused-host'],
  [401, /^missing token|Authorization header is missing/i, 'engine-port'],
]
const GATEWAYS = [502, 503, 504]

/** What a reply that isn't JSON shows of who sent it. */
function shownBy({ status, body, headers }: HttpReply): ClientErrorParts['shows'] {
  const text = new TextDecoder().decode(body.subarray(0, 500))
  const known = TEXTS.find(([of, form]) => of === status && form.test(text))
  if (known !== undefined) return known[2]
  if (!/^text\/html/i.test(headers['content-type'] ?? '')) return undefined
  if (GATEWAYS.includes(status)) return 'gateway'
  return status === 200 ? 'web-page' : undefined
}

/** A refusal by status; a method that isn't offered may be refused in this way, too. */
function notAllowed(reply: HttpReply, fail: Fail, shows: ClientErrorParts['shows']): ClientError {
  const { status, headers } = reply
  const json = JSON_TYPE.test(headers['content-type'] ?? '') ? readJson(reply, fail) : undefined
  const refusal = isRecord(json) && isRecord(json.error) ? json.error : undefined
  const said = typeof refusal?.message === 'string' ? refusal.message : undefined
  return fail(refusal?.code === -32_601 ? 'not-offered' : 'unauthorized', { status, shows, said })
}

function readJson(reply: HttpReply, fail: Fail): unknown {
  try {
    return parseStrictReply(UTF8.decode(reply.body))
  } catch (thrown) {
    if (reply.status !== 200) return undefined
    const reason = thrown instanceof JsonFault ? thrown.message : 'the bytes are not UTF-8'
    throw fail('malformed', { status: reply.status, details: [`not JSON: ${reason}`] })
  }
}

/**
 * Returns how long an endpoint that limits how often it is asked wants us to wait (RFC 9110 §10.2.3): only the form in
 * seconds counts, since a date would need the endpoint's clock.
 */
export function askedWaitMs({ status, headers }: Pick<HttpReply, 'status' | 'headers'>): number | undefined {
  const header = headers['retry-after'] ?? ''
  return status === 429 && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined
}
