import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../../src/core/base/effects/effects.ts'
import { createNodeHttp } from '../../../../src/core/base/effects/node-http.ts'
import { HttpError, httpError } from '../../../../src/core/base/errors/http.ts'

const http = createNodeHttp()
const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What the sink got, and how the exchange ended. */
async function take(url: string, more: Partial<HttpRequest> = {}) {
  const pieces: Uint8Array[] = []
  const request: HttpRequest = {
    method: 'GET',
    url,
    deadlineMs: 5000,
    maxBytes: 1_000_000,
    sink: (piece) => pieces.push(piece),
    ...more,
  }
  const end = await http.request(request).then(
    (reply) => ({ reply, thrown: undefined }),
    (thrown: unknown) => ({ reply: undefined, thrown }),
  )
  return { ...end, body: Buffer.concat(pieces).toString(), pieces: pieces.length }
}

const faultOf = (thrown: unknown) => (thrown instanceof HttpError ? thrown.fault : String(thrown))

describe('a body handed on in pieces', () => {
  test('comes whole, in order and in more than one piece; the reply itself stays empty', async () => {
    const text = Array.from({ length: 50_000 }, (_, at) => `${at},`).join('')
    const got = await take(await serve((_, response) => response.end(text)))
    expect(got.body).toBe(text)
    expect(got.pieces).toBeGreaterThan(1)
    expect(got.reply?.body).toHaveLength(0)
    expect(got.reply?.status).toBe(200)
  })

  test('is that of a 200 only: an error is held as ever', async () => {
    const url = await serve((_, response) => response.writeHead(404).end('{"code":404}'))
    const got = await take(url)
    expect(got.pieces).toBe(0)
    expect(Buffer.from(got.reply?.body ?? []).toString()).toBe('{"code":404}')
  })

  test('is counted against the cap, and an error against a small one', async () => {
    const large = await serve((request, response) => {
      response.writeHead(request.url === '/error' ? 500 : 200)
      for (let turn = 0; turn < 40; turn += 1) response.write('x'.repeat(100_000))
      response.end()
    })
    expect(faultOf((await take(large)).thrown)).toBe('too-large')
    expect((await take(large, { maxBytes: 4_000_000 })).body).toHaveLength(4_000_000)
    expect(faultOf((await take(`${large}/error`, { maxBytes: 4_000_000 })).thrown)).toBe('too-large')
  })

  test('fails with what the sink throws, and asks for no more', async () => {
    let closed: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      closed = resolve
    })
    const url = await serve((_, response) => {
      response.on('close', closed)
      response.write('x'.repeat(1000))
    })
    const fault = new Error('not what was asked for')
    const got = await take(url, {
      sink: () => {
        throw fault
      },
    })
    expect(got.thrown).toBe(fault)
    await gone
  })

  test('ends when nothing more comes for too long, though the deadline is far', async () => {
    const url = await serve((_, response) => void response.write('{"data":['))
    const got = await take(url, { idleMs: 100 })
    expect(faultOf(got.thrown)).toBe('timeout')
    expect(String(got.thrown)).toContain('fell silent')
    expect(got.body).toBe('{"data":[')
  })

  test('does not end while pieces keep coming, until the deadline', async () => {
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(timer))
    })
    const got = await take(url, { idleMs: 200, deadlineMs: 600 })
    expect(got.thrown).toMatchObject({
      fault: 'timeout',
      shortMessage: httpError('http.timeout', url, 600).shortMessage,
    })
  })

  test('that is cut short fails', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    })
    expect(faultOf((await take(url)).thrown)).toBe('closed')
  })
})
