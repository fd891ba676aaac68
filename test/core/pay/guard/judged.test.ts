import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import {
  boundarySeconds,
  byEach,
  feeIsHigh,
  forksBetween,
  isFinalEverywhere,
  missingGwei,
  secondsOf,
} from '../../../../src/core/pay/guard/judged.ts'
import type { GuardLook, GuardPicture } from '../../../../src/core/pay/guard/picture.ts'
import {
  EPOCH,
  endpoint,
  NOW_SECONDS,
  picture,
  provenSet,
  SLOT,
  setup,
  UNPROVEN,
  VALIDATORS,
} from '../../../support/guard-world.ts'

describe('what every endpoint must say', () => {
  const said = (endpoints: GuardLook['endpoints']) =>
    byEach(({ chainId }) => chainId !== 1)(picture({ endpoints }))
  const silent = (name: string) => ({ endpoint: name, unknown: 'no answer' })

  test('is said where all do, and as many as are needed', () => {
    expect(said([endpoint('first'), endpoint('second')])).toBe('yes')
    expect(said([endpoint('first')])).toBe('unknown')
    expect(said([endpoint('first'), endpoint('second'), silent('third')])).toBe('unknown')
    expect(said([])).toBe('unknown')
  })

  test('is not where one says no', () => {
    expect(said([endpoint('first'), endpoint('second', { chainId: 1 }), silent('third')])).toBe('no')
  })
})

test('a nonce is used for good where every endpoint calls it final, and there is one', () => {
  expect(isFinalEverywhere([], 5)).toBe(false)
  expect(isFinalEverywhere([6], 5)).toBe(true)
  expect(isFinalEverywhere([6, 7], 5)).toBe(true)
  expect(isFinalEverywhere([6, 5], 5)).toBe(false)
  expect(isFinalEverywhere([6, undefined], 5)).toBe(false)
})

describe('when a block is due', () => {
  const block = SLOT + 1n
  const seconds = NOW_SECONDS + 2n

  test('follows from the proven one by the pace of the chain', () => {
    expect(secondsOf(picture(), block)).toBe(seconds)
    expect(secondsOf(picture(), block + 10n)).toBe(seconds + 20n)
    expect(secondsOf(picture(UNPROVEN), block)).toBeUndefined()
  })

  test('the place is lost for good with the end of the epoch after which it is', () => {
    expect(boundarySeconds(picture())).toBe(seconds + ((EPOCH + 2n) * 192n - block) * 2n)
    const kept = picture({
      set: { snapshot: provenSet({ validators: VALIDATORS.slice(0, 3) }), isRecent: true },
    })
    expect(boundarySeconds(kept)).toBeUndefined()
  })
})

describe('a fork between two times', () => {
  const at = (atSeconds: bigint) => picture({ forks: { isKnown: true, ahead: [{ label: 'x', atSeconds }] } })

  test('begins after the one, and with the other at the latest', () => {
    const [from, to] = [NOW_SECONDS, NOW_SECONDS + 100n]
    expect(forksBetween(at(from), from, to)).toBe(false)
    expect(forksBetween(at(from + 1n), from, to)).toBe(true)
    expect(forksBetween(at(to), from, to)).toBe(true)
    expect(forksBetween(at(to + 1n), from, to)).toBe(false)
    expect(forksBetween(picture({ forks: undefined }), from, to)).toBe(false)
  })

  test.each(['electraTimeSeconds', 'electraOneTimeSeconds', 'fuluTimeSeconds'] as const)(
    'may be one that is known: %s',
    (name) => {
      const spec = { ...setup.network.spec, [name]: NOW_SECONDS + 50n }
      const own = { ...setup, network: { ...setup.network, spec } }
      expect(forksBetween(picture({}, { own }), NOW_SECONDS, NOW_SECONDS + 100n)).toBe(true)
      expect(forksBetween(picture(), NOW_SECONDS, NOW_SECONDS + 100n)).toBe(false)
    },
  )
})

describe('the base fee', () => {
  const least = picture().members[0]?.transaction.maxFeePerGasWei ?? 0n
  const at = (...fees: readonly bigint[]) =>
    feeIsHigh(picture({ endpoints: fees.map((baseFeeWei, nth) => endpoint(`${nth}`, { baseFeeWei })) }))

  test('is high above half of what the least amount offers, by the least that an endpoint names', () => {
    expect(at(least / 2n)).toBe(false)
    expect(at(least / 2n + 1n)).toBe(true)
    expect(at(least, 1n)).toBe(false)
    expect(at()).toBe(false)
    const [first] = picture().members
    if (first === undefined) throw new Error('there are members')
    const offering = (maxFeePerGasWei: bigint) => [
      { ...first, transaction: { ...first.transaction, maxFeePerGasWei } },
    ]
    expect(feeIsHigh({ ...picture(), members: offering(2n * 10n ** 9n) })).toBe(false)
    expect(feeIsHigh({ ...picture(), members: offering(2n * 10n ** 9n - 1n) })).toBe(true)
  })
})

describe('what the cap lacks', () => {
  const needing = (leastTopUpGwei: bigint | undefined): GuardPicture => {
    const { need, ...rest } = picture()
    if (need.is !== 'out' || need.rescue === undefined) throw new Error('the place can be kept')
    const rescue = leastTopUpGwei === undefined ? undefined : { ...need.rescue, leastTopUpGwei }
    return { ...rest, need: { ...need, rescue } }
  }

  test('is told once it is more than the cap', () => {
    expect(missingGwei(needing(tokens(50_000n)))).toBeUndefined()
    expect(missingGwei(needing(tokens(60_000n)))).toBe(tokens(60_000n))
    expect(missingGwei(needing(undefined))).toBe('out-of-reach')
    expect(missingGwei(picture(UNPROVEN))).toBeUndefined()
  })
})
