import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a service does with an alarm that reaches it. */
export type Conduct =
  | 'takes'
  | 'fails'
  | 'asks to wait'
  | 'forbids'
  | 'drops'
  | 'stalls'
  | 'takes and drops'
  | 'takes and cuts the answer'

/** One request that arrived. `took` is what the service did; `answered` whether it said so. */
export type Arrival = { path: string; method: string; body: string; took: boolean; answered: boolean }

export type AlarmService = {
  url: string
  arrivals: readonly Arrival[]
  close(): void
}

/** A service of the user on 127.0.0.1. `conduct` says for each request, counted per path from 0, what it does. */
export async function alarmService(conduct: (path: string, place: number) => Conduct): Promise<AlarmService> {
  const arrivals: Arrival[] = []
  const server = createServer((incoming, outgoing) => {
    const { url: path = '/', method = '' } = incoming
    outgoing.on('error', () => undefined)
    const pieces: Buffer[] = []
    incoming.on('error', () => undefined)
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const does = conduct(path, arrivals.filter((arrival) => arrival.path === path).length)
      const took = does.startsWith('takes')
      arrivals.push({
        path,
        method,
        body: Buffer.concat(pieces).toString(),
        took,
        answered: does === 'takes',
      })
      CONDUCTS[does](outgoing)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const CONDUCTS: Readonly<Record<Conduct, (outgoing: ServerResponse) => unknown>> = {
  takes: (outgoing) => outgoing.writeHead(200).end('ok'),
  fails: (outgoing) => outgoing.writeHead(503).end('busy'),
  'asks to wait': (outgoing) => outgoing.writeHead(429, { 'retry-after': '40' }).end(),
  forbids: (outgoing) => outgoing.writeHead(403).end(),
  drops: (outgoing) => outgoing.destroy(),
  stalls: () => undefined,
  'takes and drops': (outgoing) => outgoing.destroy(),
  'takes and cuts the answer': (outgoing) => {
    outgoing.writeHead(200, { 'content-length': '100' })
    outgoing.write('o', () => outgoing.destroy())
  },
}
