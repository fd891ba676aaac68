import { describe, expect, test } from 'vitest'
import { ClientError } from '../../../src/core/base/errors/client.ts'
import type { ExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { getLogs } from '../../../src/core/clients/execution/get-logs.ts'

const ADDRESS = '0x4242424242424242424242424242424242424242'
const TOPIC = `0x${'68'.repeat(32)}` as const
const HASH = `0x${'11'.repeat(32)}` as const

type Range = { fromBlock: string; toBlock: string }

/** An endpoint that answers each piece with what `answer` says; counts the questions. */
function endpoint(answer: (piece: Range) => unknown[]): { client: ExecutionClient; asked: () => number } {
  let asked = 0
  const client: ExecutionClient = {
    label: 'http://127.0.0.1:8545',
    async rpc({ params, decode }) {
      asked += 1
      return decode(answer(params[0] as Range), 'result')
    },
  }
  return { client, asked: () => asked }
}

const event = (blockNumber: string, data: string) => ({
  address: ADDRESS,
  topics: [TOPIC],
  data,
  blockNumber,
  blockHash: HASH,
  transactionHash: HASH,
  logIndex: '0x0',
})

const upTo = (toBlock: bigint) => ({ address: ADDRESS, topic: TOPIC, fromBlock: 0n, toBlock }) as const

async function faultOf(run: Promise<unknown>): Promise<ClientError> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (thrown instanceof ClientError) return thrown
  throw new Error(`expected a ClientError, got ${String(thrown)}`)
}

describe('events up to a head that the endpoint made up', () => {
  test('are not asked for at all', async () => {
    const { client, asked } = endpoint(() => [])
    const fault = await faultOf(getLogs(client, upTo(2n ** 63n)))
    expect([fault.fault, fault.details]).toEqual([
      'too-large',
      [
        'asked: eth_getLogs',
        'found: the blocks 0 to 9223372036854775808',
        expect.stringMatching(/^expected: /),
      ],
    ])
    expect(asked()).toBe(0)
  })

  test('are read to the end where a chain of ten years could be so long', async () => {
    const { client, asked } = endpoint(() => [])
    expect(await getLogs(client, upTo(160_000_000n))).toEqual([])
    expect(asked()).toBe(16_001)
  })

  test('end after 50,000 questions where only small pieces are answered', async () => {
    const { client, asked } = endpoint(({ fromBlock, toBlock }) => {
      if (Number(toBlock) - Number(fromBlock) < 100) return []
      throw new ClientError('rejected', { service: 'execution RPC', endpoint: '', what: '' })
    })
    const fault = await faultOf(getLogs(client, upTo(160_000_000n)))
    expect([fault.fault, fault.details[1]]).toEqual(['too-large', 'found: more than 50000 pieces'])
    expect(asked()).toBe(50_000)
  })
})

describe('a piece that was refused', () => {
  test('is halved, and grows again once the endpoint answers', async () => {
    const sizes: number[] = []
    const { client } = endpoint(({ fromBlock, toBlock }) => {
      const size = Number(toBlock) - Number(fromBlock) + 1
      sizes.push(size)
      if (sizes.length === 1)
        throw new ClientError('rejected', { service: 'execution RPC', endpoint: '', what: '' })
      return []
    })
    await getLogs(client, upTo(99_999n))
    expect(sizes.slice(0, 10)).toEqual([10_000, ...Array<number>(8).fill(5_000), 10_000])
    expect(sizes.slice(1).reduce((sum, size) => sum + size, 0)).toBe(100_000)
  })
})

describe('events without end', () => {
  test('end after 200,000 of them', async () => {
    const { client } = endpoint(({ fromBlock }) =>
      Array.from({ length: 9_000 }, () => event(fromBlock, '0x')),
    )
    const fault = await faultOf(getLogs(client, upTo(10_000_000n)))
    expect([fault.fault, fault.details[1]]).toEqual(['too-large', 'found: more than 200000 events'])
  })

  test('end after 128 MiB of them', async () => {
    const data = `0x${'00'.repeat(2 * 1024 * 1024)}`
    const { client, asked } = endpoint(({ fromBlock }) => [event(fromBlock, data)])
    const fault = await faultOf(getLogs(client, upTo(10_000_000n)))
    expect([fault.fault, fault.details[1]]).toEqual([
      'too-large',
      'found: more than 134217728 bytes of events',
    ])
    expect(asked()).toBe(32)
  })
})
