import { describe, expect, test } from 'vitest'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import type { HeadPicture, NetworkPicture } from '../../src/core/observe/picture.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { CONTEXT, HEADS, look, START_MS, START_SLOT } from '../support/pictures.ts'

describe('an endpoint that was left out as it answered too late', () => {
  const name = 'rpc.example.com'
  const heads: readonly HeadPicture[] = HEADS.map((head) => ({ ...head, slot: START_SLOT }))
  const LATE = { name, sinceMs: START_MS, rounds: 9 }
  const afterLook = (memory: WatchMemory, minutes: number, late: NetworkPicture['late']) => {
    const seen = look({ atMs: START_MS + minutes * 60_000, heads, ...(late && { late }) })
    const { memory: next, events } = watchTransition(memory, seen, CONTEXT)
    return {
      memory: next,
      told: events.flatMap((one) => (one.alarm === 'endpoint-far-off' ? [one.change] : [])),
    }
  }

  test('counts again once a set was read with it: not after a restart that has read none', () => {
    const fired = afterLook(afterLook(emptyMemory(MAINNET), 1, LATE).memory, 3, LATE)
    expect(fired.told).toEqual(['fired'])
    const unread = afterLook(fired.memory, 9, undefined)
    expect(unread.told).toEqual([])
    const once = afterLook(unread.memory, 10, { ...LATE, rounds: 1 })
    expect(once.told).toEqual([])
    expect(afterLook(once.memory, 11, 'none').told).toEqual(['cleared'])
  })
})
