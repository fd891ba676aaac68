import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isIPv6 } from 'node:net'
import { portTaken } from '../errors/watch-config.ts'
import { systemCode } from './node-file-fault.ts'

/** What a path answers. */
export type Answer = { status: number; contentType: string; body: string }

export type Listener = {
  /** Where it listens, with the port that was taken. */
  url: string
  close(): Promise<void>
}

/** A client that sends its request slower than this is cut off. */
const PATIENCE_MS = 5000

/**
 * Answers GET and HEAD on one address until it is closed. What else is asked, and how long it takes, is refused and cut
 * off. Throws `watch.port` where the address cannot be had.
 */
export async function listen(
  { host, port }: { host: string; port: number },
  answer: (path: string) => Promise<Answer>,
): Promise<Listener> {
  const server = createServer(
    { requestTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS, connectionsCheckingInterval: PATIENCE_MS },
    (incoming, outgoing) => {
      incoming.resume()
      const isAsked = incoming.method === 'GET' || incoming.method === 'HEAD'
      if (!isAsked) return outgoing.writeHead(405, { allow: 'GET, HEAD' }).end()
      const [path = '/'] = (incoming.url ?? '/').split('?', 1)
      return void answer(path)
        .then(({ status, contentType, body }) => {
          outgoing.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' })
          outgoing.end(incoming.method === 'HEAD' ? '' : body)
        })
        .catch(() => outgoing.destroy())
    },
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portTaken(`${host}:${port}`, systemCode(cause), cause)))
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
