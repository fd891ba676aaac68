import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feesFor, gasLimitFor } from '../../../../src/core/pay/wallet/fees.ts'

const GWEI = 10n ** 9n
const anyWei = fc.bigInt({ min: 0n, max: 10n ** 30n })
/** Base fees that leave room for every tip below the most that is ever offered. */
const baseFee = fc.bigInt({ min: 0n, max: 475n * GWEI })

describe('the price of a transaction', () => {
  test('outlives a doubling of the base fee and is never under the floor of the chain', () =>
    fc.assert(
      fc.property(baseFee, anyWei, (baseFeeWei, tipWei) => {
        const { maxFeePerGasWei, maxPriorityFeePerGasWei } = feesFor(baseFeeWei, tipWei)
        expect(maxFeePerGasWei >= 2n * baseFeeWei + maxPriorityFeePerGasWei).toBe(true)
        expect(maxFeePerGasWei >= 2n * GWEI).toBe(true)
      }),
    ))

  test('cannot be driven up by the tip that an endpoint suggests', () =>
    fc.assert(
      fc.property(baseFee, anyWei, (baseFeeWei, tipWei) => {
        const { maxFeePerGasWei, maxPriorityFeePerGasWei } = feesFor(baseFeeWei, tipWei)
        expect(maxPriorityFeePerGasWei >= GWEI && maxPriorityFeePerGasWei <= 50n * GWEI).toBe(true)
        expect(maxFeePerGasWei <= 2n * baseFeeWei + 50n * GWEI).toBe(true)
      }),
    ))

  test('is refused, not paid, when the base fee is beyond reason', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 500n * GWEI, max: 10n ** 30n }), anyWei, (baseFeeWei, tipWei) => {
        expect(() => feesFor(baseFeeWei, tipWei)).toThrow('no sound chain')
      }),
    ))

  test('takes a sensible suggestion as it is', () => {
    expect(feesFor(10n * GWEI, 3n * GWEI)).toEqual({
      maxFeePerGasWei: 23n * GWEI,
      maxPriorityFeePerGasWei: 3n * GWEI,
    })
    expect(feesFor(0n, 0n)).toEqual({ maxFeePerGasWei: 2n * GWEI, maxPriorityFeePerGasWei: GWEI })
  })
})

describe('the gas limit', () => {
  test('is half more than the estimate, between 150,000 and 500,000', () => {
    const estimates = [0n, 99_999n, 100_000n, 100_001n, 200_000n, 333_333n, 400_000n, 10n ** 30n]
    expect(estimates.map(gasLimitFor)).toEqual([
      150_000n,
      150_000n,
      150_000n,
      150_001n,
      300_000n,
      499_999n,
      500_000n,
      500_000n,
    ])
  })

  test('never falls when the estimate rises', () =>
    fc.assert(
      fc.property(anyWei, anyWei, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        expect(gasLimitFor(low) <= gasLimitFor(high)).toBe(true)
      }),
    ))
})
