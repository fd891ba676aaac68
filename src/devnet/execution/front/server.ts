import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrontDelivery, FrontHooks, ServedFront, ServeOptions } from '../types.ts'
import { handleBody } from './body.ts'
import { type Gate, gate } from './gate.ts'
import type { FrontWorld } from './world.ts'

const MAX_BODY_BYTES = 5_000_000
const OWN_HOSTS = /^(127\.0\.0\.1|localhost)(:\d+)?$/i

/**
 * Opens the public JSON-RPC endpoint of a rehearsal network on 127.0.0.1. It answers like the real network's client,
 * takes POST with application/json only, and nothing that comes from a web page: no CORS headers, no request with an
 * Origin, no foreign host name. Rejects with the system's error when the port is taken.
 */
export async function rpcFront(base: Omit<FrontWorld, 'pool'>, options: ServeOptions): Promise<ServedFront> {
  const world: FrontWorld = { ...base, pool: new Map() }
  const pauses = gate()
  const server = createServer((request, response) => {
    serve({ world, hooks: options.hooks ?? {}, pauses }, request, response).catch(() => response.destroy())
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

type Serving = { world: FrontWorld; hooks: FrontHooks; pauses: Gate }

async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refusal = refuse(request)
  const body = await readBody(request)
  if (refusal !== undefined) return write(response, plain(refusal.status, refusal.why))
  if (body === undefined) return write(response, plain(413, 'request too large'))
  await serving.pauses.passed()
  const delivery = await handleBody(serving.world, serving.hooks, body)
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
    response.writeHead(delivery.status, { 'content-type': delivery.contentType }).end(delivery.body)
    return
  }
  if (delivery.kind === 'json') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(delivery.text)
    return
  }
  response.destroy()
}
