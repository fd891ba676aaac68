import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Clock, Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { endpointLabel } from '../../src/core/base/format/endpoint-url.ts'
import { type Asked, Failure, type Insight, PASS, type Telling, type Tellings, type Truth } from './lie.ts'
import { isWire, jsonWire, type Reply, textOf, type Wire } from './wire.ts'

/** Answers in the place of a service; undefined lets the question through. */
export type Responder = (asked: Asked, ask: () => Promise<Reply>) => Promise<Wire | undefined>

/** Tells the lies of a table from the moment on that they are told. */
export function responderOf(
  tells: (insight: Insight) => Tellings,
  insight: Insight,
  isTold: () => boolean | Promise<boolean>,
): Responder {
  const tellings = Object.entries(tells(insight)).map(([call, telling]) => ({ is: matcherOf(call), telling }))
  return async (asked, ask) => {
    const telling = tellings.find(({ is }) => is(asked))?.telling
    if (telling === undefined || !(await isTold())) return undefined
    return tell(telling, { asked, ask, insight })
  }
}

async function tell(
  telling: Telling,
  { asked, ask, insight }: { asked: Asked; ask: () => Promise<Reply>; insight: Insight },
): Promise<Wire | undefined> {
  const told = (await telling(asked, truthOf(asked, ask), insight)) ?? null
  if (told === PASS) return undefined
  if (isWire(told)) return told
  if (asked.call === undefined) return jsonWire(told)
  const { id } = asked.call
  const said = told instanceof Failure ? { error: told.error } : { result: told }
  return jsonWire({ jsonrpc: '2.0', id, ...said })
}

function truthOf({ call }: Asked, ask: () => Promise<Reply>): Truth {
  let asked: Promise<Reply> | undefined
  const reply = () => {
    asked ??= ask()
    return asked
  }
  const text = async () => textOf(await reply())
  return {
    reply,
    text,
    async value() {
      const json = JSON.parse(await text()) as { result?: unknown }
      return call === undefined ? json : json.result
    },
  }
}

/** By the name of a call, or by a path in which `*` stands for anything. */
function matcherOf(name: string): (asked: Asked) => boolean {
  if (name === '*') return () => true
  if (!name.startsWith('/')) return ({ call }) => call?.method === name
  const pattern = new RegExp(`^${name.replaceAll(/[.?]/g, '\\$&').replaceAll('*', '.*')}$`)
  return ({ path }) => pattern.test(path)
}

