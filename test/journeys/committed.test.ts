import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leaveCommand } from '../../src/commands/leave.ts'
import { type GuardStanding, heldElsewhereBy } from '../../src/core/observe/picture.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { arm, guardOf, pageOf, topUpOf } from '../support/guarded.ts'
import { press } from '../support/press.ts'
import { journey } from '../support/register.ts'
import { runCommandWith } from '../support/run-command.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { beginWatch } from '../support/watch-run.ts'
import type { World } from '../support/world.ts'

/** The command, with the journals of this computer. */
async function leave(world: World) {
  const { pubkey } = await userOf(world.devnet)
  const { descriptor } = world.devnet
  const named = ['--devnet', JSON.stringify(descriptor), '--state', world.directory, '--validator', pubkey]
  return world.clock.flow(() => runCommandWith(leaveCommand, [...named, '--json'], world.begin().effects))
}

const requestIn = ({ json }: Awaited<ReturnType<typeof leave>>) =>
  (json() as unknown as { request: { nonce: number } | null }).request

const leavePage = (session: Session) => viewOf('status', session.getState(), session)

describe('a validator whose guard is armed', () => {
  test('gets no request with the nonce of the guard, and one once that is cancelled', () =>
    journey({ scenario: 'free-places' }, async ({ world, session }) => {
      await world.clock.flow(() => arm(session, '50000'))
      const { nonce } = guardOf(session) ?? (pageOf(session).here as { nonce: number })
      const refused = await leave(world)
      expect([refused.code, requestIn(refused)]).toEqual([1, null])
      expect(refused.json().rows.find(({ id }) => id === 'open')).toMatchObject({ mark: 'refused' })
      expect(refused.json().notes.join(' ')).toContain('bearings --validator')
      // The page says the same, and leads to the one on which the guard is cancelled.
      await press(session, 'status', 'l')
      await press(session, 'status', 'l')
      await press(session, 'status', 'w')
      await world.clock.flow(() => until(session, () => leavePage(session).verdict?.mark === 'refused'))
      expect(leavePage(session).actions.map(({ key }) => key)).not.toContain('s')
      expect(leavePage(session).commands).toHaveLength(1)
      await press(session, 'status', 'g')
      await world.clock.flow(() => until(session, ({ topup }) => typeof topup.guard.here === 'object'))
      await press(session, 'topup', 'x')
      await world.clock.flow(() => until(session, ({ topup }) => topup.guard.work === undefined))
      expect(pageOf(session)).toMatchObject({ failure: undefined, here: { stand: 'over', end: 'cancelled' } })
      const made = await leave(world)
      expect([made.code, requestIn(made)?.nonce]).toEqual([0, nonce + 1])
    }))
})

describe('a guard that another process holds', () => {
  test('is voided by that process when its owner asks for it, and the account is free while that one runs on', () =>
    journey({ scenario: 'free-places' }, ({ world, session: before }) =>
      world.clock.flow(async () => {
        await arm(before, '50000')
        // A window that has paid keeps the account until it ends.
        await before.stop()
        const watch = await beginWatching(world)
        // The watch has the account before another window asks for it.
        await before.clock.sleep(10_000)
        const session = await world.session(world.begin({}))
        await session.start()
        await until(session, ({ topup }) => typeof topup.guard.here === 'object')
        await session.dispatch({ step: 'session', type: 'went', to: 'confirm' })
        await until(session, () => session.facts().registration !== undefined)
        await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
        await session.dispatch({ step: 'topup', type: 'guardTurned', open: true })
        const { here } = pageOf(session)
        expect(isHeldElsewhere(here)).toBe(true)
        // Nobody is asked to hold it.
        const heldBy = heldElsewhereBy(here as GuardStanding) ?? ''
        expect(topUpOf(session).verdict?.text).toContain(heldBy)
        await press(session, 'topup', 'x')
        await until(session, ({ topup }) => topup.guard.work === undefined)
        expect(pageOf(session)).toMatchObject({
          failure: undefined,
          here: { stand: 'over', end: 'cancelled' },
        })
        expect(world.guardLines().filter((type) => type === 'guard.handing')).toHaveLength(1)
        // The watch goes on, and has let go of the account: another guard can be armed.
        await session.dispatch({ step: 'session', type: 'went', to: 'status' })
        await arm(session, '30000')
        await watch.stop()
      }),
    ))
})

const isHeldElsewhere = (here: GuardStanding | string): boolean =>
  typeof here === 'object' && heldElsewhereBy(here) !== undefined

/** A watch that holds the guard of the user. */
async function beginWatching(world: World) {
  const { pubkey } = await userOf(world.devnet)
  const { effects } = world.begin()
  const argv = ['--devnet', join(world.directory, 'descriptor.json'), '--lang', 'en', '--guard', pubkey]
  return beginWatch(argv, { effects, directory: world.directory })
}
