import { describe, expect } from 'vitest'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { arm, over, ownRecord, sentByGuard, TOKENS } from '../support/guarded.ts'
import { hardTest } from '../support/hard.ts'
import type { Cut, Moment } from '../support/life.ts'
import { register } from '../support/register.ts'
import { userOf } from '../support/user-of.ts'
import { startWorld } from '../support/world.ts'

/** Where the process of a guard dies: at a line of its journal, at its signature, or over its bytes. */
type Death = readonly [what: string, dies: (moment: Moment) => boolean, cut: Cut]

/** The nth line of a type: the registration has written those of a payment before, twice. */
function line(type: string, nth = 1) {
  let seen = 0
  return (moment: Moment): boolean => {
    if (moment.act !== 'append' || moment.type !== type) return false
    seen += 1
    return seen === nth
  }
}

function bytes() {
  const seen = new Set<string>()
  return (moment: Moment): boolean => {
    if (moment.act !== 'send') return false
    seen.add(moment.raw)
    return seen.size === 3
  }
}

const DEATHS: readonly Death[] = [
  ['before the line that arms it', line('guard.armed'), 'before'],
  [
    'with its members signed and not written down',
    (moment) => moment.act === 'sign' && moment.verb === 'signGuard',
    'after',
  ],
  ['in the middle of the line that arms it', line('guard.armed'), 'torn'],
  ['after the line that arms it', line('guard.armed'), 'after'],
  ['before the line that an amount is handed over', line('guard.handing'), 'before'],
  ['in the middle of the line that an amount is handed over', line('guard.handing'), 'torn'],
  ['after the line that an amount is handed over', line('guard.handing'), 'after'],
  ['before its bytes leave', bytes(), 'before'],
  ['once its bytes have left', bytes(), 'after'],
  ['after the line that its bytes have left', line('topup.handed-over', 2), 'after'],
  ['before the line that it is in a block', line('topup.included', 2), 'before'],
  ['after the line that it is in a block', line('topup.included', 2), 'after'],
  ['before the line that it is paid', line('topup.ended', 2), 'before'],
  ['after the line that it is paid', line('topup.ended', 2), 'after'],
]

describe('a guard whose process dies', () => {
  hardTest.each(DEATHS)('%s: the next one pays once and keeps the place', async (_, dies, cut) => {
    const world = await startWorld({ scenario: 'outbid-while-active' })
    try {
      const user = await userOf(world.devnet)
      const life = world.begin({ dies: (moment) => (dies(moment) ? cut : undefined) })
      const lived = await world.clock.flow(() =>
        Promise.race([
          (async () => {
            const session = await world.session(life)
            await register(world, session)
            await arm(session, '50000')
            await over(session)
            return 'lived' as const
          })(),
          life.died,
        ]),
      )
      expect(lived).not.toBe('lived')
      const isOver = world.guardLines().includes('topup.ended')
      await world.clock.flow(async () => {
        const session = await world.session(world.begin({}))
        await register(world, session)
        await session.dispatch({ step: 'session', type: 'went', to: 'status' })
        if (!world.guardLines().includes('guard.armed')) await arm(session, '50000')
        if (!isOver) await over(session)
        await session.clock.sleep(30_000)
      })
      const { validator, balanceGwei } = await ownRecord(world)
      expect(validator?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
      expect(balanceGwei).toBe(300_000n * TOKENS)
      expect(sentByGuard(world)).toHaveLength(1)
      expect(Number(await user.rpc('eth_getTransactionCount', [user.address, 'pending']))).toBe(3)
    } finally {
      await world.end()
    }
  })
})
