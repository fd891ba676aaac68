import { expect, it } from 'vitest'
import { LAUNCH_TEXT } from '../../src/core/wizard/launch/text.ts'
import { Loading } from '../../src/screens/App.tsx'
import { openTerminal } from '../support/terminal.tsx'

it('counts the seconds of a wait from the moment that it is shown', async () => {
  const terminal = await openTerminal(<Loading tell={() => undefined} />)
  expect(terminal.screen()).toContain(`${LAUNCH_TEXT.waits.steps} · 0 s`)
  await terminal.pass(3000)
  expect(terminal.screen()).toContain(`${LAUNCH_TEXT.waits.steps} · 3 s`)
  await terminal.close()
})
