import { describe, expect, test } from 'vitest'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import { LIMITS } from '../../src/core/observe/picture.ts'
import { memoryText, readMemory } from '../../src/watch/keep.ts'
import { adoptOrphans, watchTransition } from '../../src/watch/transition.ts'
import { look, START_MS } from '../support/pictures.ts'

const context = { network: MAINNET, wizardOptions: [], limits: LIMITS }
const ID = `mainnet//node-silent/${new Date(START_MS - 120_000).toISOString()}`
const NODE = { role: 'node', place: 0, name: '127.0.0.1:3500' } as const
const EXECUTION = { role: 'execution', place: 0, name: '127.0.0.1:8545', slot: 1000n } as const

const told = (memory: WatchMemory, slot: bigint | undefined, atMs = START_MS) => {
  const heads = [slot === undefined ? NODE : { ...NODE, slot }, EXECUTION]
  return watchTransition(memory, look({ atMs, heads, validators: [] }), context)
}

describe('an alarm that a channel was told of and the memory lost', () => {
  const memory = adoptOrphans(emptyMemory(MAINNET), [{ id: ID, severity: 'critical' }])

  test('ends under its id', () => {
    expect(told(memory, 1000n).events).toMatchObject([{ id: ID, change: 'cleared', alarm: 'node-silent' }])
  })

  test('goes on without being told again, under its id, also on the disk', () => {
    const first = told(memory, undefined)
    const read = readMemory(memoryText(first.memory), 'watch.json', MAINNET)
    const next = told(read, undefined, START_MS + 20_000)
    expect([...first.events, ...next.events]).toEqual([])
    expect(next.memory.alarms).toMatchObject([{ id: ID, severity: 'critical' }])
  })

  test('is no other where the same one stands, and none of another network or an unknown kind', () => {
    const again = adoptOrphans(memory, [{ id: ID.replace(/T.*$/, 'T00:00:00.000Z'), severity: 'critical' }])
    expect(again).toBe(memory)
    const ids = [ID.replace('mainnet', 'bepolia'), ID.replace('node-silent', 'unheard-of'), 'mainnet/x', '']
    const none = adoptOrphans(
      emptyMemory(MAINNET),
      ids.map((id) => ({ id, severity: 'warning' as const })),
    )
    expect(none.alarms).toEqual([])
  })
})
