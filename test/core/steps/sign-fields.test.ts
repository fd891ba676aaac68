import { expect, test } from 'vitest'
import type { Setup } from '../../../src/core/facts.ts'
import type { Hex } from '../../../src/core/format/hex.ts'
import { BEPOLIA } from '../../../src/core/network/presets.ts'
import { fieldViews } from '../../../src/core/steps/sign/fields.ts'
import {
  initialSign,
  nextField,
  type SignField,
  type SignState,
  signTransition,
} from '../../../src/core/steps/sign/machine.ts'
import { signView } from '../../../src/core/steps/sign/view.ts'

const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const SETUP: Setup = {
  network: BEPOLIA,
  endpoints: { execution: 'http://127.0.0.1:8545', node: '', engine: '' },
  homePath: '/home/of/the/node',
  journalDirectory: '/state/journal',
  lockDirectories: ['/state/locks'],
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

const shown = (setup: Setup) => {
  const [address, again] = fieldViews({ ...typed, challengeOffset: 16 }, setup)
  return [address?.value, again?.hint]
}

test('the part that is asked for again is hidden, and told by its groups', () => {
  expect(shown(SETUP)).toEqual([
    '0x71C7 656E C7ab 88b0 ···· ···· 1B74 01B5 f6d8 976F',
    'groups 5 and 6 of its ten, from your own record',
  ])
})

test('of the address that a rehearsal proposes it can be read on the screen', () => {
  const [value, hint] = shown({ ...SETUP, suggestedAddress: ADDRESS.toLowerCase() as Hex })
  expect(value).toBe(ADDRESS)
  expect(hint).toContain('groups 5 and 6 of its ten, from the line above')
})

test('where the deposit file was written stands above everything that scrolls away', () => {
  const plan = {
    withdrawalAddress: ADDRESS,
    operator: ADDRESS,
    amountGwei: 10_000_000_000_000n,
    rescue: false,
  } as const
  const view = signView({ ...initialSign, plan, filePath: '/state/deposit.json' }, SETUP)
  expect(view.intro).toBe('The deposit file was written: /state/deposit.json')
})
