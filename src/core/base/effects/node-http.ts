import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { HttpError, httpError } from '../errors/http.ts'
import { noRoom } from '../errors/room.ts'
import { isRecord } from '../format/decode.ts'
import { endpointLabel, isLoopbackUrl, parseEndpointUrl, proxyVariable } from '../format/endpoint-url.ts'
import { safeText } from '../format/text.ts'
import type { Http, HttpReply, HttpRequest } from './effects.ts'
import { openFileLimit } from './node-file-fault.ts'

const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'])
const TLS =
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|INVALID_CA|PATH_LENGTH|EPROTO$)/

/** What comes back to the first bytes of TLS is none: Node has no code of its own for it, OpenSSL's reason stands in the text. */
const NO_TLS = /:(?:wrong version number|packet length too long|http request):/

/**
 * Turns what node:http throws into an `HttpError`. `answered` tells whether a status line had arrived, which tells
 * a connection that never came about from one that was closed in the middle.
 */
function toHttpError(
  thrown: unknown,
  endpoint: string,
  state: { received: number; answered: boolean },
): HttpError {
  if (thrown instanceof HttpError) return thrown
  const code = faultCode(thrown)
  if (code.startsWith('HPE_') && isTlsAlert(thrown)) return httpError('http.needs-tls', endpoint)
  if (code.startsWith('HPE_')) return httpError('http.not-http', endpoint, code)
  if (TLS.test(code) && NO_TLS.test(String(thrown))) return httpError('http.no-tls', endpoint, code)
  if (TLS.test(code)) return httpError('http.tls', endpoint, code)
  if (state.answered || CLOSED.has(code)) return httpError('http.closed', endpoint, code, state.received)
  const room = noRoom('connection', code, openFileLimit)
  if (room !== undefined) return httpError('http.local', endpoint, room)
  return httpError('http.unreachable', endpoint, code, proxyBefore(endpoint))
}

/** The variable of a proxy by which an endpoint elsewhere may have to be asked. */
function proxyBefore(endpoint: string): string | undefined {
  return isLoopbackUrl(endpoint) ? undefined : proxyVariable(process.env)
}

/** Whether the bytes that aren't HTTP are an alert of TLS (RFC 8446 §5.1): what a TLS port says to plain HTTP. */
function isTlsAlert(thrown: unknown): boolean {
  const packet = isRecord(thrown) ? thrown.rawPacket : undefined
  return packet instanceof Uint8Array && packet[0] === 0x15 && packet[1] === 0x03
}

function faultCode(thrown: unknown): string {
  const inner: unknown =
    thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown
  const code = typeof inner === 'object' && inner !== null && 'code' in inner ? inner.code : undefined
  return typeof code === 'string' ? safeText(code, 60) : 'unknown'
}

const REDIRECTS = new Set([300, 301, 302, 303, 305, 307, 308])
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
const AGENT = { keepAlive: true, maxSockets: 16, maxFreeSockets: 4, autoSelectFamily: true }

const ERROR_BODY_BYTES = 1_048_576

type Agents = { http: HttpAgent; https: HttpsAgent }

/** What happened so far in one exchange. */
type Progress = { received: number; answered: boolean; refused?: { thrown: unknown }; onReply: () => void }

/**
 * HTTP on node:http and node:https: http(s) only, one deadline for the whole exchange with its
 * body, a byte cap that is counted while reading, a body held whole or handed on in pieces, no redirects, no retries, no proxies, certificates always
 * checked, `localhost` tried on IPv4 and IPv6. Fails with an `HttpError`, or with the reason of the signal.
 */
export function createNodeHttp(options: { userAgent?: string } = {}): Http {
  let agents: Agents | undefined
  const userAgent = options.userAgent ?? 'bearings'
  return {
    request: (request) => {
      // Most of a start would be spent on these, and not every command asks somebody.
      agents ??= createAgents()
      return exchange(request, agents, userAgent)
    },
  }
}

function createAgents(): Agents {
  return {
    http: new HttpAgent(AGENT),
    https: new HttpsAgent({ ...AGENT, rejectUnauthorized: true, minVersion: 'TLSv1.2' }),
  }
}

