import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createNodeClock } from '../../../src/core/base/effects/node-clock.ts'
import { createNodeHttp } from '../../../src/core/base/effects/node-http.ts'
import { createNodeClient } from '../../../src/core/clients/node/client.ts'
import { getEventStream } from '../../../src/core/clients/node/get-event-stream.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A node that sends the pieces one after the other and then keeps the connection open; `left` when we hang up. */
async function streamingNode(pieces: readonly Buffer[]) {
  const { promise: left, resolve } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    request.socket.once('close', resolve)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (rest: readonly Buffer[]) => {
      const [piece, ...more] = rest
      if (piece !== undefined) response.write(piece, () => setImmediate(send, more))
    }
    send(pieces)
  })
  const { promise: listening, resolve: ready } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', ready)
  await listening
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const effects = {
    http: createNodeHttp(),
    clock: createNodeClock(),
    random: { bytes: (length: number) => new Uint8Array(length) },
  }
  return {
    left,
    client: createNodeClient(effects, `http://127.0.0.1:${port}`, { proofNamespace: 'bkit/v1' }),
  }
}

test('reads the first event of an open stream and hangs up, whatever the pieces are', async () => {
  const text = Buffer.from(
    '\uFEFFid: 1\r\n\r\nevent: head\r\ndata: {"slot":"9","graffiti":"ü"}\r\n\r\nevent: h',
  )
  const { client, left } = await streamingNode([...text].map((byte) => Buffer.of(byte)))
  const heard = await getEventStream(client)
  expect(heard).toEqual({
    kind: 'event',
    event: 'head',
    data: expect.objectContaining({ slot: '9', graffiti: 'ü' }),
  })
  await left
})

test('refuses a stream that fills up without an event', async () => {
  const { client } = await streamingNode([Buffer.from(`: ${'x'.repeat(70_000)}`)])
  await expect(getEventStream(client)).rejects.toMatchObject({ fault: 'too-large' })
})
