import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anchorBlock } from '../../../src/core/clients/anchor-block.ts'
import type { ExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { ClientError } from '../../../src/core/errors/client.ts'
import type { Hex } from '../../../src/core/format/hex.ts'

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
  return 'unproven' in found ? found.unproven : Number(found.number)
}

describe('the block in which a state is anchored', () => {
  test('is the head of the only endpoint, or of the first one beside a silent second one', async () => {
    const execution = endpoint({ label: 'first', head: 100 })
    expect(await numberOf(execution)).toBe(100)
    expect(await numberOf(execution, silent)).toBe(100)
  })

  test('is the lower of two heads that are near, whatever they are; the first one’s where the second is far behind', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 20, max: 1000 }),
        fc.integer({ min: -15, max: 15 }),
        async (head, ahead) => {
          const first = endpoint({ label: 'first', head })
          const found = await numberOf(first, endpoint({ label: 'second', head: head + ahead }))
          if (ahead > 5) expect(found).toBe(`first is ${ahead} blocks behind second`)
          else expect(found).toBe(ahead < -5 ? head : Math.min(head, head + ahead))
        },
      ),
    ))

  test('is none where the endpoints have another block at the same height, or another time of it', async () => {
    const first = endpoint({ label: 'first', head: 100 })
    const words = 'first and second have another block 99 each'
    expect(await numberOf(first, endpoint({ label: 'second', head: 99, fork: 'b' }))).toBe(words)
    expect(await numberOf(first, endpoint({ label: 'second', head: 99, secondsLater: 1 }))).toBe(words)
  })

  test('is none before the first block, and throws where the first endpoint is silent', async () => {
    expect(await numberOf(endpoint({ label: 'first', head: 0 }))).toBe('the chain has no block yet')
    await expect(anchorBlock({ execution: silent })).rejects.toThrow(ClientError)
  })
})
