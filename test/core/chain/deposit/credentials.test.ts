import { describe, expect, test } from 'vitest'
import { addressOf, credentialsOf, parseAddress } from '../../../../src/core/chain/deposit/credentials.ts'

const TYPED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

describe('an address that a person gives', () => {
  test('is taken in small letters, or with its checksum', () => {
    for (const text of [TYPED, TYPED.toLowerCase()]) expect(parseAddress(text)).toBe(TYPED.toLowerCase())
  })

  test.each([
    ['with a capital that does not belong', TYPED.replace('aAeb', 'AAeb')],
    ['all in capitals', `0x${TYPED.slice(2).toUpperCase()}`],
    ['with a digit too few', TYPED.slice(0, -1)],
    ['without 0x', TYPED.slice(2)],
    ['of zeros', `0x${'0'.repeat(40)}`],
  ])('is refused %s', (_, text) => {
    expect(() => parseAddress(text)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^deposit\./) }),
    )
  })

  test('is the one that its credentials pay out to', () => {
    const credentials = credentialsOf(TYPED)
    expect(credentials).toBe(`0x01${'00'.repeat(11)}${TYPED.slice(2).toLowerCase()}`)
    expect(addressOf(credentials)).toBe(TYPED.toLowerCase())
    for (const other of [credentials.replace('0x01', '0x02'), `${credentials}00`, `0x01${'11'.repeat(31)}`])
      expect(() => addressOf(other)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^deposit\./) }),
      )
  })
})
