import { expect, test } from 'vitest'
import { networkChoice } from '../../src/compose/network-choice.ts'

test('a descriptor names the network by itself', () => {
  expect(networkChoice({ devnet: 'net/descriptor.json' })).toEqual({
    kind: 'devnet',
    descriptor: 'net/descriptor.json',
  })
})

test.each([
  { devnet: 'descriptor.json', network: 'rehearsal' },
  { devnet: 'descriptor.json', spec: 'spec.toml', genesis: 'genesis.json' },
])('and goes with no other name: %o', (options) => {
  expect(() => networkChoice(options)).toThrow('--devnet names a rehearsal network that runs.')
})
