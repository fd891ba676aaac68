import { expect, test } from 'vitest'
import { groupHex, type Hex } from '../../../../src/core/base/format/hex.ts'
import { secretFault } from '../../../../src/core/base/format/text.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../../../src/core/chain/network/presets.ts'
import type { SignField } from '../../../../src/core/steps/sign/facts.ts'
import { initialSign, type SignState, signTransition } from '../../../../src/core/steps/sign/machine.ts'
import { SIGN_TEXT } from '../../../../src/core/steps/sign/text.ts'
import { fieldViews, nextField } from '../../../../src/core/steps/sign/typing.ts'
import { signView } from '../../../../src/core/steps/sign/view.ts'
import { pattern } from '../../../support/pattern.ts'

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

test.each([
  [
    '88b098df',
    'These aren’t characters 13 to 20 of the withdrawal address. Compare the whole address with your own record.',
  ],
  [
    '8ab098de',
    'These aren’t characters 13 to 20 of the withdrawal address. Compare the whole address with your own record.',
  ],
  ['88b098d', 'Type characters 13 to 20 of the withdrawal address: 8 are needed, 7 were typed.'],
  ['', 'Type characters 13 to 20 of the withdrawal address: 8 are needed, 0 were typed.'],
  ['88b0-98de', 'Type characters 13 to 20 of the withdrawal address: 8 are needed, 9 were typed.'],
])('and not as "%s"', (text, why) => {
  const state = submit(typed, 'withdrawalAgain', text)
  expect(state.error).toEqual({ field: 'withdrawalAgain', why })
  expect(nextField(state)).toBe('withdrawalAgain')
})

test('an address may be pasted in the groups that this program shows, and is kept without them', () => {
  const pasted = submit({ ...initialSign, challengeOffset: 12 }, 'withdrawal', ` ${groupHex(ADDRESS)}\n`)
  expect([pasted.error, pasted.accepted.withdrawal]).toEqual([undefined, ADDRESS])
})

test.each([`${ADDRESS}\u200b`, `\ufeff${ADDRESS}`])(
  'an address with a character nobody sees is refused: %j',
  (text) => {
    const { error, accepted } = submit({ ...initialSign, challengeOffset: 12 }, 'withdrawal', text)
    expect([error?.field, accepted]).toEqual(['withdrawal', {}])
  },
)

const shown = (setup: Setup) => {
  const [address, again] = fieldViews({ ...typed, challengeOffset: 16 }, setup)
  return [address?.value, again?.label, again?.hint]
}

test('the part that is asked for again is hidden, and told by its characters', () => {
  expect(shown(SETUP)).toEqual([
    '0x71C7 656E C7ab 88b0[···· ····]1B74 01B5 f6d8 976F',
    'withdrawal 17–24',
    SIGN_TEXT.again.own(SIGN_TEXT.again.of.withdrawal),
  ])
})

test('of the address that a rehearsal proposes it can be read on the screen', () => {
  const [value, label, hint] = shown({ ...SETUP, suggestedAddress: ADDRESS.toLowerCase() as Hex })
  expect(value).toBe('0x71C7 656E C7ab 88b0[98de fB75]1B74 01B5 f6d8 976F')
  expect(label).toBe('withdrawal 17–24')
  expect(hint).toMatch(/^retype the 8 characters between \[ and \] of the withdrawal address;/)
})

test('a field that is gone back to begins with what was typed, but never with a part that is asked for again', () => {
  const begins = (state: SignState) => fieldViews(state, SETUP).map(({ suggestion }) => suggestion)
  expect(begins(typed).slice(0, 2)).toEqual(['', undefined])
  expect(begins(submit(typed, 'withdrawalAgain', '88b098de'))[0]).toBe(ADDRESS)
  const proposed = { ...SETUP, suggestedAddress: ADDRESS.toLowerCase() as Hex }
  expect(fieldViews(typed, proposed)[0]?.suggestion).toBe(ADDRESS)
})

const OTHER = '0x265A731a1233Ca9622999db012BC47CF59ed2E62'
const texts: readonly [SignField, string][] = [
  ['withdrawal', ADDRESS],
  ['withdrawalAgain', '88b098de'],
  ['operator', OTHER],
  ['operatorAgain', 'Ca962299'],
  ['amount', '10,000'],
]
const filled = texts.reduce((state, [field, text]) => submit(state, field, text), {
  ...initialSign,
  challengeOffset: 12,
})

