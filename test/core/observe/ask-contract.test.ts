import { expect, test } from 'vitest'
import type { HttpReply, HttpRequest } from '../../../src/core/base/effects/effects.ts'
import type { Hex } from '../../../src/core/base/format/hex.ts'
import { DEPOSIT_TOPIC } from '../../../src/core/chain/deposit/abi.ts'
import { MAINNET } from '../../../src/core/chain/network/presets.ts'
import { createLooker } from '../../../src/core/observe/ask-network.ts'
import { emptyMemory } from '../../../src/core/observe/memory.ts'
import type { NetworkPicture } from '../../../src/core/observe/picture.ts'
import { validatorKey } from '../../../src/devnet/keys.ts'
import { depositLog, quantity, word, zeros } from '../../support/deposit-log.ts'
import { clockAt } from '../../support/look-clock.ts'

const KEY = validatorKey('look-contract', 'own').pubkey
const { depositContract } = MAINNET.spec

const NO_METHOD = { error: { code: -32601, message: 'the method does not exist' } }

type Told = Readonly<Record<string, unknown>>

/** Endpoints of which each has its own head, and a contract that takes one deposit for the key in each of `blocks`; they give `told`. */
function chain(blocks: readonly number[], told: (logs: Told[]) => readonly Told[] = (logs) => logs) {
  const heads: { node: number | 'silent'; own: number; other: number } = { node: 10, own: 10, other: 10 }
  let after: (() => void) | undefined
  const log = (block: number, at: number) => depositLog(depositContract, KEY, { block, at })
  const execution = (head: number, method: string, params: readonly unknown[]): unknown => {
    const upTo = (ref: unknown) => (ref === 'latest' ? head : Math.min(head, Number(ref)))
    if (method === 'eth_blockNumber') return quantity(head)
    if (method === 'eth_getLogs') {
      const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex }
      const isIn = (block: number) => block >= Number(fromBlock) && block <= upTo(toBlock)
      return told(blocks.flatMap((block, at) => (isIn(block) ? [log(block, at)] : [])))
    }
    const { data } = (params[0] ?? {}) as { data?: Hex }
    if (method !== 'eth_call' || data !== '0x2dfdf0b5') return undefined
    return word(blocks.filter((block) => block <= upTo(params[1])).length)
  }
  const answer = ({ url, body = '' }: HttpRequest): unknown => {
    const { hostname, pathname } = new URL(url)
    if (hostname === 'node') {
      if (heads.node === 'silent') return undefined
      const message = { slot: String(heads.node), proposer_index: '1', parent_root: zeros(32) }
      const header = { message: { ...message, state_root: zeros(32), body_root: zeros(32) } }
      return pathname.endsWith('/headers/head') ? { data: { header } } : { data: [] }
    }
    const { id, method, params } = JSON.parse(body)
    const result = execution(hostname === 'own' ? heads.own : heads.other, method, params)
    if (method === 'eth_blockNumber' && hostname === 'own') after?.()
    return { jsonrpc: '2.0', id, ...(result === undefined ? NO_METHOD : { result }) }
  }
  return {
    heads,
    /** Done once right after the own execution client has told its head. */
    afterHead(then: () => void): void {
      after = () => {
        after = undefined
        then()
      }
    },
    request: async (asked: HttpRequest): Promise<HttpReply> => {
      const body = answer(asked)
      const text = JSON.stringify(body ?? { code: 404, message: 'not here' })
      const headers = { 'content-type': 'application/json' }
      return { status: body === undefined ? 404 : 200, headers, body: new TextEncoder().encode(text) }
    },
  }
}

/** What a watch sees of the deposits in looks one after another; `before` each the world changes. */
async function arrivals(world: ReturnType<typeof chain>, looks: readonly (() => void)[]) {
  let nowMs = 1_800_000_000_000
  const clock = clockAt(() => nowMs)
  const looker = createLooker({
    effects: { http: { request: world.request }, clock } as Parameters<typeof createLooker>[0]['effects'],
    network: MAINNET,
    endpoints: { node: ['http://node'], execution: ['http://own', 'http://other'], engine: [] },
    validators: [{ pubkey: KEY }],
    isOwnTransaction: () => false,
  })
  let depositsTo: NetworkPicture['depositsTo']
  const found: bigint[] = []
  for (const change of looks) {
    change()
    nowMs += 2000
    const memory = { ...emptyMemory(MAINNET), ...(depositsTo === undefined ? {} : { depositsTo }) }
    const picture = await looker.look(memory)
    depositsTo = picture.depositsTo ?? depositsTo
    found.push(...(picture.validators[0]?.deposits ?? []).map(({ blockSlot }) => blockSlot))
  }
  return found
}

test('a deposit is seen that is in a block which comes while a look is under way', async () => {
  const world = chain([11, 14])
  const all = (head: number) => () => void Object.assign(world.heads, { node: head, own: head, other: head })
  const during = (head: number) => () => {
    all(head)()
    world.afterHead(all(head + 1))
  }
  expect(await arrivals(world, [during(10), all(12), during(13), all(15), all(16)])).toEqual([11n, 14n])
})

test('a deposit is seen that is in a block which the first execution endpoint has later than others', async () => {
  const world = chain([12])
  const at = (own: number, other: number) => () =>
    void Object.assign(world.heads, { node: other, own, other })
  expect(await arrivals(world, [at(10, 10), at(11, 12), at(12, 12), at(13, 13)])).toEqual([12n])
})

test('a deposit is seen that came while the node did not answer', async () => {
  const world = chain([12])
  const at = (node: number | 'silent', execution: number) => () =>
    void Object.assign(world.heads, { node, own: execution, other: execution })
  expect(await arrivals(world, [at(10, 10), at('silent', 12), at('silent', 13), at(14, 14)])).toEqual([12n])
})

const data = (change: (data: string) => unknown) => (logs: Told[]) =>
  logs.map((log) => ({ ...log, data: change(String(log.data)) }))

const ILL_FORMED: readonly [string, (logs: Told[]) => readonly Told[]][] = [
  ['data that end early', data((text) => text.slice(0, 66))],
  ['data with a word more', data((text) => `${text}${zeros(32).slice(2)}`)],
  ['no data', data(() => '0x')],
  ['a number for data', data(() => 7)],
  [
    'a public key one byte short',
    data((text) => text.replace('30'.padStart(64, '0'), '2f'.padStart(64, '0'))),
  ],
  [
    'an amount beyond 64 bits',
    data((text) => text.replace(word(10_000_000_000_000n).slice(2), 'f'.repeat(64))),
  ],
  ['a second topic', (logs) => logs.map((log) => ({ ...log, topics: [DEPOSIT_TOPIC, zeros(32)] }))],
  ['no transaction', (logs) => logs.map((log) => ({ ...log, transactionHash: null }))],
  ['a block that was not asked for', (logs) => logs.map((log) => ({ ...log, blockNumber: quantity(999) }))],
  ['one of them twice', (logs) => logs.flatMap((log) => [log, { ...log, logIndex: '0x1' }])],
]

test.each(ILL_FORMED)(
  'events with %s are no answer: the watch goes on, and asks for them again',
  async (_, told) => {
    let isLying = true
    const world = chain([11], (logs) => (isLying ? told(logs) : logs))
    const at = (head: number) => () => {
      isLying = head < 13
      Object.assign(world.heads, { node: head, own: head, other: head })
    }
    expect(await arrivals(world, [at(10), at(11), at(12), at(13), at(14)])).toEqual([11n])
  },
)
