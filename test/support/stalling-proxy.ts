import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** How a service that is reached keeps its askers waiting. */
export const STALLS = ['429 with Retry-After 8', 'a dripping reply', '30 s of delay'] as const

export type Stall = (typeof STALLS)[number]

/** Stands in front of a service, and passes everything on until it stalls. */
export type StallingProxy = {
  url: string
  /** From now on nobody gets an answer. Resolves once somebody waits for one. */
  stall(how: Stall): Promise<void>
  /** From now on each question goes on so much later. */
  delay(ms: number): void
  /** From now on no question is answered, or each one again. */
  cut(isCut: boolean): void
  close(): void
}

const DRIP_MS = 500
const DELAY_MS = 30_000

/** A proxy on a free port of 127.0.0.1 before the service at `target`. */
export async function stallingProxy(target: string): Promise<StallingProxy> {
  let how: Stall | undefined
  let delayMs = 0
  let isCut = false
  const waiting = Promise.withResolvers<void>()
  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', () => undefined)
    if (isCut) outgoing.destroy()
    else if (how === undefined) void later(delayMs).then(() => pass(incoming, outgoing, target))
    else {
      waiting.resolve()
      void STALLED[how](outgoing)
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stall(next) {
      how = next
      return waiting.promise
    },
    delay(ms) {
      delayMs = ms
    },
    cut(next) {
      isCut = next
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const later = (ms: number): Promise<unknown> =>
  ms === 0 ? Promise.resolve() : setTimeout(ms, undefined, { ref: false })

function pass(incoming: IncomingMessage, outgoing: ServerResponse, target: string): void {
  const { method, headers, url = '/' } = incoming
  const onward = request(new URL(url, target), { method, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
}

const STALLED: Readonly<Record<Stall, (outgoing: ServerResponse) => unknown>> = {
  '429 with Retry-After 8': (outgoing) => outgoing.writeHead(429, { 'retry-after': '8' }).end(),
  async 'a dripping reply'(outgoing) {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    while (!outgoing.destroyed) {
      outgoing.write(' ')
      await setTimeout(DRIP_MS, undefined, { ref: false })
    }
  },
  async '30 s of delay'(outgoing) {
    await setTimeout(DELAY_MS, undefined, { ref: false })
    outgoing.destroy()
  },
}
