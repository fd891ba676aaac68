import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatGwei,
  type Gwei,
  gweiToWei,
  parseTokens,
  readTokens,
  tokens,
  typedGwei,
  type Wei,
  weiToGwei,
} from '../../../../src/core/base/format/amount.ts'

const amounts = fc.bigInt({ min: 0n, max: 10n ** 17n - 1n })
/** Amounts whose decimals end with the third one, as thousands do. */
const short = fc.bigInt({ min: 0n, max: 10n ** 7n }).map((thousandths) => thousandths * 1_000_000n)

describe('an amount as a person types it', () => {
  test('is read back from every amount as it is typed, and as it is shown unless that is unclear', () => {
    fc.assert(
      fc.property(fc.oneof(amounts, short), (amountGwei) => {
        const shown = formatGwei(amountGwei)
        expect(parseTokens(typedGwei(amountGwei))).toBe(amountGwei)
        expect([amountGwei, undefined]).toContain(parseTokens(shown))
        if (shown.includes(',')) expect(parseTokens(shown)).toBe(amountGwei)
      }),
    )
  })

  test('is refused where it means another amount to somebody whose comma is for decimals', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,8}[.,]\d{1,4}$/), (text) => {
        const swapped = text.replace(/[.,]/, (mark) => (mark === '.' ? ',' : '.'))
        const both = [parseTokens(text), parseTokens(swapped)]
        expect(both).toContain(undefined)
      }),
    )
  })

  test('is refused where a comma stands anywhere but between thousands', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,7}$/)
    fc.assert(
      fc.property(digits, fc.nat(8), (text, at) => {
        const place = Math.min(at, text.length)
        const typed = `${text.slice(0, place)},${text.slice(place)}`
        const isGrouped = place > 0 && place < 4 && text.length - place === 3
        expect(parseTokens(typed) !== undefined).toBe(isGrouped)
      }),
    )
  })

  test.each(['10.000', '1.500', '250.000', '010.000', '0,100', '1.000.000'])(
    'is refused as %s, which has two meanings or none',
    (text) => {
      expect(parseTokens(text)).toBeUndefined()
    },
  )

  test.each([
    ['0.500', tokens(1n) / 2n],
    ['10.0000', tokens(10n)],
    ['10,000.500', tokens(20_001n) / 2n],
    ['1000.500', tokens(2_001n) / 2n],
  ])('is taken as %s', (text, amountGwei) => {
    expect(readTokens(text)).toEqual({ amountGwei })
  })

  test('that has a character nobody sees is refused by its code point and place', () => {
    expect(readTokens('10\u202f000')).toEqual({ error: expect.stringMatching(/3 of 6 .*U\+202F/) })
  })

  test.each(['1,000,', '1,000.', '1,000.1,000', '1.000,5', ',100', '1,0000', '1 000', '1,000e3', '１,000'])(
    'is refused as %j',
    (text) => {
      expect(parseTokens(text)).toBeUndefined()
    },
  )
})

describe('the unit of an amount', () => {
  type Takes<Place, Amount> = Amount extends Place ? true : false

  test('is never taken for the other, and a number that is written out is of either', () => {
    const taken: [
      Takes<Gwei, Wei>,
      Takes<Wei, Gwei>,
      Takes<Gwei, bigint>,
      Takes<Wei, 0n>,
      Takes<bigint, Wei>,
    ] = [false, false, true, true, true]
    expect(taken).toHaveLength(5)
  })

  test('is changed without loss, where there is no part of a gwei', () => {
    const any = fc.bigInt({ min: 0n, max: 2n ** 64n })
    fc.assert(fc.property(any, (gwei) => weiToGwei(gweiToWei(gwei)) === gwei))
    expect(weiToGwei(1_999_999_999n)).toBe(1n)
  })
})
