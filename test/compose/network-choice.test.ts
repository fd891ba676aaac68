import { expect, test } from 'vitest'
import { networkChoice } from '../../src/compose/network-choice.ts'

const refused = (option: RegExp) =>
  expect.objectContaining({ code: 'usage.option', shortMessage: expect.stringMatching(option) })

test('a descriptor names the network by itself', () => {
  expect(networkChoice({ devnet: 'net/descriptor.json' })).toEqual({
    kind: 'rehearsal',
    which: { descriptor: 'net/descriptor.json' },
  })
})

test.each([
  { devnet: 'descriptor.json', network: 'rehearsal' },
  { devnet: 'descriptor.json', spec: 'spec.toml', genesis: 'genesis.json' },
])('and goes with no other name: %o', (options) => {
  expect(() => networkChoice(options)).toThrow(refused(/^--devnet /))
})

test.each([{ scenario: 'burnt-deposit' }, { scenario: 'burnt-deposit', network: 'rehearsal' }])(
  'a scenario is one of the rehearsal network of this computer: %o',
  (options) => {
    expect(networkChoice(options)).toEqual({ kind: 'rehearsal', which: 'last', scenario: 'burnt-deposit' })
  },
)

test.each([
  { scenario: 'burnt-deposit', devnet: 'descriptor.json' },
  { scenario: 'burnt-deposit', network: 'mainnet' },
  { scenario: 'burnt-deposit', spec: 'spec.toml', genesis: 'genesis.json' },
])('and goes with no other network: %o', (options) => {
  expect(() => networkChoice(options)).toThrow(refused(/^--scenario /))
})

test('a scenario that is not there is refused with the nearest one', () => {
  expect(() => networkChoice({ scenario: 'burned-deposit' })).toThrow('nearest: burnt-deposit')
})
