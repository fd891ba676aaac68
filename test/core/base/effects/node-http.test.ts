import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../../src/core/base/effects/effects.ts'
import { createNodeHttp } from '../../../../src/core/base/effects/node-http.ts'
import { HttpError } from '../../../../src/core/base/errors/http.ts'
import { saidNext } from '../../../support/said.ts'

const http = createNodeHttp({ userAgent: 'bearings-test' })
const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function listening(server: Server, host = '127.0.0.1') {
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(listener)
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${await listening(server, host)}`
}

/** Where nobody listens by IPv4: another program of this computer may have any port there. */
async function serveOnlyOnIpv6(listener: RequestListener): Promise<string> {
  for (;;) {
    const url = await serve(listener, '::1')
    const beside = createRawServer()
    const isFree = await new Promise<boolean>((resolve) => {
      beside
        .once('error', () => resolve(false))
        .listen(Number(new URL(url).port), '127.0.0.1', () => resolve(true))
    })
    await new Promise((resolve) => {
      beside.close(resolve)
    })
    if (isFree) return url
  }
}

async function serveRaw(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createRawServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => onSocket(socket))
  })
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${await listening(server)}`
}

function get(url: string, more: Partial<HttpRequest> = {}) {
  return http.request({ method: 'GET', url, deadlineMs: 5000, maxBytes: 1000, ...more })
}

async function faultOf(run: Promise<unknown>): Promise<HttpError> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (thrown instanceof HttpError) return thrown
  throw new Error(`expected an HttpError, got ${String(thrown)}`)
}

describe('an HTTP exchange', () => {
  test('gives status, headers in lower case and the body', async () => {
    const url = await serve((request, response) => {
      response.writeHead(404, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ path: request.url, agent: request.headers['user-agent'] }))
    })
    const reply = await get(`${url}/a?b=1`)
    expect(reply.status).toBe(404)
    expect(reply.headers['content-type']).toBe('application/json')
    expect(JSON.parse(new TextDecoder().decode(reply.body))).toEqual({
      path: '/a?b=1',
      agent: 'bearings-test',
    })
  })

  test('posts a body with its length in bytes', async () => {
    const url = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => response.write(chunk))
      request.on('end', () => response.end(` ${request.headers['content-length']}`))
    })
    const reply = await get(url, { method: 'POST', body: '"é"' })
    expect(new TextDecoder().decode(reply.body)).toBe('"é" 4')
  })

  test('tries IPv6 and IPv4 for localhost', async () => {
    const v4 = new URL(await serve((_, response) => response.end('4')))
    const v6 = new URL(await serveOnlyOnIpv6((_, response) => response.end('6')))
    expect(new TextDecoder().decode((await get(`http://localhost:${v4.port}/`)).body)).toBe('4')
    expect(new TextDecoder().decode((await get(`http://localhost:${v6.port}/`)).body)).toBe('6')
  })

  test('takes a body of exactly the cap and cuts one byte more, announced or not', async () => {
    const sized = (length: number) => serve((_, response) => response.end('x'.repeat(length)))
    expect((await get(await sized(1000))).body).toHaveLength(1000)
    expect((await faultOf(get(await sized(1001)))).fault).toBe('too-large')
    const endless = await serve((_, response) => {
      const more = () => {
        while (response.write('x'.repeat(10_000)));
        response.once('drain', more)
      }
      more()
    })
    expect((await faultOf(get(endless, { maxBytes: 1_000_000 }))).fault).toBe('too-large')
  })

  test('ends at the deadline though bytes keep dripping', async () => {
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(timer))
    })
    expect((await faultOf(get(url, { deadlineMs: 200 }))).fault).toBe('timeout')
  })

  test('ends at the deadline when headers never come', async () => {
    const url = await serve(() => undefined)
    expect((await faultOf(get(url, { deadlineMs: 100 }))).fault).toBe('timeout')
  })

  test.each([301, 302, 303, 307, 308])(
    'does not follow a %i and shows only where it points',
    async (status) => {
      let asked = 0
      const url = await serve((_, response) => {
        asked += 1
        response.writeHead(status, { location: 'https://user:secret@elsewhere.example/key/abc?token=1' })
        response.end()
      })
      const fault = await faultOf(get(url))
      expect(fault.fault).toBe('redirect')
      expect(fault.message).toContain('https://elsewhere.example:443')
      expect(fault.message).not.toMatch(/secret|abc|token/)
      expect(asked).toBe(1)
    },
  )

  test('says closed when the connection ends without a reply', async () => {
    expect((await faultOf(get(await serveRaw((socket) => socket.end())))).fault).toBe('closed')
    expect((await faultOf(get(await serveRaw((socket) => socket.resetAndDestroy())))).fault).toBe('closed')
  })

  test('says closed when the body is cut', async () => {
    const url = await serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{"a":'))
    const fault = await faultOf(get(url))
    expect(fault.fault).toBe('closed')
    expect(fault.details).toContain('received: 5 bytes')
  })

  test('says not-http when something else talks', async () => {
    expect((await faultOf(get(await serveRaw((socket) => socket.end('SSH-2.0-x\r\n'))))).fault).toBe(
      'not-http',
    )
  })

  test('says unreachable when nothing listens, and shows no part of the URL but the address', async () => {
    const url = new URL(await serve((_, response) => response.end()))
    for (const close of closers.splice(0)) close()
    const fault = await faultOf(get(`http://user:secret@127.0.0.1:${url.port}/v2/key?token=abc`))
    expect(fault.fault).toBe('unreachable')
    expect(fault.endpoint).toBe(`http://127.0.0.1:${url.port}`)
    expect(`${fault.message} ${saidNext(fault.nextSteps).join(' ')}`).not.toMatch(/secret|key|token|abc/)
  })

  test('refuses a certificate that nobody vouches for', async () => {
    const pem = (name: string) => readFileSync(new URL(`../../../vectors/tls/${name}.pem`, import.meta.url))
    const server = createSecureServer({ key: pem('key'), cert: pem('cert') }, (_, response) =>
      response.end('{}'),
    )
    closers.push(() => server.close())
    expect((await faultOf(get(`https://localhost:${await listening(server)}`))).fault).toBe('tls')
  })

  test.each(['file:///etc/hosts', 'ws://127.0.0.1:1', 'data:,x', '127.0.0.1:8545', ''])(
    'refuses %s',
    async (url) => {
      expect((await faultOf(get(url))).fault).toBe('bad-url')
    },
  )

  test('ends with the reason of the signal', async () => {
    const url = await serve(() => undefined)
    const stop = new AbortController()
    const run = get(url, { signal: stop.signal })
    stop.abort(new Error('left the step'))
    await expect(run).rejects.toThrow('left the step')
    await expect(get(url, { signal: stop.signal })).rejects.toThrow('left the step')
  })

  test('ends with the reason of the signal while a reply drips, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      response.on('close', closed.resolve)
    })
    const stop = new AbortController()
    const taken = Promise.withResolvers<void>()
    const run = get(url, { signal: stop.signal, sink: () => taken.resolve() })
    await taken.promise
    stop.abort(new Error('left the step'))
    await expect(run).rejects.toThrow('left the step')
    await closed.promise
  })
})
