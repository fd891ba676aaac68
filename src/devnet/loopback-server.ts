import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { devnetError } from '../core/base/errors/devnet.ts'

/** A request, read whole. The query keeps repeated names. */
export type LoopbackRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/** A reply, or a connection that closes without one. */
export type LoopbackReply =
  | { status: number; contentType: string; body: string; headers?: Record<string, string> }
  | 'close'

export type LoopbackHandler = (request: LoopbackRequest) => LoopbackReply | Promise<LoopbackReply>

/** A server on 127.0.0.1. `pause` leaves connections open and answers nothing until `resume`, as a stuck process does. */
export type LoopbackServer = {
  url: string
  pause(): void
  resume(): void
  /** Ends the server and every open connection; calling it twice is safe. */
  close(): Promise<void>
}

const MAX_BODY_BYTES = 5_000_000

/** Serves on 127.0.0.1 only; port 0 or none takes a free one. Throws `devnet.port` when the port is not to be had. */
export async function loopbackServer(handle: LoopbackHandler, port = 0): Promise<LoopbackServer> {
  const { passed, shut, open } = gate()
  const server = createServer((incoming, outgoing) => {
    respond({ handle, passed }, incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(devnetError('devnet.port', port, cause)))
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    pause: shut,
    resume: open,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** A gate that is open: `passed` resolves at once while it is, else when it opens. */
function gate() {
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

type Serving = { handle: LoopbackHandler; passed: () => Promise<void> }

async function respond(
  { handle, passed }: Serving,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body = await readBody(incoming)
  await passed()
  const reply = body === undefined ? TOO_LARGE : await handle(requestOf(incoming, body))
  await passed()
  if (reply === 'close') incoming.socket.destroy()
  else
    outgoing.writeHead(reply.status, { 'content-type': reply.contentType, ...reply.headers }).end(reply.body)
}

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage, body: string): LoopbackRequest {
  const [path = '/', query = ''] = url.split('?', 2)
  return { method, path, query: new URLSearchParams(query), headers, body }
}

/** Returns a reply of one line that is not meant for programs. */
export function plainReply(status: number, words: string): Exclude<LoopbackReply, 'close'> {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${words}\n` }
}

const TOO_LARGE = plainReply(413, 'request too large')

/** The whole body as text, or undefined when it is too large; the rest of a large one is read and dropped. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length
    if (size <= MAX_BODY_BYTES) parts.push(part)
    else parts.length = 0
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(parts).toString('utf8')
}

const ESCAPED = /[<>&\u2028\u2029]/g

/**
 * JSON as Go's encoder writes it: `<`, `>` and `&` escaped, bigints as bare digits, and undefined fields left out.
 */
export function goJson(value: unknown): string {
  // None of them stands outside of texts.
  return plainJson(value).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The engine's own writer is many times as fast, and refuses nothing but bigints. */
function plainJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return jsonWithBigints(value)
  }
}

function jsonWithBigints(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(jsonWithBigints).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${jsonWithBigints(field)}`).join(',')}}`
}
