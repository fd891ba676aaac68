import { describe, expect, test } from 'vitest'
import { playback } from '../../../scripts/vectors/playback.ts'
import { createExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { keyDepositsAfter, madeDepositsAfter } from '../../../src/core/clients/key-deposits.ts'

const ASKED = { address: `0x${'42'.repeat(20)}`, pubkey: `0x${'a1'.repeat(48)}` } as const

const COUNT = 5n
const ANSWERS: Readonly<Record<string, unknown>> = {
  eth_blockNumber: '0x9',
  eth_call: `0x${COUNT.toString(16).padStart(64, '0')}`,
}

/** An endpoint whose newest block is the ninth, and that knows no deposit. */
function atNine() {
  const asked: string[] = []
  const effects = playback((request) => {
    const { id, method } = JSON.parse(request.body ?? '') as { id: number; method: string }
    asked.push(method)
    const result = ANSWERS[method] ?? []
    return {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ jsonrpc: '2.0', id, result }),
    }
  }, [])
  return { client: createExecutionClient(effects, 'http://127.0.0.1:1'), asked }
}

describe('the deposits after a block', () => {
  test('are unknown to an endpoint that does not show that block yet', async () => {
    const { client, asked } = atNine()
    expect(await keyDepositsAfter(client, { ...ASKED, block: 10n })).toBeUndefined()
    expect(asked).toEqual(['eth_blockNumber'])
    expect(await keyDepositsAfter(client, { ...ASKED, block: 9n })).toMatchObject({ deposits: [] })
    expect(await keyDepositsAfter(client, { ...ASKED, block: 8n })).toMatchObject({ deposits: [] })
  })

  test('are all there only where the contract has taken no more', async () => {
    const madeSince = (taken: bigint) => madeDepositsAfter(atNine().client, { ...ASKED, block: 8n, taken })
    expect(await madeSince(COUNT)).toEqual([])
    expect(await madeSince(COUNT - 1n)).toBeUndefined()
  })

  test('are none among those of a payment, so that one that is behind is not left out', async () => {
    expect(await madeDepositsAfter(atNine().client, { ...ASKED, block: 10n })).toEqual([])
  })
})
