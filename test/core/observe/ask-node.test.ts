import { expect, test } from 'vitest'
import type { HttpReply, HttpRequest } from '../../../src/core/base/effects/effects.ts'
import type { Network } from '../../../src/core/chain/network/network.ts'
import { MAINNET } from '../../../src/core/chain/network/presets.ts'
import { createLooker } from '../../../src/core/observe/ask-network.ts'
import { emptyMemory } from '../../../src/core/observe/memory.ts'
import { engineSignerOf } from '../../../src/devnet/consensus/engine.ts'
import { validatorKey } from '../../../src/devnet/keys.ts'
import { clockAt } from '../../support/look-clock.ts'

const KEY = validatorKey('look-node', 'own').pubkey
const START_MS = 1_800_000_000_000

/** What a made-up node says of itself. */
type Said = { ageMs: number; catchingUp?: boolean; peers?: number; key?: string }

/** The looks of a watch at an engine that makes a block in each; what it says follows `said`. */
async function looks(reported: readonly Said[], network: Network = MAINNET) {
  let nowMs = START_MS
  let height = 100
  let now: Said = { ageMs: 0 }
  const key = engineSignerOf(KEY)
  const status = ({ ageMs, catchingUp = false, key: ahead = key.uncompressedBase64 }: Said) => ({
    node_info: { network: 'x', moniker: 'x', version: '1' },
    sync_info: {
      latest_block_height: String(height),
      latest_block_time: new Date(nowMs - ageMs).toISOString(),
      catching_up: catchingUp,
    },
    validator_info: {
      address: key.address,
      pub_key: { type: 'cometbft/PubKeyBls12_381', value: ahead },
      voting_power: '1',
    },
  })
  const answer = (asked: HttpRequest): unknown => {
    const { pathname } = new URL(asked.url)
    if (pathname === '/status') return { jsonrpc: '2.0', id: -1, result: status(now) }
    if (pathname === '/net_info' && now.peers !== undefined)
      return { jsonrpc: '2.0', id: -1, result: { listening: true, n_peers: String(now.peers) } }
    return undefined
  }
  const request = async (asked: HttpRequest): Promise<HttpReply> => {
    const body = answer(asked)
    const text = JSON.stringify(body ?? { code: 500, message: 'endpoint x is not yet implemented' })
    return {
      status: body === undefined ? 500 : 200,
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(text),
    }
  }
  const clock = clockAt(() => nowMs)
  const looker = createLooker({
    effects: { http: { request }, clock } as Parameters<typeof createLooker>[0]['effects'],
    network,
    endpoints: { node: ['http://node'], execution: [], engine: ['http://engine'] },
    validators: [],
    isOwnTransaction: () => false,
  })
  const found = []
  for (const each of reported) {
    now = each
    nowMs += 60_000
    height += 30
    found.push((await looker.look(emptyMemory(network))).node)
  }
  return found
}

const same = (count: number, reported: Said) => Array.from({ length: count }, () => reported)

test.each([
  ['agrees', 900, 0],
  ['is behind', -1500, -1500],
  ['is ahead', 12_000, 10_000],
])('a clock that %s is known after five fresh blocks, and by nothing less', async (_, ageMs, aheadMs) => {
  const found = await looks(same(6, { ageMs }))
  expect(found.map((node) => node?.clockAheadMs)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    aheadMs,
    aheadMs,
  ])
})

test('one block that came late says nothing of the clock', async () => {
  const found = await looks([...same(4, { ageMs: 500 }), { ageMs: 30_000 }])
  expect(found.at(-1)?.clockAheadMs).toBe(0)
})

test('a clock is not compared while the engine catches up, nor where chain time is none of the wall', async () => {
  const catching = await looks(same(6, { ageMs: 90_000, catchingUp: true }))
  expect(catching.at(-1)).toEqual({ catchesUp: true })
  const other = await looks(same(6, { ageMs: 90_000 }), { ...MAINNET, clockIsWall: false })
  expect(other.at(-1)).toEqual({ catchesUp: false })
})

test('an engine that says once that it catches up says nothing yet', async () => {
  const ahead = [false, true, true, false].map((catchingUp) => ({ ageMs: 0, catchingUp }))
  expect((await looks(ahead)).map((node) => node?.catchesUp)).toEqual([false, undefined, true, false])
})

test('an engine whose key is none has said nothing in that look, and the next one goes on', async () => {
  const none = { ageMs: 0, key: Buffer.alloc(96, 1).toString('base64') }
  const found = await looks([{ ageMs: 0 }, none, { ageMs: 0 }])
  expect(found.map((node) => node?.catchesUp)).toEqual([false, undefined, false])
})

test('peers are those of who says; nobody says it: unknown', async () => {
  const found = await looks([...same(4, { ageMs: 0, peers: 7 }), ...same(4, { ageMs: 0, peers: 0 })])
  expect(found[3]?.peers).toEqual({ engine: 7, node: undefined, execution: undefined })
  expect(found.at(-1)?.peers?.engine).toBe(0)
  expect((await looks(same(4, { ageMs: 0 }))).at(-1)?.peers).toBeUndefined()
})
