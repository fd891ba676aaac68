import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import {
  cancellationFeeWei,
  MOST_RUNGS,
  mostFeeOf,
  RUNGS_OF_EXTERNAL,
  rungAmounts,
} from '../../../../src/core/pay/guard/ladder.ts'
import { capOf, ladderOf, mostFeeWei } from '../../../../src/core/pay/guard/terms.ts'
import { raised, TRANSFER_GAS } from '../../../../src/core/pay/payment/candidates.ts'
import { MOST_FEE_WEI, MOST_TIP_WEI } from '../../../../src/core/pay/wallet/fees.ts'
import { MINE, NONCE, PAYER, setup, terms } from '../../../support/guard-world.ts'

const { network } = setup
const STEP = tokens(10_000n)

describe('the amounts of a guard', () => {
  test('are each least step up to the cap', () => {
    expect(rungAmounts(tokens(50_000n), network)).toEqual([1n, 2n, 3n, 4n, 5n].map((count) => count * STEP))
  })

  test('rise by whole steps to the cap, and are never more than are allowed', () => {
    const caps = fc.bigInt({ min: 1n, max: 975n })
    const most = fc.integer({ min: 1, max: MOST_RUNGS })
    fc.assert(
      fc.property(caps, most, (steps, count) => {
        const amounts = rungAmounts(steps * STEP, network, count) ?? []
        expect(amounts.length).toBe(Math.min(Number(steps), count))
        expect(amounts.at(-1)).toBe(steps * STEP)
        for (const [at, amount] of amounts.entries()) {
          expect(amount % STEP).toBe(0n)
          expect(amount).toBeGreaterThan(amounts[at - 1] ?? 0n)
        }
      }),
    )
  })

  test('are twelve at the most, and three for an external signer', () => {
    expect([MOST_RUNGS, RUNGS_OF_EXTERNAL]).toEqual([12, 3])
    const amounts = (steps: bigint) => rungAmounts(steps * STEP, network)?.map((gwei) => gwei / STEP)
    expect(amounts(12n)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n])
    expect(amounts(13n)).toEqual([2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n, 13n])
  })

  test('begin with the least whole step that one call takes', () => {
    const first = (minimum: bigint) =>
      rungAmounts(5n * STEP, { ...network, minimumDepositGwei: minimum })?.map((gwei) => gwei / STEP)
    expect(first(0n)).toEqual([1n, 2n, 3n, 4n, 5n])
    expect(first(STEP)).toEqual([1n, 2n, 3n, 4n, 5n])
    expect(first(STEP + 1n)).toEqual([2n, 3n, 4n, 5n])
    expect(first(2n * STEP)).toEqual([2n, 3n, 4n, 5n])
    expect(first(5n * STEP)).toEqual([5n])
    expect(first(5n * STEP + 1n)).toBeUndefined()
    expect(rungAmounts(0n, { ...network, minimumDepositGwei: 0n })).toBeUndefined()
  })

  test.each([0n, 9_999n, 10_001n, 55_000n])('are none for a cap of %s', (cap) => {
    expect(rungAmounts(tokens(cap), network)).toBeUndefined()
  })
})

describe('the members of a guard', () => {
  const members = (cap: bigint) => ladderOf(terms({ rungsGwei: rungAmounts(tokens(cap), network) ?? [] }))

  test.each([10_000n, 50_000n, 120_000n, 9_750_000n])('of %s differ in value and fees alone', (cap) => {
    const all = members(cap)
    const cancellation = all.at(-1)
    expect(all.map(({ kind }) => kind)).toEqual([...all.slice(1).map(() => 'rung'), 'cancellation'])
    expect(cancellation?.transaction).toMatchObject({ to: PAYER, valueWei: 0n, data: '0x', nonce: NONCE })
    const [first] = all
    for (const { kind, transaction } of all) {
      expect(transaction.nonce).toBe(NONCE)
      expect(transaction.chainId).toBe(network.executionChainId)
      if (kind === 'rung') {
        expect(transaction.to).toBe(network.spec.depositContract)
        expect(transaction.data).toBe(first?.transaction.data)
        expect(transaction.data).toContain(MINE.slice(2))
        expect(transaction.gasLimit).toBe(first?.transaction.gasLimit)
      }
    }
  })

  test.each([10_000n, 120_000n, 9_750_000n])(
    'of %s are each an eighth dearer, two steps below the limit',
    (cap) => {
      const all = members(cap).map(({ transaction }) => transaction)
      for (const [at, { maxFeePerGasWei, maxPriorityFeePerGasWei }] of all.entries()) {
        const before = all[at - 1]
        expect(maxPriorityFeePerGasWei).toBeLessThanOrEqual(maxFeePerGasWei)
        if (before === undefined) continue
        expect(maxFeePerGasWei).toBeGreaterThanOrEqual(raised(before.maxFeePerGasWei))
        expect(maxPriorityFeePerGasWei).toBeGreaterThanOrEqual(raised(before.maxPriorityFeePerGasWei))
      }
      const dearest = all.at(-1)
      // One by hand stays possible, twice.
      expect(raised(raised(dearest?.maxFeePerGasWei ?? 0n))).toBeLessThanOrEqual(MOST_FEE_WEI)
      expect(raised(raised(dearest?.maxPriorityFeePerGasWei ?? 0n))).toBeLessThanOrEqual(MOST_TIP_WEI)
    },
  )

  test('cost at most what is said of them', () => {
    const own = terms()
    const most = ladderOf(own)
      .map(({ transaction }) => transaction.gasLimit * transaction.maxFeePerGasWei)
      .reduce((a, b) => (a > b ? a : b), 0n)
    expect(mostFeeWei(own)).toBe(most)
    const top = ladderOf(own).at(-1)?.transaction.maxFeePerGasWei ?? 0n
    expect(cancellationFeeWei()).toBe(TRANSFER_GAS * top)
    // Where a rung needs next to no gas, the cancellation is what costs most.
    expect(mostFeeOf(3, 1n)).toBe(TRANSFER_GAS * top)
    expect(capOf(own)).toBe(tokens(50_000n))
    expect(capOf({ rungsGwei: [] })).toBe(0n)
  })
})
