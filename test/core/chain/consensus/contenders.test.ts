import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import {
  type Contender,
  gatherContenders,
  rankTable,
  stateOfContenders,
} from '../../../../src/core/chain/consensus/placing.ts'
import { FAR_FUTURE_EPOCH } from '../../../../src/core/chain/consensus/state.ts'
import { credentials, pubkey, shortSpec, validatorOf } from './model.ts'

const NONE = { pendingPartialWithdrawals: [], nextWithdrawalIndex: 0n, nextWithdrawalValidatorIndex: 0 }

type Draw = { units: number; key: number; leaves: boolean }

/** A validator of `units` times 10,000 tokens; keys repeat no index, but their order is not that of the indexes. */
function contender({ units, key, leaves }: Draw, index: number): Contender {
  const balanceGwei = tokens(BigInt(units) * 10_000n)
  return {
    index,
    balanceGwei,
    validator: validatorOf({
      pubkey: pubkey(key * 10_000 + index),
      withdrawalCredentials: credentials(index),
      effectiveBalanceGwei: balanceGwei,
      activationEligibilityEpoch: 0n,
      activationEpoch: 0n,
      exitEpoch: leaves ? 7n : FAR_FUTURE_EPOCH,
      withdrawableEpoch: leaves ? 9n : FAR_FUTURE_EPOCH,
    }),
  }
}

function gather(
  all: readonly Contender[],
  options: { places: number; keep?: readonly number[] },
): Contender[] {
  const keep = (options.keep ?? []).flatMap((at) => all[at]?.validator.pubkey ?? [])
  const gatherer = gatherContenders({ places: options.places, keep })
  for (const one of all) gatherer.add(one)
  return gatherer.done()
}

const draw = fc.record({
  units: fc.integer({ min: 1, max: 60 }),
  key: fc.nat(1000),
  leaves: fc.boolean(),
})

describe('the contenders of a registry', () => {
  test('are all of it, as they came, up to 4,096', () => {
    const all = Array.from({ length: 4096 }, (_, index) =>
      contender({ units: 1 + (index % 50), key: index % 7, leaves: index % 3 === 0 }, index),
    )
    expect(gather(all, { places: 3 })).toEqual(all)
    expect(gather([], { places: 3 })).toEqual([])
  })

  test('are the strongest of a larger one, and those that are asked for', () => {
    const spec = shortSpec({ validatorSetCap: 69 })
    const sample = fc.array(draw, { minLength: 200, maxLength: 200 })
    fc.assert(
      fc.property(sample, fc.uniqueArray(fc.nat(9999), { maxLength: 5 }), (draws, keep) => {
        const all = Array.from({ length: 10_000 }, (_, index) => {
          const { units, key, leaves } = draws[(index * 7919) % draws.length] ?? {
            units: 1,
            key: 1,
            leaves: false,
          }
          return contender({ units, key: (key + index) % 1000, leaves }, index)
        })
        const kept = gather(all, { places: 69, keep })
        expect(kept.length).toBeGreaterThanOrEqual(512)
        expect(kept.length).toBeLessThanOrEqual(512 + keep.length)
        for (const at of keep) expect(kept).toContainEqual(all[at])
        const ranked = (some: readonly Contender[]) =>
          rankTable(stateOfContenders(some, { ...NONE, slot: 40n }), spec, { epoch: 10n, fulu: true }).rows
        const staying = all.filter(({ validator }) => validator.exitEpoch === FAR_FUTURE_EPOCH).length
        const sure = Math.min(500, staying)
        expect(ranked(kept).slice(0, sure)).toEqual(ranked(all).slice(0, sure))
      }),
      { numRuns: 10 },
    )
  })

  test('are four times the places where a set has many', () => {
    const all = Array.from({ length: 9000 }, (_, index) =>
      contender({ units: 5, key: index, leaves: false }, index),
    )
    expect(gather(all, { places: 1000 })).toHaveLength(4000)
  })

  test('keep their waiting withdrawals and the cursor under their new places', () => {
    const some = [3, 8, 20].map((index) => contender({ units: 1, key: 1, leaves: false }, index))
    const withdrawal = (validatorIndex: number) => ({ validatorIndex, amountGwei: 1n, withdrawableEpoch: 2n })
    const state = stateOfContenders(some, {
      slot: 1n,
      pendingPartialWithdrawals: [withdrawal(20), withdrawal(4), withdrawal(3)],
      nextWithdrawalIndex: 5n,
      nextWithdrawalValidatorIndex: 9,
    })
    expect(state.pendingPartialWithdrawals).toEqual([withdrawal(2), withdrawal(0)])
    expect(state.nextWithdrawalValidatorIndex).toBe(2)
    expect(state.validators.map((validator) => validator.withdrawalCredentials)).toEqual(
      [3, 8, 20].map((index) => credentials(index)),
    )
  })
})

test('of a large registry are told apart by the last gwei', () => {
  // The stakes of so many differ in their low 32 bits alone, and each has the key of the others' order reversed.
  const all = Array.from({ length: 5_000 }, (_, index) => {
    const one = contender({ units: 30, key: 5_000 - index, leaves: false }, index)
    const stakeGwei = one.balanceGwei + BigInt((index * 7) % 5_000)
    return {
      ...one,
      balanceGwei: stakeGwei,
      validator: { ...one.validator, effectiveBalanceGwei: stakeGwei },
    }
  })
  const kept = gather(all, { places: 3 })
  const least = kept.reduce(
    (low, { balanceGwei }) => (balanceGwei < low ? balanceGwei : low),
    kept[0]?.balanceGwei ?? 0n,
  )
  const left = all.filter(({ index }) => !kept.some((one) => one.index === index))
  expect(kept.length).toBeLessThan(all.length)
  expect(left.every(({ balanceGwei }) => balanceGwei < least)).toBe(true)
})
