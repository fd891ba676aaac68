import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  FrontAnswer,
  FrontCall,
  FrontDelivery,
  FrontHooks,
  ServedFront,
  ServeOptions,
} from '../types.ts'
import { answerCall } from './answer.ts'
import { type FrontContext, failure, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR } from './methods.ts'

/** Something that can be shut and opened again; `passed` resolves at once while it is open, else when it opens. */
export type Gate = { shut: () => void; open: () => void; passed: () => Promise<void> }

/** A gate that is open. */
export function gate(): Gate {
  let waiting: (() => void)[] | undefined
  return {
    shut() {
      waiting ??= []
    },
    open() {
      const released = waiting ?? []
      waiting = undefined
      for (const release of released) release()
    },
    async passed() {
      while (waiting !== undefined) await new Promise<void>((release) => waiting?.push(release))
    },
  }
}

/** A whole HTTP answer: JSON text, or a fault. */
type BodyDelivery = Exclude<FrontDelivery, { kind: 'answer' }> | { kind: 'json'; text: string }

type FrontReply = { id: unknown; delivery: FrontDelivery }

const MAX_BATCH = 100

/**
 * Answers the body of one request, a single call or a batch (JSON-RPC 2.0). The calls of a batch run one after the
 * other in their order; a fault that a hook puts in place of one answer becomes the answer to all of it.
 */
async function handleBody(context: FrontContext, hooks: FrontHooks, text: string): Promise<BodyDelivery> {
  const body = parse(text)
  if (body === undefined) return json(reply(null, failure(PARSE_ERROR, 'parse error')))
  if (!Array.isArray(body)) return whole([await handleCall(context, hooks, body)], ([only]) => only ?? '')
  if (body.length === 0) return json(reply(null, failure(INVALID_REQUEST, 'empty batch')))
  if (body.length > MAX_BATCH) return json(reply(null, failure(INVALID_REQUEST, 'batch too large')))
  const replies: FrontReply[] = []
  for (const call of body) replies.push(await handleCall(context, hooks, call))
  return whole(replies, (texts) => (texts.length === 0 ? '' : `[${texts.join(',')}]`))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function whole(replies: readonly FrontReply[], join: (texts: readonly string[]) => string): BodyDelivery {
  const texts: string[] = []
  for (const { id, delivery } of replies) {
    if (delivery.kind !== 'answer') return delivery
    if (id !== undefined) texts.push(reply(id, delivery.answer))
  }
  return json(join(texts))
}

const json = (text: string): BodyDelivery => ({ kind: 'json', text })

function reply(id: unknown, answer: FrontAnswer): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...answer })
}

async function handleCall(context: FrontContext, hooks: FrontHooks, body: unknown): Promise<FrontReply> {
  const call = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const { id, method } = call
  const refused = (answer: FrontAnswer): FrontReply => ({
    id: id ?? null,
    delivery: { kind: 'answer', answer },
  })
  if (typeof method !== 'string') return refused(failure(INVALID_REQUEST, 'invalid request'))
  const params = call.params ?? []
  if (!Array.isArray(params)) return refused(failure(INVALID_PARAMS, 'non-array args'))
  const frontCall = { method, params }
  const answer = (asked: FrontCall = frontCall): Promise<FrontAnswer> =>
    context.inOrder(() => answerCall(context, asked))
  if (hooks.around !== undefined) return { id, delivery: await hooks.around(frontCall, answer) }
  return { id, delivery: { kind: 'answer', answer: await answer() } }
}

const MAX_BODY_BYTES = 5_000_000
const OWN_HOSTS = /^(127\.0\.0\.1|localhost)(:\d+)?$/i

/**
 * Opens the public JSON-RPC endpoint of a rehearsal network on 127.0.0.1. It answers like the real network's client,
 * takes POST with application/json only, and nothing that comes from a web page: no CORS headers, no request with an
 * Origin, no foreign host name. Rejects with the system's error when the port is taken.
 */
export async function rpcFront(
  base: Omit<FrontContext, 'pool'>,
  options: ServeOptions,
): Promise<ServedFront> {
  const { nextForkSeconds } = options
  const context: FrontContext = {
    ...base,
    pool: new Map(),
    ...(nextForkSeconds === undefined ? {} : { nextForkSeconds }),
  }
  const pauses = gate()
  const server = createServer((request, response) => {
    serve({ context, hooks: options.hooks ?? {}, pauses }, request, response).catch(() => response.destroy())
  })
  await listen(server, options.port ?? 0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    pause: pauses.shut,
    resume: pauses.open,
    close: () => end(server),
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1' }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

type Serving = { context: FrontContext; hooks: FrontHooks; pauses: Gate }

async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refusal = refuse(request)
  const body = await readBody(request)
  if (refusal !== undefined) return write(response, plain(refusal.status, refusal.why))
  if (body === undefined) return write(response, plain(413, 'request too large'))
  await serving.pauses.passed()
  const delivery = await handleBody(serving.context, serving.hooks, body)
  await serving.pauses.passed()
  write(response, delivery)
}

function refuse(request: IncomingMessage): { status: number; why: string } | undefined {
  const { headers } = request
  if (!OWN_HOSTS.test(headers.host ?? '')) return { status: 403, why: 'invalid host specified' }
  if (headers.origin !== undefined) return { status: 403, why: 'web pages are not answered' }
  if (request.method !== 'POST') return { status: 405, why: 'method not allowed' }
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return { status: 415, why: 'only application/json is supported' }
  return undefined
}

/** The whole body as text, or undefined when it is too large; the rest of a large one is read and dropped. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
    else chunks.length = 0
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8')
}

function plain(status: number, why: string): FrontDelivery {
  return { kind: 'http', status, contentType: 'text/plain; charset=utf-8', body: `${why}\n` }
}

function write(response: ServerResponse, delivery: FrontDelivery | { kind: 'json'; text: string }): void {
  if (response.destroyed) return
  if (delivery.kind === 'http') {
    response
      .writeHead(delivery.status, { 'content-type': delivery.contentType, ...delivery.headers })
      .end(delivery.body)
    return
  }
  if (delivery.kind === 'json') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(delivery.text)
    return
  }
  response.destroy()
}
