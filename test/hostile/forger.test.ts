import { describe, expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { FORGERS } from '../../src/core/chain/network/scenario-names.ts'
import { arm, guardOf, isOutbid, ownRecord, sentByGuard } from '../support/guarded.ts'
import { journey, register } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { startWorld } from '../support/world.ts'

/** Forgers whose blocks are never the set's. */
const NEVER_SIGNED = FORGERS.filter((forger) => forger !== 'stale')

/** The same world in which, from some moment on, the engine's blocks carry a signature that the set never made. */
function forging(isForged: () => boolean) {
  return (effects: Effects): Effects => ({
    ...effects,
    http: {
      async request(asked) {
        const reply = await effects.http.request(asked)
        if (!isForged() || !/\/commit(?:\?|$)/.test(asked.url)) return reply
        const text = new TextDecoder().decode(reply.body)
        const changed = text.replace(/"signature":"([A-Za-z0-9+/]{8})/, '"signature":"AAAAAAAA')
        return { ...reply, body: new TextEncoder().encode(changed) }
      },
    },
  })
}

describe('a forger that is all endpoints at once', () => {
  test.each(NEVER_SIGNED)('gets no first deposit (%s)', (forger) =>
    journey({ forger, patienceSeconds: 60 }, ({ world, ending }) => {
      expect(ending).toMatchObject({
        end: 'waiting',
        step: 'deposit',
        words: expect.stringMatching(/: 127\.0\.0\.1:\d+, block \d+: /),
      })
      expect(world.wire).toEqual([])
    }),
  )

  test('moves no guard by a danger that the set did not sign', async () => {
    let isForged = false
    const world = await startWorld({ scenario: 'outbid-while-active' })
    try {
      await world.clock.flow(async () => {
        const session = await world.session(world.begin({ mutate: forging(() => isForged) }))
        expect(await register(world, session)).toEqual({ end: 'active' })
        await arm(session, '50000')
        await until(session, ({ status }) => status.guard?.holder === 'here')
        const before = (await ownRecord(world)).balanceGwei
        isForged = true
        while (!isOutbid(world)) await session.clock.sleep(1_000)
        await session.clock.sleep(40_000)
        expect((await ownRecord(world)).balanceGwei).toBe(before)
        expect(sentByGuard(world)).toEqual([])
        expect(guardOf(session)).toMatchObject({ stand: 'armed', troubles: ['unproven'] })
      })
    } finally {
      await world.end()
    }
  })
})
