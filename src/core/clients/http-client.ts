import type { Effects, HttpReply } from '../base/effects/effects.ts'
import { ClientError, type ClientFault, type Service } from '../base/errors/client.ts'
import { HttpError, type HttpFault, notByProxy } from '../base/errors/http.ts'
import { FieldFault } from '../base/format/decode.ts'
import { endpointLabel } from '../base/format/endpoint-url.ts'
import { JsonFault } from '../base/format/strict-json.ts'
import { type SafeText, safeText } from '../base/format/text.ts'
import { secretForms, urlSecrets, withoutSecrets } from '../base/format/url-secrets.ts'
import { type Fail, type Intake, type JsonReply, readJsonReply } from './json-rpc.ts'

export type ClientEffects = Pick<Effects, 'http' | 'clock' | 'random'>

type JsonRequest<T> = {
  method: 'GET' | 'POST'
  url: string
  /** Sent as JSON. */
  body?: string
  /** The call as shown in errors. */
  what: string
  deadlineMs: number
  maxBytes: number
  idleMs?: number
  /** Reads a body that is too large to be held; `read` then gets what the intake leaves. */
  intake?: () => Intake
  /** How often the same question may be asked again by itself: 0 for everything that changes something. */
  retries: number
  /** Turns the reply into the answer; throws a `ClientError`, or a `FieldFault` for an odd field. */
  read(reply: JsonReply, fail: Fail): T
}

/** A hardened JSON client for one endpoint. `label` is scheme://host:port. */
export type HttpClient = {
  service: Service
  label: string
  clock: ClientEffects['clock']
  request<T>(request: JsonRequest<T>): Promise<T>
}

const FAULTS: Readonly<Record<HttpFault, ClientFault>> = {
  unreachable: 'unreachable',
  local: 'unreachable',
  timeout: 'timeout',
  closed: 'says-nothing',
  'too-large': 'too-large',
  'bad-url': 'unusable',
  redirect: 'unusable',
  tls: 'unusable',
  'no-tls': 'unusable',
  'needs-tls': 'unusable',
  'not-http': 'unusable',
}
/** Faults whose own sentence names a cause that the client's fault doesn't. */
const SAYS_MORE: ReadonlySet<HttpFault> = new Set([
  'closed',
  'redirect',
  'tls',
  'no-tls',
  'needs-tls',
  'not-http',
])
const ASK_AGAIN: ReadonlySet<ClientFault> = new Set([
  'unreachable',
  'timeout',
  'says-nothing',
  'rate-limited',
  'failed',
])
const FIRST_PAUSE_MS = 250
/** An endpoint that asks for more than the time of an answer is not waited for: whoever asks decides what to do. */
const LONGEST_PAUSE_MS = 8000

/**
 * A client for the service at `url`. Reads are asked again at most `retries` times, after a pause with jitter or as
 * long as the endpoint asks (8 s at most); what an endpoint writes in an error never decides anything.
 * Every failure is a `ClientError`, or the reason for which the effects have ended.
 */
export function createHttpClient(effects: ClientEffects, service: Service, url: string): HttpClient {
  const label = endpointLabel(url)
  const keys = secretForms(urlSecrets(url))
  // An endpoint may say back what it was asked at. The name by which it goes here holds no key.
  const redacted = (text: string) =>
    text
      .split(label)
      .map((part) => withoutSecrets(part, keys))
      .join(label)
  return {
    service,
    label,
    clock: effects.clock,
    async request(request) {
      const fail: Fail = (fault, { said, details, ...parts } = {}) =>
        new ClientError(fault, {
          service,
          endpoint: label,
          what: request.what,
          ...parts,
          ...(details === undefined ? {} : { details: details.map(redacted) }),
          ...(said === undefined || said === '' ? {} : { said: quotable(withoutSecrets(said, keys)) }),
        })
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await askOnce(effects, request, fail)
        } catch (thrown) {
          const pauseMs = pauseBeforeRetry(thrown, attempt, request.retries, effects)
          if (pauseMs === undefined) throw thrown
          await effects.clock.sleep(pauseMs)
        }
      }
    },
  }
}

async function askOnce<T>(effects: ClientEffects, request: JsonRequest<T>, fail: Fail): Promise<T> {
  const intake = request.intake?.()
  let status = 200
  try {
    const reply = await exchange(effects, request, fail, intake)
    status = reply.status
    return request.read(readJsonReply(reply, fail, intake), fail)
  } catch (thrown) {
    const details = oddPart(thrown)
    throw details === undefined ? thrown : fail('malformed', { status, details })
  }
}

/** Words of an endpoint that can be drawn, and do not leave the quotes that they are put in. */
function quotable(words: string): SafeText {
  return safeText(words.replaceAll('"', "'"))
}

/** What is wrong with a reply's content, undefined when something else was thrown. */
function oddPart(thrown: unknown): readonly string[] | undefined {
  if (thrown instanceof JsonFault) return [`not JSON: ${thrown.message}`]
  if (!(thrown instanceof FieldFault)) return undefined
  const { path, expected, found } = thrown
  return [`field: ${safeText(path)}`, `found: ${found}`, `expected: ${expected}`]
}

async function exchange<T>(
  effects: ClientEffects,
  request: JsonRequest<T>,
  fail: Fail,
  intake: Intake | undefined,
): Promise<HttpReply> {
  const { method, url, body, deadlineMs, maxBytes, idleMs } = request
  try {
    const reply = await effects.http.request({
      method,
      url,
      deadlineMs,
      maxBytes,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(intake === undefined ? {} : { sink: (piece: Uint8Array) => intake.write(piece) }),
    })
    if (reply.status === 200) intake?.write(reply.body)
    return reply
  } catch (thrown) {
    if (!(thrown instanceof HttpError)) throw thrown
    const exchange = SAYS_MORE.has(thrown.fault) ? thrown : undefined
    const local = thrown.fault === 'local' ? { local: thrown } : {}
    const details = exchange === undefined ? [thrown.shortMessage, ...thrown.details] : thrown.details
    const alsoNext = thrown.proxy === undefined ? [] : [notByProxy(thrown.proxy)]
    throw fail(FAULTS[thrown.fault], { details, cause: thrown, exchange, alsoNext, ...local })
  }
}

function pauseBeforeRetry(
  thrown: unknown,
  attempt: number,
  retries: number,
  effects: ClientEffects,
): number | undefined {
  if (attempt >= retries || !(thrown instanceof ClientError) || !ASK_AGAIN.has(thrown.fault)) return undefined
  if (thrown.cause instanceof HttpError && !thrown.cause.retryable) return undefined
  const asked = thrown.retryAfterMs
  if (asked !== undefined) return asked <= LONGEST_PAUSE_MS ? asked : undefined
  const jitter = (effects.random.bytes(1)[0] ?? 0) / 255
  return Math.round(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + jitter))
}
