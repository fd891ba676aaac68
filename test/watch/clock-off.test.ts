import { describe, expect, test } from 'vitest'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory } from '../../src/core/observe/memory.ts'
import { LIMITS } from '../../src/core/observe/picture.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { look, START_MS } from '../support/pictures.ts'

const context = { network: MAINNET, wizardOptions: [], limits: LIMITS }

describe('a clock that is off', () => {
  const clock = (aheadMs: number, minutes: number) =>
    look({ atMs: START_MS + minutes * 60_000, node: { clockAheadMs: aheadMs }, validators: [] })

  test('is told again when it passes another doubling, and not for less', () => {
    let memory = emptyMemory(MAINNET)
    const changes = [-1500, -1900, -9000, -2500, -17_000].map((aheadMs, at) => {
      const next = watchTransition(memory, clock(aheadMs, at), context)
      memory = next.memory
      return next.events.filter(({ alarm }) => alarm === 'clock-off').map(({ change }) => change)
    })
    expect(changes).toEqual([['fired'], [], ['worse'], [], ['worse']])
  })
})
