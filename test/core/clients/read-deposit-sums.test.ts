import { describe, expect, test } from 'vitest'
import { ClientError } from '../../../src/core/base/errors/client.ts'
import { MAINNET } from '../../../src/core/chain/network/presets.ts'
import type { ExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { readDepositSums } from '../../../src/core/clients/read-deposit-sums.ts'

const COUNT = `0x${'05'.padStart(64, '0')}`
const GOOD: Readonly<Record<string, unknown>> = { eth_blockNumber: '0x9', eth_call: COUNT, eth_getLogs: [] }

/** An endpoint that gives five deposits of the genesis and none since, and fails at some methods. */
function endpointAt(label: string, failsAt: readonly string[] = []): ExecutionClient {
  return {
    label,
    async rpc({ method, decode }) {
      const about = { service: 'execution RPC', endpoint: label, what: method } as const
      if (failsAt.includes(method)) throw new ClientError('not-offered', about)
      return decode(GOOD[method], 'result')
    },
  }
}
const [OWN, OTHER] = ['http://127.0.0.1:8545', 'http://127.0.0.2:8545']
const read = (execution: ExecutionClient, second?: ExecutionClient) =>
  readDepositSums({ execution, second }, MAINNET.spec, () => undefined)

describe('the deposits of a contract', () => {
  test('come from both endpoints where both give the same', async () => {
    const sums = await read(endpointAt(OWN), endpointAt(OTHER))
    expect(sums).toMatchObject({ genesis: 5n, by: ['127.0.0.1:8545', '127.0.0.2:8545'] })
  })

  test.each(['eth_getLogs', 'eth_call', 'eth_blockNumber'])(
    'come from the next endpoint where one fails at %s, and name it',
    async (method) => {
      const failing = [method, ...(method === 'eth_blockNumber' ? ['eth_call'] : [])]
      for (const [own, other, by] of [
        [endpointAt(OWN, failing), endpointAt(OTHER), '127.0.0.2:8545'],
        [endpointAt(OWN), endpointAt(OTHER, failing), '127.0.0.1:8545'],
      ] as const) {
        const sums = await read(own, other)
        const left = by === '127.0.0.1:8545' ? '127.0.0.2:8545' : '127.0.0.1:8545'
        expect(sums).toMatchObject({ genesis: 5n, by: [by], leftOut: expect.stringContaining(left) })
      }
    },
  )

  test('are unknown where no endpoint gives them', async () => {
    const sums = await read(endpointAt(OWN, ['eth_getLogs']), endpointAt(OTHER, ['eth_getLogs']))
    expect(sums).toHaveProperty('unknown')
    await expect(read(endpointAt(OWN, ['eth_blockNumber']))).rejects.toBeInstanceOf(ClientError)
  })
})
