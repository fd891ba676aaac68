import { expect, test } from 'vitest'
import {
  balanceLeafGindex,
  credentialsGindex,
  proposerGindex,
  pubkeyGindex,
  stateGindex,
} from '../../../../src/core/chain/proofs/gindex.ts'

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
