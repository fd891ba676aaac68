import { expect, test } from 'vitest'
import type { HttpReply, HttpRequest } from '../../../src/core/base/effects/effects.ts'
import { tellWaits } from '../../../src/core/clients/tell-waits.ts'

const REPLY: HttpReply = { status: 200, headers: {}, body: new Uint8Array() }
const ask = { method: 'GET', url: 'http://a.example:1/x?key=secret', deadlineMs: 8000, maxBytes: 10 } as const

/** A world in which each reply takes so long. */
function world(afterMs: number, reply: Partial<HttpReply> = {}) {
  const told: [string, number | undefined][] = []
  const timers = new Map<() => void, number>()
  const pass = () => {
    for (const [run, atMs] of timers) if (atMs <= afterMs) run()
  }
  const request = async (_asked: HttpRequest) => {
    pass()
    return { ...REPLY, ...reply }
  }
  const effects = tellWaits(
    { http: { request } },
    (endpoint, askedMs) => told.push([endpoint, askedMs]),
    (delayMs, run) => {
      timers.set(run, delayMs)
      return { cancel: () => timers.delete(run) }
    },
  )
  return { effects, told, timers }
}

test.each([
  [3000, [['http://a.example:1', undefined]]],
  [2900, []],
])(
  'an endpoint that takes %i ms each time is told once, without its key, from 3 s on',
  async (ms, expected) => {
    const { effects, told, timers } = world(ms)
    await effects.http.request(ask)
    await effects.http.request(ask)
    expect(told).toEqual(expected)
    expect(timers.size).toBe(0)
  },
)

test.each([
  ['30', [['http://a.example:1', 30_000]]],
  ['1', []],
  ['Wed, 21 Oct 2015 07:28:00 GMT', []],
])('one that asks to wait for %s is told with the seconds, from 3 s on', async (after, expected) => {
  const { effects, told } = world(0, { status: 429, headers: { 'retry-after': after } })
  await effects.http.request(ask)
  expect(told).toEqual(expected)
})
