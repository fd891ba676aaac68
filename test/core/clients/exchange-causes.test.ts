import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createNodeEffects } from '../../../src/core/base/effects/node.ts'
import { ClientError, type ClientErrorParts, type ClientFault } from '../../../src/core/base/errors/client.ts'
import { HttpError, httpError } from '../../../src/core/base/errors/http.ts'
import { getChainId } from '../../../src/core/clients/execution/chain.ts'
import { createExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { noSigner } from '../../support/offline.ts'
import { saidNext } from '../../support/said.ts'

const servers: { server: Server; sockets: Set<Socket> }[] = []
afterAll(() => {
  for (const { server, sockets } of servers) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  servers.push({ server, sockets })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const http = (answer: (response: ServerResponse) => void) =>
  createHttpServer((request, response) => request.resume().on('end', () => answer(response)))
const replying = (status: number, type: string, body: string, headers: Record<string, string> = {}) =>
  http((response) => {
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(body)
  })
const raw = (answer: (socket: Socket) => void) =>
  createNetServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
const pem = (name: string) => readFileSync(join(import.meta.dirname, `../../vectors/tls/${name}.pem`))
const tls = () => createTlsServer({ key: pem('key'), cert: pem('cert') })

const ALERT = Buffer.from('1503030002020a', 'hex')
const CUT =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"jsonrpc":"2.0","id":1'
const UNKNOWN_METHOD = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}'

type Told = [fault: ClientFault, parts: Partial<ClientErrorParts>]
const told: readonly [what: string, scheme: 'http' | 'https', server: () => Server, (at: string) => Told][] =
  [
    [
      'https to a port without TLS',
      'https',
      () => replying(200, 'application/json', '{}'),
      (at) => ['unusable', { exchange: httpError('http.no-tls', at, '') }],
    ],
    [
      'http to a port that answers with an alert of TLS',
      'http',
      () => raw((socket) => socket.end(ALERT)),
      (at) => ['unusable', { exchange: httpError('http.needs-tls', at) }],
    ],
    [
      'http to a TLS port that closes',
      'http',
      tls,
      (at) => ['says-nothing', { exchange: httpError('http.closed', at, '', 0) }],
    ],
    [
      'http to a TLS port of Go',
      'http',
      () => replying(400, 'text/plain', 'Client sent an HTTP request to an HTTPS server.\n'),
      () => ['unusable', { shows: 'tls-port' }],
    ],
    [
      'http to a TLS port of nginx',
      'http',
      () =>
        replying(400, 'text/html', '<html><title>400 The plain HTTP request was sent to HTTPS port</title>'),
      () => ['unusable', { shows: 'tls-port' }],
    ],
    [
      'a certificate that nobody vouches for',
      'https',
      tls,
      (at) => ['unusable', { exchange: httpError('http.tls', at, 'DEPTH_ZERO_SELF_SIGNED_CERT') }],
    ],
    [
      'the Engine API',
      'http',
      () => replying(401, 'text/plain', 'missing token\n'),
      () => ['unauthorized', { shows: 'engine-port' }],
    ],
    [
      'a method that is not offered, said with 403',
      'http',
      () => replying(403, 'application/json', UNKNOWN_METHOD),
      () => ['not-offered', {}],
    ],
    ['403 without a word', 'http', () => replying(403, 'text/plain', ''), () => ['unauthorized', {}]],
    [
      'an answer that is cut',
      'http',
      () => raw((socket) => socket.end(CUT)),
      (at) => ['says-nothing', { exchange: httpError('http.closed', at, '', 23) }],
    ],
    [
      'a redirect',
      'http',
      () => replying(301, 'text/plain', '', { location: 'https://rpc.example/x' }),
      (at) => ['unusable', { exchange: httpError('http.redirect', at, 301, 'https://rpc.example:443') }],
    ],
    [
      'a web page',
      'http',
      () => replying(200, 'text/html', '<html>'),
      () => ['malformed', { shows: 'web-page' }],
    ],
    ['a gateway', 'http', () => replying(502, 'text/html', '<html>'), () => ['failed', { shows: 'gateway' }]],
    [
      'a limit with a time',
      'http',
      () => replying(429, 'text/plain', '', { 'retry-after': '30' }),
      () => ['rate-limited', { retryAfterMs: 30_000 }],
    ],
  ]

describe('why an exchange with an endpoint failed is told in one sentence', () => {
  test.each(told)('%s', async (_what, scheme, server, expected) => {
    const endpoint = `${scheme}://${await listen(server())}`
    const effects = createNodeEffects({ signer: noSigner })
    const thrown: unknown = await getChainId(createExecutionClient(effects, endpoint)).catch(
      (fault: unknown) => fault,
    )
    const [fault, parts] = expected(endpoint)
    const like = new ClientError(fault, { service: 'execution RPC', endpoint, what: 'eth_chainId', ...parts })
    expect(thrown).toMatchObject({
      code: `client.${fault}`,
      shortMessage: like.shortMessage,
      nextSteps: like.nextSteps,
    })
  })

  test('each by another sentence', () => {
    const at = 'http://127.0.0.1:1'
    const sentences = told.map(([, , , expected]) => {
      const [fault, parts] = expected(at)
      return new ClientError(fault, { service: 'execution RPC', endpoint: at, what: '', ...parts })
        .shortMessage
    })
    // Go and nginx say the same.
    expect(new Set(sentences).size).toBe(told.length - 1)
  })
})

/** What a client says of an endpoint whose exchange ends so. */
async function saidOf(fault: HttpError): Promise<string> {
  const effects = {
    ...createNodeEffects({ signer: noSigner }),
    http: { request: () => Promise.reject(fault) },
  }
  const thrown: unknown = await getChainId(createExecutionClient(effects, fault.endpoint)).catch((one) => one)
  if (!(thrown instanceof ClientError)) throw new Error('it answered')
  return [thrown.shortMessage, ...saidNext(thrown.nextSteps)].join(' ')
}

test('a certificate of an unknown authority names the variable that makes it known', async () => {
  const url = 'https://rpc.example'
  expect(await saidOf(httpError('http.tls', url, 'SELF_SIGNED_CERT_IN_CHAIN'))).toContain(
    'NODE_EXTRA_CA_CERTS',
  )
  expect(await saidOf(httpError('http.tls', url, 'CERT_HAS_EXPIRED'))).not.toContain('NODE_EXTRA_CA_CERTS')
})

test('a redirect names its target, so that it can be given', async () => {
  const said = await saidOf(httpError('http.redirect', 'https://rpc.example', 301, 'https://other.example'))
  expect(said).toContain('https://other.example')
})

describe('a proxy that is set and not used', () => {
  test('is named where an endpoint elsewhere does not answer', async () => {
    const fault = httpError('http.unreachable', 'https://rpc.example', 'ETIMEDOUT', 'HTTPS_PROXY')
    expect(await saidOf(fault)).toContain('HTTPS_PROXY')
    const late = httpError('http.timeout', 'https://rpc.example', 1000, 'late', 'HTTPS_PROXY')
    expect(await saidOf(late)).toContain('HTTPS_PROXY')
  })

  test('is not what keeps an endpoint of this computer from answering', async () => {
    const { http } = createNodeEffects({ signer: noSigner })
    const proxyOf = (url: string) =>
      http
        .request({ method: 'GET', url, deadlineMs: 5000, maxBytes: 1000 })
        .catch((thrown) => (thrown instanceof HttpError ? thrown.proxy : thrown))
    vi.stubEnv('HTTP_PROXY', 'http://proxy.example:3128')
    expect([await proxyOf('http://0.0.0.0:1'), await proxyOf('http://127.0.0.1:1')]).toEqual([
      'HTTP_PROXY',
      undefined,
    ])
    vi.unstubAllEnvs()
  })
})
