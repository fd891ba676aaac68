import { getAddress } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { accountKind, checkAddress } from '../../../../src/core/chain/identity/check-address.ts'

const OWN = getAddress(`0x${'5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'}`)

describe('an address that is typed', () => {
  test('is taken with its checksum alone', () => {
    expect(checkAddress(OWN)).toBeUndefined()
    expect(checkAddress(OWN.toLowerCase())).toContain(OWN)
    expect(checkAddress(OWN.replace('a', 'A'))).toMatch(/checksum/)
  })

  test('is refused where it is none', () => {
    expect(checkAddress('ann.eth')).toMatch(/begins with 0x/)
    expect(checkAddress(OWN.slice(2))).toMatch(/begins with 0x/)
    expect(checkAddress(OWN.slice(0, -1))).toMatch(/this has 39/)
    expect(checkAddress(`${OWN.slice(0, -1)}g`)).toMatch(/40 characters/)
  })

  test('is explained where the short name of a chain stands before it', () => {
    expect(checkAddress(`eth:${OWN}`)).toMatch(/eth: .* chain/)
    expect(checkAddress(`berachain:${OWN}`)).toMatch(/berachain: .* chain/)
  })

  test('with a character nobody sees is refused by its code point and place', () => {
    expect(checkAddress(`${OWN}\u200b`)).toMatch(/43 of 43 .*U\+200B/)
    expect(checkAddress(`\ufeff${OWN}`)).toMatch(/1 of 43 .*U\+FEFF/)
  })

  test.each([
    `0x${'0'.repeat(40)}`,
    `0x${'0'.repeat(36)}ffff`,
    getAddress('0x4242424242424242424242424242424242424242'),
    getAddress('0x000000000000000000000000000000000000dead'),
  ])('is refused where nobody holds its key: %s', (address) => {
    expect(checkAddress(address)).toMatch(/is gone/)
  })

  test('may be just above those that are kept for the chain', () => {
    const next = `0x${'0'.repeat(35)}10000`
    expect(checkAddress(next)).toBeUndefined()
  })
})

test.each([
  ['sender', { code: '0x', sent: 1, balanceWei: 0n }],
  ['receiver', { code: '0x', sent: 0, balanceWei: 1n }],
  ['unused', { code: '0x', sent: 0, balanceWei: 0n }],
  ['delegated', { code: `0xEF0100${'11'.repeat(20)}`, sent: 1, balanceWei: 1n }],
  ['contract', { code: '0x6001', sent: 1, balanceWei: 1n }],
] as const)('what stands at an address is a %s', (kind, account) => {
  expect(accountKind(account)).toBe(kind)
})
