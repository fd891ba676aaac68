import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatGwei,
  type Gwei,
  gweiToWei,
  parseGroupedTokens,
  parseTokens,
  type Wei,
  weiToGwei,
} from '../../../../src/core/base/format/amount.ts'

describe('an amount as a person types it, with commas', () => {
  test('is read back from every amount as it is shown', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 17n - 1n }), (amountGwei) => {
        const shown = formatGwei(amountGwei)
        expect(parseGroupedTokens(shown)).toBe(amountGwei)
        expect(parseGroupedTokens(shown.replaceAll(',', ''))).toBe(amountGwei)
        expect(parseTokens(shown)).toBe(shown.includes(',') ? undefined : amountGwei)
      }),
    )
  })

  test('is refused where a comma stands anywhere but between thousands', () => {
    const digits = fc.stringMatching(/^\d{1,8}$/)
    fc.assert(
      fc.property(digits, fc.nat(8), (text, at) => {
        const place = Math.min(at, text.length)
        const typed = `${text.slice(0, place)},${text.slice(place)}`
        const isGrouped = place > 0 && place < 4 && text.length - place === 3
        expect(parseGroupedTokens(typed) !== undefined).toBe(isGrouped)
      }),
    )
  })

  test.each(['1,000,', '1,000.', '1,000.1,000', '1.000,5', ',100', '1,0000', '1 000', '1,000e3', '１,000'])(
    'is refused as %j',
    (text) => {
      expect(parseGroupedTokens(text)).toBeUndefined()
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
    const amounts = fc.bigInt({ min: 0n, max: 2n ** 64n })
    fc.assert(fc.property(amounts, (gwei) => weiToGwei(gweiToWei(gwei)) === gwei))
    expect(weiToGwei(1_999_999_999n)).toBe(1n)
  })
})
