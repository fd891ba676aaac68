import { describe, expect } from 'vitest'
import type { Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { hardTest } from '../support/hard.ts'
import { keepingPool } from '../support/keeping-pool.ts'
import { live } from '../support/register.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

type Call = { id: number; method: string; params: readonly unknown[] }

/** Answers calls in the place of the execution endpoint; undefined lets the question through. */
function answering(effects: Effects, instead: (call: Call) => { result: unknown } | undefined): Effects {
  const request = async (asked: HttpRequest): Promise<HttpReply> => {
    const call = asked.body?.startsWith('{') === true ? (JSON.parse(asked.body) as Call) : undefined
    const answer = call === undefined ? undefined : instead(call)
    if (call === undefined || answer === undefined) return effects.http.request(asked)
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer }))
    return { status: 200, headers: { 'content-type': 'application/json' }, body: new Uint8Array(body) }
  }
  return { ...effects, http: { request } }
}

const count = (world: World, types: readonly string[]) =>
  world.journal().filter(({ type }) => types.includes(type)).length

/** Lets a process try for some hundred slots. */
async function liveLong(world: World, mutate: (effects: Effects) => Effects): Promise<number> {
  const { clock } = world
  const { ending } = await live(world, world.begin({ mutate }), { patienceSeconds: 320 })
  expect(ending).toMatchObject({ end: 'waiting', step: 'deposit' })
  return clock.monotonicMs() / 1000
}

/** Nothing ever becomes final: the payment stays in sight of whoever flaps. */
const NEVER_FINAL = (call: Call) =>
  call.method === 'eth_getBlockByNumber' && call.params[0] === 'finalized' ? { result: null } : undefined

const PERIODS = [
  ['every slot', 1],
  ['every fourth slot', 4],
  ['every twelfth slot', 12],
] as const

describe('for hundreds of slots', () => {
  hardTest.each(PERIODS)(
    'an endpoint that forgets and finds the receipt again %s writes few lines',
    async (_, period) => {
      const world = await openWorld()
      let asked = 0
      const slots = await liveLong(world, (effects) =>
        answering(effects, (call) => {
          if (call.method === 'eth_getTransactionReceipt') {
            asked += 1
            if (Math.floor(asked / period) % 2 === 0) return { result: null }
          }
          return NEVER_FINAL(call)
        }),
      )
      expect(slots).toBeGreaterThan(300)
      expect(count(world, ['deposit.included', 'deposit.orphaned'])).toBeLessThanOrEqual(12)
      expect(count(world, ['deposit.handed-over', 'deposit.ended'])).toBeLessThanOrEqual(10)
    },
  )

  hardTest('an endpoint that keeps the bytes to itself gets them again and again, in few lines', async () => {
    const world = await openWorld()
    const pool = keepingPool(() => true)
    const slots = await liveLong(world, pool.mutate)
    expect(slots).toBeGreaterThan(300)
    const attempts = world
      .journal()
      .filter(({ type }) => type === 'deposit.handed-over')
      .map(({ data }) => data.attempt)
    expect(attempts).toEqual([1, 2, 4, 8, 16, 32, 64, 128].slice(0, attempts.length))
    expect(attempts.length).toBeGreaterThan(5)
    expect(pool.kept).toHaveLength(1)
  })
})
