import { afterEach, describe, expect, test } from 'vitest'
import type { HttpReply, HttpRequest } from '../../../src/core/base/effects/effects.ts'
import { httpError } from '../../../src/core/base/errors/http.ts'
import { createHeadAlarm } from '../../../src/core/clients/heads.ts'
import { createNodeClient } from '../../../src/core/clients/node/client.ts'
import { worldClock } from '../../support/world-clock.ts'

const SLOT_MS = 2000
const HEAD = 'event: head\ndata: {"slot":"9"}\n\n'
const OFF = '{"code":500,"message":"endpoint /eth/v1/events is not yet implemented"}'

const ends: AbortController[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end.abort()
})

/** A node whose stream does as `answer` does. Its time is the world's own. */
function world(answer: (request: HttpRequest, times: number) => Promise<HttpReply>) {
  const clock = worldClock()
  const left: HttpRequest[] = []
  let times = 0
  const http = {
    request(request: HttpRequest) {
      times += 1
      request.signal?.addEventListener('abort', () => left.push(request))
      return answer(request, times)
    },
  }
  const random = { bytes: (length: number) => new Uint8Array(length) }
  const url = 'http://127.0.0.1:3500'
  const node = createNodeClient({ http, clock, random }, url, { proofNamespace: 'bkit/v1' })
  const offers = { node: { has: new Set<string>(), lacks: new Set<string>() } }
  const alarm = createHeadAlarm({ node, offers }, { clock, slotMs: SLOT_MS })
  const end = new AbortController()
  ends.push(end)
  return {
    clock,
    left,
    times: () => times,
    end,
    /** How long each of so many pauses took. */
    async pauses(count: number): Promise<number[]> {
      const lengths: number[] = []
      await clock.flow(async () => {
        for (let pause = 0; pause < count; pause += 1) {
          const beganMs = clock.monotonicMs()
          await alarm.wait(end.signal)
          lengths.push(clock.monotonicMs() - beganMs)
        }
      })
      return lengths
    },
    wait: () => clock.flow(() => alarm.wait(end.signal)),
  }
}

const reply = (status: number, contentType: string, text: string): HttpReply => ({
  status,
  headers: { 'content-type': contentType },
  body: new TextEncoder().encode(text),
})
const stream = (text: string) => reply(200, 'text/event-stream', text)

/** Nothing, until it is hung up on. */
const silence = ({ signal }: HttpRequest) =>
  new Promise<HttpReply>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })

describe('a pause between two looks', () => {
  test('ends with the head that the node tells of', async () => {
    const it = world(async () => {
      await it.clock.sleep(1500)
      return stream(HEAD)
    })
    expect(await it.pauses(3)).toEqual([1500, 1500, 1500])
  })

  test('is never shorter than a quarter of a slot, whatever is told', async () => {
    const it = world(async () => stream(HEAD))
    expect(await it.pauses(4)).toEqual([500, 500, 500, 500])
  })

  test('is a slot where the node has no events, which it is asked for once', async () => {
    const it = world(async () => reply(500, 'application/json', OFF))
    expect(await it.pauses(3)).toEqual([SLOT_MS, SLOT_MS, SLOT_MS])
    expect(it.times()).toBe(1)
  })

  const broken: [string, (request: HttpRequest) => Promise<HttpReply>][] = [
    ['stays silent', silence],
    ['ends at once', async () => stream('')],
    ['tells of something else', async () => stream(HEAD.replace('head', 'block'))],
    ['is no stream', async () => reply(200, 'application/json', '{}')],
    ['says what is no event', async () => stream('event: head\ndata: {bad\n\n')],
    [
      'is out of reach',
      async () => Promise.reject(httpError('http.unreachable', 'http://127.0.0.1:3500', 'ECONNREFUSED')),
    ],
  ]
  test.each(broken)('is a slot while the stream %s, and is soon left alone', async (_what, answer) => {
    const it = world(answer)
    expect(await it.pauses(6)).toEqual(Array(6).fill(SLOT_MS))
    expect(it.times()).toBe(3)
  })

  test('is listened through again after a head', async () => {
    const it = world(async (request, times) => {
      if (times !== 3) return silence(request)
      await it.clock.sleep(1000)
      return stream(HEAD)
    })
    expect(await it.pauses(7)).toEqual([SLOT_MS, SLOT_MS, 1000, SLOT_MS, SLOT_MS, SLOT_MS, SLOT_MS])
    expect(it.times()).toBe(6)
  })

  test('hangs up when it is over', async () => {
    const it = world(silence)
    await it.pauses(1)
    expect(it.left).toHaveLength(1)
  })

  test('ends with its reason when it is given up', async () => {
    const it = world(silence)
    const waiting = it.wait()
    it.end.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    expect(it.left).toHaveLength(1)
  })
})
