import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Effects, Http } from '../../src/core/base/effects/effects.ts'
import { createNodeHttp } from '../../src/core/base/effects/node-http.ts'
import { HttpError } from '../../src/core/base/errors/http.ts'
import { type LoopbackServer, loopbackServer } from '../../src/devnet/loopback-server.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import type { Insight } from './lie.ts'
import { WIRE_LIES } from './lies/of-any-service.ts'
import { type LyingProxy, responderOf, startProxy, tellingEffects } from './proxy.ts'
import { textOf } from './wire.ts'

const TRUTH = JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' })
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })

let service: LoopbackServer
let stranger: LoopbackServer
let proxy: LyingProxy
let askedOfStranger = 0

beforeAll(async () => {
  service = await loopbackServer(() => ({ status: 200, contentType: 'application/json', body: TRUTH }))
  stranger = await loopbackServer(() => {
    askedOfStranger += 1
    return { status: 200, contentType: 'application/json', body: TRUTH }
  })
  proxy = await startProxy(service.url)
})
afterAll(async () => {
  proxy.close()
  await Promise.all([service.close(), stranger.close()])
})

const insight = (): Insight => ({
  pubkey: '0x',
  account: '0x',
  withdrawalCredentials: '0x',
  elsewhere: `${stranger.url}/`,
  ask: async () => undefined,
})

/** What a question comes to: the fault, or the reply. */
async function outcome(http: Http, url: string, deadlineMs: number) {
  const request = { method: 'POST', url: `${url}/`, body: CALL, deadlineMs, maxBytes: 1024 * 1024 } as const
  try {
    const reply = await http.request(request)
    return { status: reply.status, type: reply.headers['content-type'], text: textOf(reply) }
  } catch (thrown) {
    if (!(thrown instanceof HttpError)) throw thrown
    const { fault, nothingSent, details } = thrown
    return { fault, nothingSent, target: details.find((line) => line.startsWith('points to')) }
  }
}

describe('a liar in the process is as one on the wire:', () => {
  test.each(WIRE_LIES)('%s', async (_, telling) => {
    const responder = responderOf(
      () => ({ '*': telling }),
      insight(),
      () => true,
    )
    proxy.tell(responder)
    const real = createNodeHttp()
    const inside = tellingEffects({ http: real } as Effects, service.url, virtualClock(), responder)
    const onTheWire = await outcome(real, proxy.url, 300)
    const inTheProcess = await outcome(inside.http, service.url, 8000)
    const self = (target: string | undefined) => target?.replace(proxy.url, service.url)
    expect(inTheProcess).toEqual(
      'target' in onTheWire ? { ...onTheWire, target: self(onTheWire.target) } : onTheWire,
    )
    expect(askedOfStranger, 'questions to whom a redirect points').toBe(0)
  })
})

test('a proxy that tells nothing passes everything on', async () => {
  proxy.tell(undefined)
  const direct = await outcome(createNodeHttp(), service.url, 8000)
  expect(await outcome(createNodeHttp(), proxy.url, 8000)).toEqual(direct)
})
