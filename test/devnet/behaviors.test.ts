import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { BEHAVIOR_NAMES, type BehaviorName, PLACES, suits } from '../../src/devnet/behaviors.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { userOf } from '../support/user-of.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

let devnet: Devnet
let end: () => Promise<void>
let hash: Hex

beforeAll(async () => {
  const started = await testDevnet({ seed: 'behaviors', foreignNode: true })
  devnet = started.devnet
  end = started.end
  const user = await userOf(devnet)
  hash = await user.firstDeposit(10_000n)
  await pass(devnet, 3)
})
afterAll(() => end())

async function rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
  const reply = await fetch(devnet.descriptor.urls.execution, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(5000),
  })
  if (reply.status !== 200) return { status: reply.status, after: reply.headers.get('retry-after') }
  const { result, error } = (await reply.json()) as { result?: unknown; error?: { code: number } }
  return error === undefined ? result : { code: error.code }
}

const logs = () => rpc('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])
const receipt = () => rpc('eth_getTransactionReceipt', [hash])
const lookUp = () => rpc('eth_getTransactionByHash', [hash])
const head = () => rpc('eth_blockNumber').then((number) => Number(number))

async function behaving<T>(name: BehaviorName, asked: () => Promise<T>): Promise<T> {
  devnet.setBehavior('execution', name)
  try {
    return await asked()
  } finally {
    devnet.setBehavior('execution', undefined)
  }
}

describe('an execution endpoint', () => {
  test('has what it is asked for as long as nothing is set', async () => {
    expect(await receipt()).toMatchObject({ transactionHash: hash })
    expect(await lookUp()).toMatchObject({ hash })
    expect(await logs()).toHaveLength(2)
  })

  test('forgets receipts and logs of old blocks, and keeps those of new ones', async () => {
    expect(await behaving('forgets-receipts', receipt)).toBeNull()
    expect(await behaving('forgets-receipts', logs)).toEqual([])
    expect(await behaving('forgets-receipts', lookUp)).toMatchObject({ hash })
    expect(await behaving('forgets-transactions', lookUp)).toBeNull()
    expect(await behaving('refuses-old-receipts', receipt)).toEqual({ code: 4444 })
    expect(await behaving('refuses-old-receipts', logs)).toEqual({ code: -32_602 })
  })

  test.each([
    ['refuses-logs', { code: -32_005 }],
    ['offers-no-logs', { code: -32_601 }],
    ['fails-at-logs', { status: 500, after: null }],
    ['gives-no-logs', []],
    ['limits-rate', { status: 429, after: '30' }],
    ['refuses-host', { status: 403, after: null }],
  ] as const)('%s', async (name, said) => {
    expect(await behaving(name, logs)).toEqual(said)
  })

  test('stands still while the chain goes on', async () => {
    const before = await head()
    await behaving('stands-still', async () => {
      await pass(devnet, 2)
      expect(await head()).toBe(before)
      expect(await rpc('eth_getBlockByNumber', ['latest', false])).toMatchObject({
        number: `0x${before.toString(16)}`,
      })
    })
    expect(await head()).toBe(before + 2)
  })

  test('has no state of old blocks', async () => {
    const balance = (block: string) => rpc('eth_getBalance', [`0x${'00'.repeat(20)}`, block])
    expect(await behaving('forgets-states', () => balance('0x1'))).toEqual({ code: -32_000 })
    expect(await behaving('forgets-states', () => balance('latest'))).toMatch(/^0x/)
  })

  test('cuts the connection', async () => {
    await expect(behaving('is-dead', head)).rejects.toThrow()
  })
})

describe('the control of a rehearsal', () => {
  const ask = async (body: unknown) => {
    const reply = await fetch(`${devnet.descriptor.control}/behave`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    return { status: reply.status, said: (await reply.json()) as Record<string, unknown> }
  }

  test('sets and ends a behavior of an endpoint', async () => {
    const before = await head()
    expect(await ask({ endpoint: 'execution', behavior: 'limits-rate' })).toMatchObject({ status: 200 })
    expect(await rpc('eth_blockNumber')).toMatchObject({ status: 429 })
    expect(await ask({ endpoint: 'execution', behavior: null })).toMatchObject({ status: 200 })
    expect(await head()).toBe(before)
  })

  test.each([
    [{ endpoint: 'elsewhere', behavior: 'hangs' }],
    [{ endpoint: 'execution', behavior: 'sings' }],
    [{ endpoint: 'node', behavior: 'refuses-logs' }],
    [{ endpoint: 'execution' }],
  ])('refuses %j and names what there is', async (wish) => {
    const { status, said } = await ask(wish)
    expect(status).toBe(400)
    expect(said.message).toContain('forgets-receipts')
  })
})

describe('a node that somebody else runs', () => {
  test('has an execution client of its own, which goes on while the own node stops', async () => {
    const { urls, second = '', foreign } = devnet.descriptor
    const ask = async (url: string, body: object): Promise<unknown> => {
      const asked = { jsonrpc: '2.0', id: 1, params: [], ...body }
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(asked),
        signal: AbortSignal.timeout(500),
      })
      return ((await reply.json()) as { result: unknown }).result
    }
    const heightAt = (url: string) => ask(url, { method: 'eth_blockNumber' }).then(Number)
    const statusOf = (url: string) => ask(url, { method: 'status' })
    const before = await heightAt(urls.execution)
    devnet.setBehavior('own-node', 'stops')
    await pass(devnet, 2)
    expect([await heightAt(urls.execution), await heightAt(second)]).toEqual([before, before + 2])
    await expect(statusOf(urls.engine)).rejects.toThrow()
    await expect(
      fetch(`${urls.node}/eth/v1/node/version`, { signal: AbortSignal.timeout(200) }),
    ).rejects.toThrow()
    expect(await statusOf(foreign?.engine ?? '')).toMatchObject({
      sync_info: { latest_block_height: String(before + 2) },
    })
    expect((await fetch(`${foreign?.node}/eth/v1/node/version`)).status).toBe(200)
    devnet.setBehavior('own-node', undefined)
    expect(await heightAt(urls.execution)).toBe(before + 2)
    expect(await statusOf(urls.engine)).toMatchObject({ sync_info: {} })
  })

  test('is no wish of a network without one', async () => {
    const { devnet: alone, end: stop } = await testDevnet({ seed: 'alone' })
    const reply = await fetch(`${alone.descriptor.control}/behave`, {
      method: 'POST',
      body: JSON.stringify({ endpoint: 'foreign-node', behavior: 'stops' }),
    })
    expect([reply.status, alone.descriptor.foreign]).toEqual([400, undefined])
    await stop()
  })
})

test('each behavior suits an endpoint', () => {
  expect(BEHAVIOR_NAMES.filter((name) => !PLACES.some((place) => suits(place, name)))).toEqual([])
})