function askedOf(url: string, body: string | undefined): Asked {
  const { pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  if (body === undefined || !body.includes('"jsonrpc"')) return { path }
  return { path, call: JSON.parse(body) as NonNullable<Asked['call']> }
}

/** Effects in which a teller stands before the service whose addresses begin so; all waits are of this clock. */
export function tellingEffects(
  effects: Effects,
  url: string,
  clock: Pick<Clock, 'sleep'>,
  responder: Responder,
): Effects {
  const request = async (asked: HttpRequest): Promise<HttpReply> => {
    if (!asked.url.startsWith(url)) return effects.http.request(asked)
    const { sink: _, ...whole } = asked
    const wire = await responder(askedOf(asked.url, asked.body), () => effects.http.request(whole))
    return wire === undefined ? effects.http.request(asked) : received(wire, asked, clock)
  }
  return { ...effects, http: { request } }
}

/** What the program's own HTTP makes of it; that it does is shown with the real one (proxy.test.ts). */
async function received(wire: Wire, asked: HttpRequest, clock: Pick<Clock, 'sleep'>): Promise<HttpReply> {
  const endpoint = endpointLabel(asked.url)
  switch (wire.as) {
    case 'reply': {
      const { location } = wire.headers
      if (wire.status >= 300 && wire.status < 400 && wire.status !== 304)
        throw httpError('http.redirect', endpoint, wire.status, targetOf(location ?? '', asked.url))
      if (wire.body.length > asked.maxBytes) throw httpError('http.too-large', endpoint, asked.maxBytes)
      return { status: wire.status, headers: wire.headers, body: wire.body }
    }
    case 'drip':
      await clock.sleep(asked.deadlineMs, asked.signal)
      throw httpError('http.timeout', endpoint, asked.deadlineMs)
    case 'silence':
      await clock.sleep(Math.min(asked.deadlineMs, asked.idleMs ?? asked.deadlineMs), asked.signal)
      throw httpError('http.timeout', endpoint, asked.deadlineMs)
    case 'cut':
      throw httpError('http.closed', endpoint, 'ECONNRESET', wire.body.length)
    case 'flood':
      throw httpError('http.too-large', endpoint, asked.maxBytes)
    case 'hang up':
      throw httpError('http.closed', endpoint, 'ECONNRESET', 0)
    case 'bytes':
      throw wire.bytes[0] === 0x15 && wire.bytes[1] === 0x03
        ? httpError('http.needs-tls', endpoint)
        : httpError('http.not-http', endpoint, 'HPE_INVALID_CONSTANT')
  }
}

function targetOf(location: string, base: string): string {
  return URL.canParse(location, base) ? endpointLabel(new URL(location, base).href) : '(not a URL)'
}

/** A proxy before a service, on a free port of 127.0.0.1. */
export type LyingProxy = {
  url: string
  /** From now on this is told; with nothing everything passes. */
  tell(responder: Responder | undefined): void
  /** All that was asked, as it came: address, head and body of each request. */
  requests: readonly string[]
  close(): void
}

/** Stands before the service at `target`, and passes everything on until it is told a lie. */
export async function startProxy(target: string): Promise<LyingProxy> {
  let responder: Responder | undefined
  const requests: string[] = []
  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', () => undefined)
    void answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await bodyOf(incoming)
    const { method = 'GET', url = '/', headers } = incoming
    requests.push(`${method} ${url} ${JSON.stringify(headers)} ${body}`)
    const onward = { method, headers, body, url: new URL(url, target) }
    const asked = askedOf(onward.url.href, body)
    const wire = await responder?.(asked, () => wholeReply(onward))
    if (wire === undefined) passOn(onward, outgoing)
    else await send(wire, outgoing)
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    tell(next) {
      responder = next
    },
    requests,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Onward = { method: string; headers: IncomingMessage['headers']; body: string; url: URL }

async function bodyOf(incoming: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function open({ method, headers, body, url }: Onward): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, resolve).on('error', reject).end(body)
  })
}

async function wholeReply(onward: Onward): Promise<Reply> {
  const reply = await open(onward)
  const chunks: Buffer[] = []
  for await (const chunk of reply as AsyncIterable<Buffer>) chunks.push(chunk)
  const contentType = reply.headers['content-type'] ?? ''
  return {
    status: reply.statusCode ?? 502,
    headers: { 'content-type': contentType },
    body: Buffer.concat(chunks),
  }
}

function passOn(onward: Onward, outgoing: ServerResponse): void {
  open(onward).then(
    (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.on('error', () => outgoing.destroy()).pipe(outgoing)
      outgoing.on('close', () => reply.destroy())
    },
    () => outgoing.destroy(),
  )
}

const DRIP_MS = 1000
const BLANKS = Buffer.alloc(65_536, ' ')

async function send(wire: Wire, outgoing: ServerResponse): Promise<void> {
  const { socket } = outgoing
  switch (wire.as) {
    case 'reply':
      outgoing.writeHead(wire.status, wire.headers).end(wire.status === 204 ? undefined : wire.body)
      return
    case 'cut':
      outgoing.writeHead(wire.status, { ...wire.headers, 'content-length': wire.body.length })
      outgoing.write(wire.body.subarray(0, wire.body.length / 2), () => outgoing.destroy())
      return
    case 'drip':
      outgoing.writeHead(200, { 'content-type': 'application/json' })
      while (!outgoing.destroyed) {
        outgoing.write(' ')
        await setTimeout(DRIP_MS, undefined, { ref: false })
      }
      return
    case 'flood':
      outgoing.writeHead(200, { 'content-type': 'application/json' })
      while (!outgoing.destroyed)
        await new Promise<void>((resolve) => {
          outgoing.write(BLANKS, () => resolve())
        })
      return
    case 'silence':
      return
    case 'hang up':
      outgoing.destroy()
      return
    case 'bytes':
      socket?.end(wire.bytes)
      return
  }
}
