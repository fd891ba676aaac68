import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../../src/core/base/effects/effects.ts'
import { createNodeHttp } from '../../../src/core/base/effects/node-http.ts'
import { ClientError } from '../../../src/core/base/errors/client.ts'
import { getBalance, getChainId } from '../../../src/core/clients/execution/chain.ts'
import { createExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { sendRawTransaction } from '../../../src/core/clients/execution/transactions.ts'
import { getGenesis } from '../../../src/core/clients/node/chain.ts'
import { createNodeClient, type NodeClient } from '../../../src/core/clients/node/client.ts'
import { getNodeSyncing } from '../../../src/core/clients/node/node.ts'
import { saidNext } from '../../support/said.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Real HTTP, pauses that take no time but are written down. */
function world() {
  const pauses: number[] = []
  const sleep: Clock['sleep'] = async (delayMs) => {
    pauses.push(delayMs)
  }
  const clock: Clock = { nowMs: () => 0, monotonicMs: () => 0, sleep }
  return {
    pauses,
    effects: { http: createNodeHttp(), clock, random: { bytes: (length: number) => new Uint8Array(length) } },
  }
}

const json = (response: ServerResponse, body: string, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(body)
}

async function askWith(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  let asked = 0
  const url = await serve((request, response) => {
    asked += 1
    answer(response, request)
  })
  const { effects, pauses } = world()
  const fault = await faultOf(getChainId(createExecutionClient(effects, `${url}/v2/secret-key?token=secret`)))
  return { fault, asked, pauses }
}

async function faultOf(run: Promise<unknown>): Promise<ClientError> {
  const thrown: unknown = await run.then(
    (value) => `accepted ${String(value)}`,
    (fault) => fault,
  )
  if (thrown instanceof ClientError) return thrown
  throw new Error(`expected a ClientError, got ${String(thrown)}`)
}

describe('a reply of the execution RPC', () => {
  test('is read when it is what was asked for', async () => {
    const url = await serve((_, response) => json(response, '{"jsonrpc":"2.0","id":1,"result":"0x138de"}'))
    expect(await getChainId(createExecutionClient(world().effects, url))).toBe(80094)
  })

  test.each([
    ['{}', 'malformed'],
    ['', 'says-nothing'],
    ['[]', 'malformed'],
    ['\ufeff{"jsonrpc":"2.0","id":1,"result":"0x138de"}', 'malformed'],
    ['null', 'malformed'],
    ['"ok"', 'malformed'],
    ['{"jsonrpc":"2.0","id":1}', 'malformed'],
    ['{"jsonrpc":"2.0","id":2,"result":"0x1"}', 'malformed'],
    ['{"jsonrpc":"2.0","id":"1","result":"0x1"}', 'malformed'],
    ['{"jsonrpc":"2.0","id":null,"result":"0x1"}', 'malformed'],
    ['{"jsonrpc":"1.0","id":1,"result":"0x1"}', 'malformed'],
    ['{"id":1,"result":"0x1"}', 'malformed'],
    ['{"jsonrpc":"2.0","id":1,"result":"0x1","error":{"code":1,"message":"x"}}', 'malformed'],
    ['{"jsonrpc":"2.0","id":1,"result":"0x1","result":"0x2"}', 'malformed'],
    ['{"jsonrpc":"2.0","id":1,"result":"0x1"', 'malformed'],
    ['{"jsonrpc":"2.0","id":1,"result":"0x1"} {}', 'malformed'],
    ['{"jsonrpc":"2.0","id":1,"result":null}', 'malformed'],
    ['{"jsonrpc":"2.0","id":1,"result":"1"}', 'malformed'],
    ['{"jsonrpc":"2.0","id":1,"result":1}', 'malformed'],
    ['{"jsonrpc":"2.0","id":1,"result":"0x01"}', 'malformed'],
    ['{"jsonrpc":"2.0","id":1,"result":"0x20000000000000"}', 'malformed'],
    [`{"jsonrpc":"2.0","id":1,"result":${'['.repeat(40)}${']'.repeat(40)}}`, 'malformed'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}', 'not-offered'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}', 'bad-request'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"nonce too low"}}', 'rejected'],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0x0e1eddda"}}',
      'reverted',
    ],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"execution reverted"}}', 'reverted'],
    ['{"jsonrpc":"2.0","id":1,"error":"no"}', 'malformed'],
  ])('%s is %s', async (body, expected) => {
    expect((await askWith((response) => json(response, body))).fault.fault).toBe(expected)
  })

  test('that refuses the host name names the setting of the client, and no key', async () => {
    const answer = async (body: string) => {
      const { fault } = await askWith((response) => {
        response.writeHead(403, { 'content-type': 'text/plain' })
        response.end(body)
      })
      return fault
    }
    const refused = await answer('invalid host specified\n')
    expect([refused.fault, refused.status]).toEqual(['unauthorized', 403])
    expect(saidNext(refused.nextSteps).join()).toContain('--http.vhosts')
    expect(saidNext((await answer('forbidden\n')).nextSteps).join()).not.toContain('--http.vhosts')
  })

  test.each([
    [401, 'unauthorized', 1],
    [403, 'unauthorized', 1],
    [404, 'not-offered', 1],
    [400, 'bad-request', 1],
    [500, 'failed', 3],
    [502, 'failed', 3],
    [429, 'rate-limited', 3],
    [204, 'bad-request', 1],
  ])('with status %i is %s, asked %i times', async (status, expected, times) => {
    const { fault, asked } = await askWith((response) => {
      response.writeHead(status, { 'content-type': 'text/html' })
      response.end(status === 204 ? undefined : '<html>no</html>')
    })
    expect([fault.fault, fault.status, asked]).toEqual([expected, status, times])
  })

  test('of another content type is not read', async () => {
    const { fault } = await askWith((response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
    })
    expect(fault.fault).toBe('malformed')
    expect(fault.details.join(' ')).toContain('text/html')
  })

  test('carries the data of a refusal by the contract', async () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0xC4142B41"}}'
    expect((await askWith((response) => json(response, body))).fault.data).toBe('0xc4142b41')
  })

  test('never shows secrets of the URL, or text that could drive the terminal', async () => {
    const message = '\\u001b[2J\\u001b]0;owned\\u0007\\r\\u202eALREADY SENT'
    const body = `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"${message}${'x'.repeat(5000)}"}}`
    const { fault } = await askWith((response) => json(response, body))
    const shown = [fault.message, ...fault.details, ...saidNext(fault.nextSteps)].join(' ')
    expect(shown).not.toMatch(/secret|\p{Cc}(?<!\n)|\u202e/u)
    expect(shown.length).toBeLessThan(800)
  })

  test.each([
    [
      'in the words of an error',
      (said: string) => `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"${said}"}}`,
      200,
    ],
    [
      'far behind in them',
      (said: string) =>
        `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"${'no '.repeat(60)}${said}"}}`,
      200,
    ],
    ['in place of a number', (said: string) => `{"jsonrpc":"2.0","id":1,"result":"${said}"}`, 200],
    [
      'where a long text is cut off',
      (said: string) => `{"jsonrpc":"2.0","id":1,"result":"${'no '.repeat(15)}${said}"}`,
      200,
    ],
    [
      'in the error of another service',
      (said: string) => `{"error":{"code":-32000,"message":"POST ${said}"},"id":1,"jsonrpc":"2.0"}`,
      500,
    ],
  ])('never shows the key of its address when it says that back %s', async (_, bodyOf, status) => {
    const { fault } = await askWith((response, { url = '' }) => json(response, bodyOf(url), status))
    const shown = [fault.message, ...fault.details, fault.said ?? ''].join(' ')
    expect(shown).not.toMatch(/secret|secre/i)
    expect(shown).toContain(fault.endpoint)
  })

  test('never shows a key of few letters when it is said back, and leaves other words and numbers', async () => {
    const url = await serve((_, response) => {
      const said = 'no key w4t for /7/Qx, see api?pin=5: 7 of 15 used, tokenqx'
      json(response, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"${said}"}}`)
    })
    const { effects } = world()
    const fault = await faultOf(getChainId(createExecutionClient(effects, `${url}/7/Qx?key=w4t&pin=5`)))
    expect(fault.said).toBe('no key *** for ***, see api?pin=***: 7 of 15 used, tokenqx')
  })

  test('never shows the key of its address where that is its content type', async () => {
    const { fault } = await askWith((response, { url = '' }) => {
      response.writeHead(200, { 'content-type': `text/plain; from=${url}` })
      response.end('no')
    })
    expect(fault.details.join(' ')).toContain('text/plain; from=***')
  })

  test('is asked for again after pauses that grow, or as long as the endpoint says, unless that is long', async () => {
    const again = await askWith((response) => {
      response.writeHead(503)
      response.end()
    })
    expect(again.pauses).toEqual([125, 250])
    const wait = (seconds: string) =>
      askWith((response) => {
        response.writeHead(429, { 'retry-after': seconds })
        response.end()
      })
    expect((await wait('7')).pauses).toEqual([7000, 7000])
    expect((await wait('9')).pauses).toEqual([])
  })

  test('that came on the second try counts', async () => {
    let asked = 0
    const url = await serve((request, response) => {
      asked += 1
      if (asked === 1) request.socket.destroy()
      else json(response, '{"jsonrpc":"2.0","id":1,"result":"0xde0b6b3a7640000"}')
    })
    const client = createExecutionClient(world().effects, url)
    expect(await getBalance(client, { address: `0x${'11'.repeat(20)}` })).toBe(10n ** 18n)
  })
})

describe('a signed transaction', () => {
  test.each([
    ['says-nothing', (response: ServerResponse) => response.destroy()],
    ['failed', (response: ServerResponse) => json(response, '<html>', 502)],
    ['rate-limited', (response: ServerResponse) => json(response, '{}', 429)],
  ])('is sent once and never again by itself (%s)', async (_, answer) => {
    let asked = 0
    const url = await serve((_request, response) => {
      asked += 1
      answer(response)
    })
    const client = createExecutionClient(world().effects, url)
    await faultOf(sendRawTransaction(client, { rawTransaction: '0x02' }))
    expect(asked).toBe(1)
  })
})

describe('the node API', () => {
  const syncing: (client: NodeClient) => Promise<unknown> = getNodeSyncing
  const nodeFault = async (status: number, body: string, ask = syncing) => {
    const url = await serve((_, response) => json(response, body, status))
    return (await faultOf(ask(createNodeClient(world().effects, url, { proofNamespace: 'bkit/v1' })))).fault
  }

  test('keeps the path and the key of its address', async () => {
    const seen: string[] = []
    const url = await serve((request, response) => {
      seen.push(request.url ?? '')
      json(response, '{}')
    })
    const client = createNodeClient(world().effects, `${url}/key/?token=a#x`, { proofNamespace: 'bkit/v1' })
    await faultOf(getGenesis(client))
    await faultOf(
      client.ask({
        path: ['a/b', '..'],
        query: [
          ['id', '1'],
          ['id', '2&x=y'],
        ],
        decode: () => {
          throw new ClientError('failed', { service: 'node API', endpoint: '', what: '' })
        },
      }),
    )
    expect(seen[0]).toBe('/key/eth/v1/beacon/genesis?token=a')
    expect(seen[1]).toContain('id=1&id=2%26x%3Dy')
    expect(client.label).toBe(url)
  })

  test('is not offering, not ready, not knowing or failing', async () => {
    const message = (text: string) => JSON.stringify({ code: 500, message: text })
    const unlike = message('this is not yet implemented, said somebody')
    const unimplemented = message('endpoint /x is not yet implemented')
    const early = message('beacond is not ready; please wait for first block')
    expect(await nodeFault(500, unimplemented)).toBe('not-offered')
    expect(await nodeFault(500, message('endpoint /x is deprecated'))).toBe('not-offered')
    expect(await nodeFault(501, '')).toBe('not-offered')
    expect(await nodeFault(404, '{"message":"Not Found"}')).toBe('not-offered')
    expect(await nodeFault(404, '{"code":404,"message":"not found"}')).toBe('not-found')
    // Genesis is what every node knows but one that waits for its first block, which says 404.
    expect(await nodeFault(404, '{"code":404,"message":"not found"}', getGenesis)).toBe('not-ready')
    expect(await nodeFault(500, early)).toBe('not-ready')
    expect(await nodeFault(500, message('slot not found at timestamp: 1'))).toBe('failed')
    expect(await nodeFault(500, unlike)).toBe('failed')
    expect(await nodeFault(400, message('x'))).toBe('bad-request')
    expect(await nodeFault(200, '{}')).toBe('malformed')
    expect(await nodeFault(200, '')).toBe('says-nothing')
  })
})
