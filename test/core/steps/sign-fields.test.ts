import { expect, test } from 'vitest'
import type { Setup } from '../../../src/core/facts.ts'
import { BEPOLIA } from '../../../src/core/network/presets.ts'
import {
  initialSign,
  nextField,
  type SignField,
  type SignState,
  signTransition,
} from '../../../src/core/steps/sign/machine.ts'

const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const SETUP: Setup = {
  network: BEPOLIA,
  endpoints: { execution: 'http://127.0.0.1:8545', node: '', engine: '' },
  homePath: '/home/of/the/node',
  journalDirectory: '/state/journal',
  lockDirectory: '/state/locks',
  outputDirectory: '/state',
}

const submit = (state: SignState, field: SignField, text: string): SignState =>
  signTransition(state, { step: 'sign', type: 'submitted', field, text }, SETUP, {})[0]

const typed = submit({ ...initialSign, challengeOffset: 12 }, 'withdrawal', ADDRESS)

test.each(['88b098de', '88b0 98de', '  88B0 98DE '])(
  'the middle of an address may be typed as "%s"',
  (text) => {
    const state = submit(typed, 'withdrawalAgain', text)
    expect([state.error, nextField(state)]).toEqual([undefined, 'operator'])
  },
)

test.each(['88b098df', '88b098d', '', '88b0-98de', ADDRESS])('and not as "%s"', (text) => {
  const state = submit(typed, 'withdrawalAgain', text)
  expect(state.error).toContain('not the characters at that place')
  expect(nextField(state)).toBe('withdrawalAgain')
})
