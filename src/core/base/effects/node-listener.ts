import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { isIP, isIPv6 } from 'node:net'
import { watchError } from '../errors/watch-config.ts'
import { systemCode } from './node-file-fault.ts'

/** What a path answers. */
export type ListenerReply = { status: number; contentType: string; body: string }

export type Listener = {
  /** Where it listens, with the port that was taken. */
  url: string
  close(): Promise<void>
}

/** A client that sends its request slower than this is cut off. */
const PATIENCE_MS = 5000
/** No more are connected at a time: who has asked nothing yet, or nothing for longest, makes room for a new one. */
const MOST_CONNECTIONS = 64

/**
 * Answers GET and HEAD on one address until it is closed, where the request names that address, this computer or one of
 * `names` as its host: a page of the web that has its own name point here is told only which names are allowed. What else
 * is asked, and how long it takes, is
 * refused and cut off, and a crowd of idle connections keeps nobody out. Throws `watch.port` where the address cannot be had.
 */
export async function listen(
  { host, port, names }: { host: string; port: number; names: readonly string[] },
  respond: (path: string) => Promise<ListenerReply>,
  refuseHost: (named: string, allowed: readonly string[]) => ListenerReply,
): Promise<Listener> {
  const allowed = [...LOOPBACK, ...(LOOPBACK.includes(host) ? [] : [host]), ...names]
  const server = createServer(
    { requestTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS, connectionsCheckingInterval: PATIENCE_MS },
    (incoming, outgoing) => {
      incoming.resume()
      if (!isForUs(incoming.headers.host, { host, names })) {
        const { status, contentType, body } = refuseHost(incoming.headers.host ?? '', allowed)
        return outgoing.writeHead(status, { connection: 'close', 'content-type': contentType }).end(body)
      }
      const isAsked = incoming.method === 'GET' || incoming.method === 'HEAD'
      if (!isAsked) return outgoing.writeHead(405, { allow: 'GET, HEAD' }).end()
      const [path = '/'] = (incoming.url ?? '/').split('?', 1)
      return void respond(path)
        .then(({ status, contentType, body }) => {
          outgoing.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' })
          outgoing.end(incoming.method === 'HEAD' ? '' : body)
        })
        .catch(() => outgoing.destroy())
    },
  )
  const connected = new Set<Socket>()
  server.on('connection', (socket) => {
    connected.add(socket)
    socket.once('close', () => connected.delete(socket))
    const [oldest] = connected
    if (connected.size > MOST_CONNECTIONS) oldest?.destroy()
  })
  server.on('request', ({ socket }) => {
    if (connected.delete(socket)) connected.add(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(watchError('watch.port', `${host}:${port}`, systemCode(cause), cause)),
    )
    server.listen({ port, host }, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${taken}`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
/** Addresses that stand for all of a computer: then any address of it is its own, and still no name. */
const ALL: readonly string[] = ['0.0.0.0', '::']

/** Whether the `Host` of a request is one that is listened at: this computer's own names, the address or a name that was given. */
function isForUs(
  named: string | undefined,
  { host, names }: { host: string; names: readonly string[] },
): boolean {
  const name = (named ?? '').toLowerCase().replace(/:\d+$/, '')
  const bare = name.replace(/^\[|\]$/g, '')
  if (names.includes(name)) return true
  return LOOPBACK.includes(name) || bare === host.toLowerCase() || (ALL.includes(host) && isIP(bare) !== 0)
}
