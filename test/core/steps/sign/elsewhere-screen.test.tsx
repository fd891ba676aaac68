import { expect, test } from 'vitest'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../../../src/core/chain/network/presets.ts'
import { initialSign, type SignState, signTransition } from '../../../../src/core/steps/sign/machine.ts'
import { SIGN_TEXT } from '../../../../src/core/steps/sign/text.ts'
import { signView } from '../../../../src/core/steps/sign/view.ts'
import type { Event } from '../../../../src/core/wizard/state.ts'
import { StepScreen } from '../../../../src/screens/StepScreen.tsx'
import { openTerminal } from '../../../support/terminal.tsx'

const ESC = '\u001b[27u'
const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const SETUP: Setup = {
  network: BEPOLIA,
  endpoints: { execution: 'http://127.0.0.1:8545', node: '', engine: '' },
  homePath: '/home/of/the/node',
  journalDirectory: '/state/journal',
  lockDirectories: ['/state/locks'],
  outputDirectory: '/state',
}
const ACCEPTED = {
  withdrawal: ADDRESS,
  withdrawalAgain: 'C7ab88b0',
  operator: ADDRESS,
  operatorAgain: 'C7ab88b0',
  amount: '10000',
}

test('Esc leads out of signing elsewhere step by step: the field, the plan, the step before', async () => {
  let state: SignState = { ...initialSign, challengeOffset: 8, accepted: ACCEPTED }
  const left: Event[] = []
  const take = (events: readonly Event[]) => {
    for (const event of events)
      if (event.step === 'sign') state = signTransition(state, event, SETUP, {})[0]
      else left.push(event)
  }
  const shown = () => <StepScreen view={signView(state, SETUP)} dispatch={take} />
  const terminal = await openTerminal(shown())
  const press = async (key: string) => {
    await terminal.press(key)
    await terminal.rerender(shown())
  }
  await press('f')
  expect(state.plan?.elsewhere).toBe(true)
  await press(ESC)
  expect(terminal.screen()).toContain(`Esc ${SIGN_TEXT.keys.unplan}`)
  await press(ESC)
  expect(state.plan).toBeUndefined()
  expect(state.accepted).toMatchObject({ withdrawal: ADDRESS, amount: '10000' })
  expect(terminal.screen()).toContain(`f ${SIGN_TEXT.keys.elsewhere}`)
  expect(left).toEqual([])
  await press(ESC)
  expect(left).toEqual([{ step: 'session', type: 'went', to: 'identity' }])
  await terminal.close()
})
