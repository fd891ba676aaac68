import { expect, test } from 'vitest'
import {
  type BeaconBlockHeader,
  balanceLeafGindex,
  credentialsGindex,
  headerRoot,
  proposerGindex,
  pubkeyGindex,
  stateGindex,
} from '../../../../src/core/chain/proofs/merkle.ts'

test('the layout of the state gives the indices that the network uses', () => {
  expect(proposerGindex()).toBe(9n)
  expect(stateGindex()).toBe(11n)
  expect(pubkeyGindex(0n)).toBe(6350779162034176n)
  expect(credentialsGindex(0n)).toBe(6350779162034177n)
  expect(balanceLeafGindex(0n)).toBe(199011604627456n)
})

test('a validator takes eight places and four balances share one', () => {
  expect(pubkeyGindex(7n)).toBe(6350779162034176n + 56n)
  expect(credentialsGindex(7n)).toBe(6350779162034177n + 56n)
  expect(balanceLeafGindex(3n)).toBe(199011604627456n)
  expect(balanceLeafGindex(4n)).toBe(199011604627457n)
})

test('large indexes pass 2^53 without losing a digit', () => {
  expect(pubkeyGindex((1n << 40n) - 1n)).toBe(6350779162034176n + 8n * ((1n << 40n) - 1n))
})

test.each<[string, Partial<BeaconBlockHeader>, string]>([
  ['a root that is too short', { stateRoot: '0x00' }, 'a root is 32 bytes'],
  ['a slot beyond 64 bits', { slot: 1n << 64n }, '64 bits'],
  ['a proposer below zero', { proposerIndex: -1n }, '64 bits'],
])('no root is made of a header with %s', (_, change, words) => {
  const root = `0x${'00'.repeat(32)}` as const
  const header = { slot: 1n, proposerIndex: 1n, parentRoot: root, stateRoot: root, bodyRoot: root }
  expect(headerRoot(header)).toMatch(/^0x[0-9a-f]{64}$/)
  expect(() => headerRoot({ ...header, ...change })).toThrow(words)
})
