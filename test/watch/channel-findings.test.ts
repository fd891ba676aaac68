import { describe, expect, test } from 'vitest'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory } from '../../src/core/observe/memory.ts'
import { LIMITS, type NetworkPicture } from '../../src/core/observe/picture.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { look, START_MS } from '../support/pictures.ts'

const context = { network: MAINNET, wizardOptions: [], limits: LIMITS }
type Channels = NonNullable<NetworkPicture['channels']>

const WORKS = { name: 'phone', waiting: 0, held: 0, isWorking: true }
const OTHER = { ...WORKS, name: 'mail' }
const UNTRIED = { ...WORKS, isWorking: undefined }
const FAILS = { ...WORKS, waiting: 2, isWorking: false, failing: { sinceMs: START_MS, reason: 'HTTP 400.' } }

/** The changes of the alarm in looks at channels, each so many minutes after the start. */
function changes(...looks: readonly (readonly [minutes: number, channels: Channels])[]) {
  let memory = emptyMemory(MAINNET)
  return looks.map(([minutes, channels]) => {
    const next = watchTransition(memory, look({ atMs: START_MS + minutes * 60_000, channels }), context)
    memory = next.memory
    return next.events.filter(({ alarm }) => alarm === 'channel-failing')
  })
}

describe('a channel that takes nothing', () => {
  test('is an alarm after two minutes, with what it answered and how many wait, until an event arrives', () => {
    const [early, [fired] = [], again, [cleared] = []] = changes(
      [1, [FAILS, OTHER]],
      [2, [FAILS, OTHER]],
      [3, [FAILS, OTHER]],
      [4, [WORKS, OTHER]],
    )
    expect([early, again]).toEqual([[], []])
    expect(fired).toMatchObject({ change: 'fired', severity: 'warning' })
    expect(fired?.title).toContain('phone')
    expect(fired?.what).toMatch(/HTTP 400\..*2/)
    expect(cleared).toMatchObject({ change: 'cleared', id: fired?.id })
  })

  test('is critical where no other one takes anything', () => {
    expect(changes([2, [FAILS]])).toMatchObject([[{ severity: 'critical' }]])
  })

  test('is no news after a restart, until it is tried again', () => {
    const [, restarted, tried] = changes([2, [FAILS, OTHER]], [3, [UNTRIED, OTHER]], [4, [FAILS, OTHER]])
    expect([restarted, tried]).toEqual([[], []])
  })

  test('is over once the configuration names it no more', () => {
    expect(changes([2, [FAILS, OTHER]], [3, [OTHER]])[1]).toMatchObject([{ change: 'cleared' }])
  })
})
