import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ClientError } from '../../../src/core/base/errors/client.ts'
import type { Hex } from '../../../src/core/base/format/hex.ts'
import type { ExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { anchorBlock, holdsBlock } from '../../../src/core/clients/prove-validator.ts'
import type { SignedChain } from '../../../src/core/clients/signed/signed-chain.ts'

const hashOf = (number: number, fork: string): Hex =>
  `0x${Buffer.from(`${fork}${number}`).toString('hex').padStart(64, '0')}`

type Chain = { label: string; head: number; fork?: string; secondsLater?: number }

/** An execution endpoint whose chain has one block a second, block 0 at second 1000. */
function endpoint({ label, head, fork = 'a', secondsLater = 0 }: Chain): ExecutionClient {
  return {
    label,
    async rpc({ method, params, decode }) {
      if (method === 'eth_blockNumber') return decode(`0x${head.toString(16)}`, '')
      const number = params[0] === 'latest' ? head : Number(params[0])
      if (number > head) return decode(null, '')
      const block = {
        number: `0x${number.toString(16)}`,
        hash: hashOf(number, fork),
        parentHash: hashOf(number - 1, fork),
        timestamp: `0x${(1000 + number + secondsLater).toString(16)}`,
      }
      return decode(block, '')
    },
  }
}

const silent: ExecutionClient = {
  label: 'silent',
  rpc: () =>
    Promise.reject(
      new ClientError('timeout', { service: 'execution RPC', endpoint: 'silent', what: 'eth_blockNumber' }),
    ),
}

const numberOf = async (execution: ExecutionClient, second?: ExecutionClient) => {
  const found = await anchorBlock({ execution, second })
  return 'unproven' in found ? found.unproven : Number(found.block.number)
}

describe('the block in which a state is anchored', () => {
  test('is the head of the only endpoint, or of the first one beside a silent second one', async () => {
    const execution = endpoint({ label: 'first', head: 100 })
    expect(await numberOf(execution)).toBe(100)
    expect(await numberOf(execution, silent)).toBe(100)
  })

  test('is the first one’s head, however far behind the second one is; none where the first lags', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 20, max: 1000 }),
        fc.integer({ min: -15, max: 15 }),
        async (head, ahead) => {
          const first = endpoint({ label: 'first', head })
          const found = await numberOf(first, endpoint({ label: 'second', head: head + ahead }))
          expect(found).toBe(ahead > 5 ? `first is ${ahead} blocks behind second` : head)
        },
      ),
    ))

  test('is none before the first block, and throws where the first endpoint is silent', async () => {
    const empty = endpoint({ label: 'first', head: 0 })
    expect(await anchorBlock({ execution: empty })).toEqual({ unproven: expect.any(String) })
    await expect(anchorBlock({ execution: silent })).rejects.toThrow(ClientError)
  })
})

describe('where the validator set signed block 100', () => {
  const payload = { number: 100n, hash: hashOf(100, 'a'), timestampSeconds: 1100n }
  const signed = {
    claimedHeight: async () => 100n,
    blockAt: async () => ({ is: 'signed', block: { height: 100n, payload } }),
  } as unknown as SignedChain
  const anchored = (chain: Omit<Chain, 'label'>) =>
    anchorBlock({ execution: endpoint({ label: 'http://first', ...chain }), signed })

  test('an endpoint that has another one is refuted, and one that stays behind has only nothing to show', async () => {
    expect(await anchored({ head: 100 })).toMatchObject({ block: { number: 100n }, leftOut: [] })
    expect(await anchored({ head: 100, fork: 'b' })).toMatchObject({ isRefuted: true })
    expect(await anchored({ head: 50 })).toEqual({ unproven: expect.stringContaining('first') })
  })
})

describe('whether a second endpoint holds a block', () => {
  const SLOT_MS = 1000
  const block = { number: 100n, hash: hashOf(100, 'a'), timestampSeconds: 1100n }
  /** What it holds, and after how much time: its head gains a block every slot from `head` on. */
  const holds = async ({ head, ...rest }: Omit<Chain, 'label'>, grows = true) => {
    let nowMs = 0
    const clock = {
      monotonicMs: () => nowMs,
      sleep: async (ms: number) => {
        nowMs += ms
      },
    }
    const second: ExecutionClient = {
      label: 'second',
      rpc: (question) =>
        endpoint({ label: 'second', head: head + (grows ? Math.floor(nowMs / SLOT_MS) : 0), ...rest }).rpc(
          question,
        ),
    }
    return { answer: await holdsBlock(second, block, { clock, slotMs: SLOT_MS }), waitedMs: nowMs }
  }

  test('is found out at once, or once it has come, eight slots away at most', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 80, max: 120 }), async (head) => {
        const { answer, waitedMs } = await holds({ head })
        expect(answer).toBe(head >= 92 ? 'same' : 'behind')
        expect(waitedMs).toBe(head >= 92 ? Math.max(0, 100 - head) * SLOT_MS : 0)
      }),
    ))

  test('is given up on one that does not move, after eight slots', async () => {
    expect(await holds({ head: 99 }, false)).toEqual({ answer: 'behind', waitedMs: 8 * SLOT_MS })
  })

  test('is another block with another hash or time, and unknown of one that is silent', async () => {
    expect((await holds({ head: 101, fork: 'b' })).answer).toBe('other')
    expect((await holds({ head: 101, secondsLater: 1 })).answer).toBe('other')
    const clock = { monotonicMs: () => 0, sleep: async () => undefined }
    expect(await holdsBlock(silent, block, { clock, slotMs: SLOT_MS })).toBe('silent')
  })
})
