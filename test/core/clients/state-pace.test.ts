import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createStatePace, setMayHaveMoved } from '../../../src/core/clients/state-pace.ts'

/** Asks once, which takes so long, and says from when on it may be asked again. */
async function waitAfter(tookMs: number, mostMs?: number): Promise<number> {
  let now = 0
  const pace = createStatePace({ monotonicMs: () => now })
  expect(pace.isOver(mostMs)).toBe(true)
  await pace.ask(async () => {
    now += tookMs
  })
  let waitedMs = 0
  while (!pace.isOver(mostMs)) {
    now += 1
    waitedMs += 1
  }
  return waitedMs
}

describe('the pace of what is large to ask for', () => {
  it('waits for twenty times as long as it took, and no longer than where it is urgent', async () => {
    expect(await waitAfter(7)).toBe(140)
    expect(await waitAfter(7, 16)).toBe(16)
    expect(await waitAfter(7, 1000)).toBe(140)
  })

  it('makes no wait of what failed', async () => {
    let now = 0
    const pace = createStatePace({ monotonicMs: () => now })
    const silent = pace.ask(async () => {
      now += 50
      throw new Error('silent')
    })
    await expect(silent).rejects.toThrow('silent')
    expect(pace.isOver()).toBe(true)
  })
})

describe('whether a set may have moved', () => {
  const spec = { slotsPerEpoch: 8n }
  const read = { slot: 20n, deposits: 5n, waiting: false }

  it('does with an epoch, with another deposit, and with each slot while deposits wait', () => {
    expect(setMayHaveMoved(read, { slot: 23n, deposits: 5n }, spec)).toBe(false)
    expect(setMayHaveMoved(read, { slot: 24n, deposits: 5n }, spec)).toBe(true)
    expect(setMayHaveMoved(read, { slot: 20n, deposits: 6n }, spec)).toBe(true)
    expect(setMayHaveMoved({ ...read, waiting: true }, { slot: 21n, deposits: 5n }, spec)).toBe(true)
    expect(setMayHaveMoved({ ...read, waiting: true }, { slot: 20n, deposits: 5n }, spec)).toBe(false)
  })

  it('does not by what nobody says', () => {
    expect(setMayHaveMoved(read, { slot: 21n, deposits: undefined }, spec)).toBe(false)
  })

  it('has moved by any slot of another epoch, whatever else is so', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 500n), fc.bigInt(0n, 500n), fc.boolean(), (slot, now, waiting) => {
        const moved = setMayHaveMoved({ slot, deposits: 5n, waiting }, { slot: now, deposits: 5n }, spec)
        expect(moved).toBe(slot / 8n !== now / 8n || (waiting && now > slot))
      }),
    )
  })
})
