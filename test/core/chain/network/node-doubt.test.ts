import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playback } from '../../../../scripts/vectors/playback.ts'
import { executionBeside, type NodeDoubt, nodeDoubt } from '../../../../src/core/chain/network/standstill.ts'
import { createExecutionClient } from '../../../../src/core/clients/execution/client.ts'
import { type Hearing, watchNode } from '../../../../src/core/clients/heads.ts'

const SLOT_MS = 2000

describe('a watched node', () => {
  /** The doubts of a node that is heard as `hearing` says, slot by slot. */
  async function watch(
    slots: number,
    hearing: (nowMs: number) => Hearing,
  ): Promise<(NodeDoubt | undefined)[]> {
    const told: (NodeDoubt | undefined)[] = []
    let nowMs = 0
    const sleep = async (delayMs: number) => {
      nowMs += delayMs
      if (nowMs > slots * SLOT_MS) throw new Error('over')
    }
    const block = (): string => `0x${(100 + Math.floor(nowMs / SLOT_MS)).toString(16)}`
    const effects = playback(({ body }) => ({
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body ?? '').id, result: block() }),
    }))
    const watching = watchNode({
      execution: createExecutionClient(playback({ failed: 'ECONNREFUSED' }), 'http://127.0.0.1:1'),
      second: createExecutionClient(effects, 'http://127.0.0.1:2'),
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs, sleep },
      slotMs: SLOT_MS,
      over: () => false,
      hearing: () => hearing(nowMs),
      tell: async (doubt) => void told.push(doubt),
    })
    await expect(watching).rejects.toThrow()
    return told
  }

  test('is silent by our own clock while a question hangs, and it is over with the next answer', async () => {
    const told = await watch(12, (nowMs) => {
      const atMs = nowMs < 20_000 ? 0 : nowMs
      return { newest: { slot: 100n, sinceMs: atMs, atMs }, failing: false }
    })
    const ahead = { is: 'ahead', name: '127.0.0.1:2', block: 105n }
    expect(told[0]).toEqual({ is: 'silent', slot: 100n, sinceMs: 0, beside: { is: 'unknown' } })
    expect(told[1]).toEqual({ is: 'silent', slot: 100n, sinceMs: 0, beside: { is: 'unknown' } })
    expect(told[3]).toEqual({ is: 'silent', slot: 100n, sinceMs: 0, beside: ahead })
    expect(told.at(-1)).toBeUndefined()
  })

  test('that goes on is told of nothing, and one that was never heard neither', async () => {
    const going = (nowMs: number) => ({
      newest: { slot: BigInt(nowMs), sinceMs: nowMs, atMs: nowMs },
      failing: false,
    })
    expect(await watch(40, going)).toEqual([])
    expect(await watch(40, () => ({ newest: undefined, failing: true }))).toEqual([])
  })

  test('is never both heard of late and in doubt, whatever the times are', () => {
    const ms = fc.integer({ min: 0, max: 10_000_000 })
    fc.assert(
      fc.property(ms, ms, ms, fc.boolean(), (sinceMs, laterMs, passedMs, failing) => {
        const heard = { slot: 7n, sinceMs, atMs: sinceMs + laterMs }
        const nowMs = heard.atMs + passedMs
        const doubt = nodeDoubt(heard, { nowMs, slotMs: SLOT_MS, failing })
        if (failing || passedMs > 6000) expect(doubt).toMatchObject({ is: 'silent', sinceMs: heard.atMs })
        else if (nowMs - sinceMs > 20_000) expect(doubt).toMatchObject({ is: 'still', sinceMs })
        else expect(doubt).toBeUndefined()
      }),
    )
  })
})

test('nobody is ahead of a node who has not gone on beyond it', () => {
  const block = fc.bigInt({ min: 0n, max: 1000n })
  fc.assert(
    fc.property(block, block, block, (slot, earlier, later) => {
      const head = (height: bigint) => [{ name: 'other', block: height, other: true }]
      const beside = executionBeside(slot, { before: head(earlier), now: head(later) })
      const ahead = later > slot + 5n || (later > slot + 1n && later > earlier)
      const same = later <= slot + 1n && later === earlier
      if (ahead) expect(beside.is).toBe('ahead')
      else expect(beside.is).toBe(same ? 'same' : 'unknown')
      expect(executionBeside(slot, { before: [], now: [] })).toEqual({ is: 'unknown' })
    }),
  )
})
