import type { ComponentType } from 'react'
import { describe, expect, it } from 'vitest'
import type { StepView } from '../../src/core/steps/view.ts'
import { Confirm } from '../../src/screens/Confirm.tsx'
import { Deposit } from '../../src/screens/Deposit.tsx'
import { Genesis } from '../../src/screens/Genesis.tsx'
import { Identity } from '../../src/screens/Identity.tsx'
import { Sign } from '../../src/screens/Sign.tsx'
import { Status } from '../../src/screens/Status.tsx'
import type { StepScreenProps } from '../../src/screens/StepScreen.tsx'
import { TopUp } from '../../src/screens/TopUp.tsx'
import { still } from '../support/still.ts'
import { openTerminal, type TestTerminalOptions } from '../support/terminal.tsx'
import * as views from '../support/views.ts'

const noActions = { act: () => undefined, submit: () => undefined }

const SCREENS: readonly { name: string; Screen: ComponentType<StepScreenProps>; view: StepView }[] = [
  { name: 'genesis', Screen: Genesis, view: views.genesisView },
  { name: 'genesis stopped', Screen: Genesis, view: { ...views.genesisView, problem: views.stopProblem } },
  { name: 'identity', Screen: Identity, view: views.identityView },
  { name: 'sign, typing', Screen: Sign, view: views.signFieldsView },
  { name: 'sign', Screen: Sign, view: views.signView },
  { name: 'deposit', Screen: Deposit, view: views.depositView },
  { name: 'confirm', Screen: Confirm, view: views.confirmView },
  { name: 'top-up', Screen: TopUp, view: views.topUpView },
  { name: 'status', Screen: Status, view: views.statusView },
]

async function frameOf(Screen: ComponentType<StepScreenProps>, view: StepView, options: TestTerminalOptions) {
  const terminal = await openTerminal(<Screen view={view} actions={noActions} />, options)
  const lines = terminal.lines()
  await terminal.close()
  return lines
}

describe.each(SCREENS)('the screen of $name', ({ Screen, view }) => {
  it('draws its whole frame at 80×24', async () => {
    expect(still((await frameOf(Screen, view, {})).join('\n'))).toMatchSnapshot()
  })

  it('draws its whole frame at 120×40', async () => {
    const network = { kind: 'real', label: 'Berachain' } as const
    expect(
      still((await frameOf(Screen, view, { columns: 120, rows: 40, network })).join('\n')),
    ).toMatchSnapshot()
  })

  it('draws plain ASCII where nothing else is possible', async () => {
    const lines = await frameOf(Screen, view, { ascii: true, colours: false })
    expect(still(lines.join('\n'))).toMatchSnapshot()
    expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/)
  })

  it.each([
    [60, 20],
    [40, 12],
    [20, 5],
    [10, 2],
    [200, 60],
  ])('fits a terminal of %i columns and %i rows', async (columns, rows) => {
    const lines = await frameOf(Screen, view, { columns, rows })
    expect(lines).toHaveLength(rows)
    expect(lines[0]).toContain(columns < 20 ? 'RE' : 'REHEARSAL')
  })
})
