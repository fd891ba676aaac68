import { describe, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import {
  GUARD_TROUBLES,
  type GuardStanding,
  LIMITS,
  type NetworkPicture,
} from '../../src/core/observe/picture.ts'
import { type GuardEvent, guardTransition } from '../../src/core/pay/guard/guard.ts'
import { toldGuard } from '../../src/core/pay/guard/standing.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { armed, handed, hashOf, MINE, setup } from '../support/guard-world.ts'

const context = { network: setup.network, wizardOptions: ['--network', 'mainnet'], limits: LIMITS }
const CANCELLATION = 5

const pictureOf = (over: Pick<NetworkPicture, 'guards' | 'unguarded'>): NetworkPicture => ({
  atMs: 1_800_000_000_000,
  heads: [],
  validators: [{ pubkey: MINE }],
  ...over,
})

/** The events of looks that see these guards, one after another; nothing is told of anything else. */
function told(...looks: readonly Pick<NetworkPicture, 'guards' | 'unguarded'>[]) {
  let memory: WatchMemory = emptyMemory(setup.network)
  return looks.map((look) => {
    const next = watchTransition(memory, pictureOf(look), context)
    memory = next.memory
    return next.events.filter(({ alarm }) => alarm.startsWith('guard-'))
  })
}

const seen = (guard: GuardStanding) => ({ guards: [guard], unguarded: [] })
const included: GuardEvent = {
  type: 'included',
  hash: hashOf(CANCELLATION),
  blockNumber: 12_345n,
  blockHash: `0x${'cc'.repeat(32)}`,
  feeWei: 1n,
}

describe('the alarms of a guard', () => {
  test.each(GUARD_TROUBLES.map((id) => [id] as const))('name what keeps it from helping: %s', (id) => {
    const guard = { ...toldGuard(armed(), 'here'), troubles: [id] }
    const [[fired] = [], [cleared] = []] = told(seen(guard), seen(toldGuard(armed(), 'here')))
    expect(fired).toMatchObject({ alarm: `guard-${id}`, change: 'fired', validator: { pubkey: MINE } })
    expect(fired?.next).toBeTruthy()
    expect(cleared).toMatchObject({ alarm: `guard-${id}`, change: 'cleared' })
  })

  test('are critical where nobody holds it, and where another window has its account alone', () => {
    const [[unheld] = [], [barred] = []] = [
      ...told(seen(toldGuard(armed(), 'nobody'))),
      ...told(seen(toldGuard(armed(), { barredBy: 'Process 7 has it.' }))),
    ]
    expect(unheld).toMatchObject({ alarm: 'guard-unheld', severity: 'critical' })
    expect(barred).toMatchObject({ alarm: 'guard-unheld', severity: 'critical' })
    expect(barred?.what).toContain('Process 7 has it.')
    expect(barred?.next).not.toBe(unheld?.next)
  })

  test('say that another process holds it, and what it has sent once that is over', () => {
    const [[held] = []] = told(seen(toldGuard(armed(), { heldBy: 'Process 7 has it.' })))
    expect(held).toMatchObject({ alarm: 'guard-held', severity: 'info' })
    expect(held?.what).toContain('Process 7 has it.')
  })

  test('name the amount that was sent, once, and that it was paid', () => {
    const sent = toldGuard(handed(1), 'here')
    const paid = { ...sent, stand: 'over', end: 'paid', block: 12_345n } as const
    const [[fired] = [], again, [cleared] = []] = told(seen(sent), seen(sent), seen(paid))
    expect(fired).toMatchObject({ alarm: 'guard-sent', change: 'fired', severity: 'warning' })
    expect(fired?.title).toContain('20,000 BERA')
    expect(again).toEqual([])
    expect(cleared?.what).toMatch(/20,000 BERA.*12,345/)
  })

  test('say of a cancellation that it waits, which amount may be first, its block, and that nothing was paid', () => {
    const alone = handed(CANCELLATION)
    const beside = handed(CANCELLATION, handed(3))
    const inBlock = guardTransition(beside, included) ?? beside
    const ended = guardTransition(inBlock, { type: 'ended', outcome: { is: 'cancelled' } }) ?? inBlock
    const [[waits] = []] = told(seen(toldGuard(alone, 'here')))
    expect(waits?.title).toContain('being cancelled')
    expect(`${waits?.what}`).not.toContain('BERA')
    const [[mayBeFirst] = [], , [cleared] = []] = told(
      seen(toldGuard(beside, 'here')),
      seen(toldGuard(inBlock, 'here')),
      seen(toldGuard(ended, 'nobody')),
    )
    expect(mayBeFirst?.what).toContain('40,000 BERA')
    expect(cleared?.what).toContain('12,345')
    expect(cleared?.what).not.toContain('BERA')
    const [[first] = []] = told(seen(toldGuard(inBlock, 'here')))
    expect(first?.title).toContain('being cancelled')
    expect(first?.what).toContain('12,345')
  })

  test('stay as they are until the guards were looked at, and end where there is none', () => {
    const held = seen(toldGuard(armed(), { heldBy: 'Process 7.' }))
    const [fired, started, none] = told(
      held,
      { guards: [], unguarded: [] },
      { guards: [], unguarded: [MINE] },
    )
    expect(fired).toHaveLength(1)
    expect(started).toEqual([])
    expect(none).toMatchObject([{ alarm: 'guard-held', change: 'cleared' }])
  })

  test('say how much is missing where the cap is too small', () => {
    const guard: GuardStanding = {
      ...toldGuard(armed(), 'here'),
      troubles: ['cap'],
      missingGwei: tokens(70_000n),
    }
    const [[fired] = []] = told(seen(guard))
    expect(fired?.what).toMatch(/70,000 BERA.*50,000 BERA/)
  })
})