test('a wrong address is corrected after everything was typed: only its own groups are asked for again', () => {
  expect(nextField(filled)).toBeUndefined()
  const corrected = submit(filled, 'operator', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359')
  expect(nextField(corrected)).toBe('operatorAgain')
  const { operatorAgain: _, ...others } = filled.accepted
  expect(corrected.accepted).toEqual({ ...others, operator: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' })
})

test('groups that were typed already are told by their address: no brackets stand around them any more', () => {
  const hints = fieldViews(filled, SETUP).map(({ hint }) => hint)
  expect([hints[1], hints[3]]).toEqual([
    `characters 13 to 20 of ${SIGN_TEXT.again.of.withdrawal}`,
    `characters 13 to 20 of ${SIGN_TEXT.again.of.operator}`,
  ])
  expect(fieldViews(filled, SETUP).map(({ value }) => value)).not.toContainEqual(expect.stringContaining('['))
})

test('groups of an address that were typed again are not asked for twice', () => {
  const same = submit(filled, 'operator', ADDRESS)
  expect(nextField(same)).toBeUndefined()
  expect(same.accepted.operatorAgain).toBe('88b098de')
})

test('the groups that are asked for stay the same on each return to the step', () => {
  const enter = (state: SignState) => signTransition(state, { step: 'sign', type: 'entered' }, SETUP, {})[1]
  expect(enter(initialSign).map(({ type }) => type)).toContain('challenge')
  expect(enter(typed).map(({ type }) => type)).not.toContain('challenge')
  expect(enter(filled).map(({ type }) => type)).not.toContain('challenge')
})

test('a plan that is dropped leaves what was typed for it in the fields', () => {
  const plan = {
    withdrawalAddress: ADDRESS,
    operator: OTHER,
    amountGwei: 10_000_000_000_000n,
    rescue: false,
  } as const
  const planned = { ...initialSign, challengeOffset: 12, plan }
  const [state] = signTransition(planned, { step: 'sign', type: 'dropped' }, SETUP, {})
  expect([state.plan, nextField(state)]).toEqual([undefined, undefined])
  expect(state.accepted).toMatchObject({ withdrawal: ADDRESS, operator: OTHER, amount: '10000' })
})

test('where the deposit file was written stands above everything that scrolls away', () => {
  const plan = {
    withdrawalAddress: ADDRESS,
    operator: ADDRESS,
    amountGwei: 10_000_000_000_000n,
    rescue: false,
  } as const
  const view = signView({ ...initialSign, plan, filePath: '/state/deposit.json' }, SETUP)
  expect(view.intro).toBe(SIGN_TEXT.intro.written('/state/deposit.json'))
})

test.each([
  [
    '10000000000000',
    'An amount of tokens has at most 8 digits before the point. If it is in gwei, write 10000.',
  ],
  ['10000001', 'The most is 10,000,000 BERA: a validator can hold no more.'],
  ['10,000,000,000', 'An amount of tokens has at most 8 digits before the point.'],
  ['10000.0000000001', 'An amount has at most 9 decimals.'],
  ['10.000', 'Unclear: 10.000 can be 10 or 10,000. For thousands write 10000, for decimals 10.0000.'],
  ['1e4', 'Type digits, with a point for decimals: 10000, 10,000 or 10000.5.'],
  ['1,0000', 'Type digits, with a point for decimals: 10000, 10,000 or 10000.5.'],
  ['10000 500', 'Type digits, with a point for decimals: 10000, 10,000 or 10000.5.'],
])('the amount "%s" is refused for what is wrong with it', (text, why) => {
  expect(submit(filled, 'amount', text).error).toEqual({ field: 'amount', why })
})

test('an amount is shown with commas, however it was typed, and begins without them when it is corrected', () => {
  const amount = fieldViews(submit(submit(filled, 'amount', '250000.5'), 'amount', '250000.5'), SETUP).at(-1)
  expect([amount?.value, amount?.suggestion]).toEqual(['250,000.5', '250000.5'])
})

test.each([`0x${'ab'.repeat(32)}`, 'ab'.repeat(32)])(
  'what may be a private key is called so where an address is asked for: %s',
  (text) => {
    const fault = secretFault(text)
    expect(fault).toBeDefined()
    const why = submit({ ...initialSign }, 'withdrawal', text).error?.why
    expect(why).toMatch(pattern`^${fault ?? ''} .* 40 .* 0x`)
  },
)

test('in a rescue the operator is shown like any address, and its characters as the characters that they are', () => {
  const rescue: SignState = {
    ...initialSign,
    challengeOffset: 12,
    accepted: { operator: ADDRESS.toLowerCase(), operatorAgain: ADDRESS.toLowerCase() },
  }
  const values = fieldViews(rescue, SETUP).map(({ id, value }) => [id, value])
  expect(values).toContainEqual(['operator', ADDRESS])
  expect(values).toContainEqual(['operatorAgain', '88b098de'])
})

test('an amount of which a part buys nothing says so before it is signed, and is taken when typed again', () => {
  const warned = submit(filled, 'amount', '10000.5')
  expect([warned.error?.field, warned.accepted.amount]).toEqual(['amount', filled.accepted.amount])
  expect(warned.error?.why).toContain('0.5 ')
  const kept = submit(warned, 'amount', '10000.5')
  expect([kept.error, kept.accepted.amount]).toEqual([undefined, '10000.5'])
  expect(submit(filled, 'amount', '20000').error).toBeUndefined()
})
