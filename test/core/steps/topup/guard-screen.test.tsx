import { expect, test } from 'vitest'
import type { GuardStanding } from '../../../../src/core/observe/picture.ts'
import { toldGuard } from '../../../../src/core/pay/guard/standing.ts'
import { initialTopUp } from '../../../../src/core/steps/topup/machine.ts'
import { topUpView } from '../../../../src/core/steps/topup/view.ts'
import { CONFIRM_OBSTACLES } from '../../../../src/core/view/desk-words.ts'
import { StepScreen } from '../../../../src/screens/StepScreen.tsx'
import { armed, handed, setup } from '../../../support/guard-world.ts'
import { openTerminal } from '../../../support/terminal.tsx'
import { recorder } from '../../../support/views.ts'

const cases: [string, GuardStanding][] = [
  ['armed', toldGuard(armed(), 'nobody')],
  ['handed over', toldGuard(handed(1), 'nobody')],
]

test.each(cases)(
  'to cancel a guard that is %s nothing must be paged through at 80 by 24',
  async (_, here) => {
    const guard = { ...initialTopUp.guard, isOpen: true, here }
    const view = topUpView({ ...initialTopUp, guard }, {}, setup)
    const { dispatch, acted } = recorder()
    const screen = await openTerminal(<StepScreen view={view} dispatch={dispatch} />, {
      columns: 80,
      rows: 24,
    })
    await screen.press('x')
    expect(screen.screen()).not.toContain(CONFIRM_OBSTACLES.unread('void'))
    // What the word agrees to is whole above it.
    for (const said of [here.from.slice(2, 6), `nonce ${here.nonce}`, '0 BERA'])
      expect(screen.screen()).toContain(said)
    await screen.pass(1000)
    await screen.type('void')
    await screen.type('\r')
    expect(acted).toEqual(['guardTakenBack'])
    await screen.close()
  },
)
