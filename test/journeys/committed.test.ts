import { describe, expect, test } from 'vitest'
import { leaveCommand } from '../../src/commands/leave.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { arm, guardOf, pageOf } from '../support/guarded.ts'
import { press } from '../support/press.ts'
import { journey } from '../support/register.ts'
import { runCommandWith } from '../support/run-command.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
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
