import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeWithdrawalCall,
  encodeWithdrawalCall,
  excessOfFee,
  feeWithRoomWei,
  ROOM_REQUESTS,
  requestFeeWei,
  requestOfLog,
} from '../../../../src/core/chain/deposit/withdrawal-call.ts'

const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((raw) => `0x${Buffer.from(raw).toString('hex')}` as const)
const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

describe('a call for a withdrawal request', () => {
  test('is the public key and the amount in eight bytes, big-endian', () => {
    const pubkey = `0x${'ab'.repeat(48)}` as const
    expect(encodeWithdrawalCall({ pubkey, amountGwei: 0n })).toBe(`${pubkey}0000000000000000`)
    expect(encodeWithdrawalCall({ pubkey, amountGwei: 10_000n * 10n ** 9n })).toBe(
      `${pubkey}000009184e72a000`,
    )
  })

  test('is read back as it was written, alone and in a log', () => {
    fc.assert(
      fc.property(bytes(48), amount, bytes(20), (pubkey, amountGwei, sourceAddress) => {
        const data = encodeWithdrawalCall({ pubkey, amountGwei })
        expect(decodeWithdrawalCall(data)).toEqual({ pubkey, amountGwei })
        const log = `${sourceAddress}${data.slice(2)}` as const
        expect(requestOfLog(log)).toEqual({ sourceAddress, pubkey, amountGwei })
        expect(requestOfLog(`${log}00`)).toBeUndefined()
        expect(decodeWithdrawalCall(log)).toBeUndefined()
      }),
    )
  })

  test.each([
    [`0x${'ab'.repeat(47)}`, 0n],
    [`0x${'ab'.repeat(48)}`, 2n ** 64n],
    [`0x${'ab'.repeat(48)}`, -1n],
  ] as const)('is not made of %s and %s', (pubkey, amountGwei) => {
    expect(() => encodeWithdrawalCall({ pubkey, amountGwei })).toThrow(RangeError)
  })
})

describe('the fee', () => {
  test.each([
    [0n, 1n],
    [11n, 1n],
    [17n, 2n],
    [34n, 7n],
    [100n, 357n],
    [170n, 22_019n],
  ])('after %s requests above the target is the standard’s: %s wei', (excess, fee) => {
    expect(requestFeeWei(excess)).toBe(fee)
  })

  test('tells the largest excess that has it, and none for a number that is no fee', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 900n }), (excess) => {
        const fee = requestFeeWei(excess)
        const found = excessOfFee(fee) ?? -1n
        expect(found).toBeGreaterThanOrEqual(excess)
        expect(requestFeeWei(found)).toBe(fee)
        expect(requestFeeWei(found + 1n)).toBeGreaterThan(fee)
      }),
    )
    expect([excessOfFee(0n), excessOfFee(21n), excessOfFee(2n ** 250n)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('with room is enough for so many requests more', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 900n }),
        fc.bigInt({ min: 0n, max: ROOM_REQUESTS }),
        (excess, more) => {
          expect(feeWithRoomWei(excess)).toBeGreaterThanOrEqual(requestFeeWei(excess + more))
        },
      ),
    )
  })
})