async function exchange(request: HttpRequest, agents: Agents, userAgent: string): Promise<HttpReply> {
  const url = parseEndpointUrl(request.url)
  if (url === undefined) throw httpError('http.bad-url')
  request.signal?.throwIfAborted()
  const endpoint = endpointLabel(request.url)
  let outgoing: ClientRequest | undefined
  let ended: { reason: unknown } | undefined
  // Whoever ends it does not wait until the socket is closed.
  const over = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    ended ??= { reason }
    over.reject(reason)
    outgoing?.destroy()
  }
  const idle = watchSilence(request.idleMs, () =>
    end(httpError('http.timeout', endpoint, request.idleMs ?? 0, 'silent')),
  )
  const state: Progress = { received: 0, answered: false, onReply: () => idle?.refresh() }
  const timer = setTimeout(
    () => end(httpError('http.timeout', endpoint, request.deadlineMs, 'late', proxyBefore(endpoint))),
    request.deadlineMs,
  )
  const onAbort = () => end(request.signal?.reason)
  request.signal?.addEventListener('abort', onAbort, { once: true })
  try {
    outgoing = begin(request, url, agents, userAgent)
    const reply = await Promise.race([over.promise, send(outgoing, request.body)])
    state.answered = true
    refuseRedirect(reply, url, endpoint)
    return await Promise.race([over.promise, readBody(reply, request, endpoint, state)])
  } catch (thrown) {
    if (state.refused !== undefined) throw state.refused.thrown
    if (ended !== undefined) throw ended.reason
    throw toHttpError(thrown, endpoint, state)
  } finally {
    clearTimeout(timer)
    clearTimeout(idle)
    request.signal?.removeEventListener('abort', onAbort)
  }
}

function watchSilence(idleMs: number | undefined, end: () => void): NodeJS.Timeout | undefined {
  return idleMs === undefined ? undefined : setTimeout(end, idleMs)
}

function begin(request: HttpRequest, url: URL, agents: Agents, userAgent: string): ClientRequest {
  const secure = url.protocol === 'https:'
  const options: RequestOptions = {
    method: request.method,
    agent: secure ? agents.https : agents.http,
    headers: headersOf(request, userAgent),
    maxHeaderSize: 16_384,
    ...(url.hostname === 'localhost' ? { lookup: lookupLoopback } : {}),
  }
  return (secure ? requestHttps : requestHttp)(url, options)
}

function send(outgoing: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function headersOf(request: HttpRequest, userAgent: string): Record<string, string> {
  const body = request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) }
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    ...request.headers,
    ...body,
  }
}

function refuseRedirect(reply: IncomingMessage, url: URL, endpoint: string): void {
  const status = reply.statusCode ?? 0
  if (!REDIRECTS.has(status)) return
  reply.destroy()
  const location = reply.headers.location ?? ''
  const target = URL.canParse(location, url.href)
    ? endpointLabel(new URL(location, url.href).href)
    : '(not a URL)'
  throw httpError('http.redirect', endpoint, status, target)
}

function readBody(
  reply: IncomingMessage,
  request: HttpRequest,
  endpoint: string,
  state: Progress,
): Promise<HttpReply> {
  const sink = reply.statusCode === 200 ? request.sink : undefined
  const holdsLess = request.sink !== undefined && sink === undefined
  const maxBytes = holdsLess ? Math.min(request.maxBytes, ERROR_BODY_BYTES) : request.maxBytes
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    const giveUp = (reason: unknown) => {
      reject(reason)
      reply.destroy()
    }
    if (Number(reply.headers['content-length'] ?? 0) > maxBytes)
      return giveUp(httpError('http.too-large', endpoint, maxBytes))
    reply.on('data', (chunk: Buffer) => {
      state.received += chunk.length
      if (state.received > maxBytes) return giveUp(httpError('http.too-large', endpoint, maxBytes))
      if (sink === undefined) chunks.push(chunk)
      else if (!handOn(chunk, sink, state)) return giveUp(state.refused?.thrown)
      state.onReply()
    })
    reply.on('error', reject)
    const cut = () => reject(httpError('http.closed', endpoint, 'body cut', state.received))
    reply.on('end', () => {
      if (!reply.complete) return cut()
      const body = new Uint8Array(Buffer.concat(chunks))
      resolve({ status: reply.statusCode ?? 0, headers: plainHeaders(reply), body })
    })
    reply.on('close', () => {
      if (!reply.readableEnded) cut()
    })
  })
}

/** Whether the piece was taken. */
function handOn(piece: Uint8Array, sink: (piece: Uint8Array) => void, state: Progress): boolean {
  try {
    sink(piece)
    return true
  } catch (thrown) {
    state.refused = { thrown }
    return false
  }
}

function plainHeaders(reply: IncomingMessage): Record<string, string> {
  const entries = Object.entries(reply.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return Object.fromEntries(entries)
}

const lookupLoopback: LookupFunction = (hostname, options, callback) => {
  const addresses = isIP(hostname) === 0 ? LOOPBACK : [{ address: hostname, family: isIP(hostname) }]
  if (options.all) {
    callback(null, addresses)
    return
  }
  callback(null, '127.0.0.1', 4)
}
