import { describe, expect, test } from 'vitest'
import { playback } from '../../../scripts/vectors/playback.ts'
import { ClientError } from '../../../src/core/base/errors/client.ts'
import { createExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { keyDepositsAfter, madeDepositsAfter } from '../../../src/core/clients/key-deposits.ts'

const ASKED = { address: `0x${'42'.repeat(20)}`, pubkey: `0x${'a1'.repeat(48)}` } as const

const COUNT = 5n
const ANSWERS: Readonly<Record<string, unknown>> = {
  eth_blockNumber: '0x9',
  eth_call: `0x${COUNT.toString(16).padStart(64, '0')}`,
}

/** The same, but it refuses every question for events; the contract has taken `taken` deposits by its newest block. */
function withoutEvents(taken: bigint) {
  const effects = playback((request) => {
    const { id, method, params } = JSON.parse(request.body ?? '') as {
      id: number
      method: string
      params: unknown[]
    }
    const count = params[1] === '0x9' ? taken : COUNT
    const answers: Readonly<Record<string, unknown>> = {
      eth_blockNumber: { result: '0x9' },
      eth_call: { result: `0x${count.toString(16).padStart(64, '0')}` },
    }
    const answer = answers[method] ?? { error: { code: -32005, message: 'query exceeds limit' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id, ...answer })
    return { status: 200, contentType: 'application/json', body }
  }, [])
  return createExecutionClient(effects, 'http://127.0.0.1:1')
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

  test('are none where no events are given, and the contract has taken no more since', async () => {
    const madeAfter = (taken: bigint) => keyDepositsAfter(withoutEvents(taken), { ...ASKED, block: 8n })
    expect(await madeAfter(COUNT)).toMatchObject({ deposits: [], ofAll: 0, toBlock: 9n })
    await expect(madeAfter(COUNT + 1n)).rejects.toBeInstanceOf(ClientError)
  })

  test('are none among those of a payment, so that one that is behind is not left out', async () => {
    expect(await madeDepositsAfter(atNine().client, { ...ASKED, block: 10n })).toEqual([])
  })
})
