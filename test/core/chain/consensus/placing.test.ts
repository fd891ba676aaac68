import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import {
  leastLiftGwei,
  oneDepositLiftsGwei,
  tightestPlacing,
} from '../../../../src/core/chain/consensus/placing.ts'
import { forecastEntry } from '../../../../src/core/chain/consensus/propose-top-up.ts'
import { credentials, genesisOf, pubkey, shortSpec } from './model.ts'

const spec = shortSpec({ validatorSetCap: 3 })
const minimumDepositGwei = tokens(10_000n)
const asked = (
  stakes: readonly bigint[],
  own: number,
  waits: readonly { blockSlot: bigint; stake: bigint; number: number }[] = [],
) => ({
  state: genesisOf(stakes, spec),
  spec,
  fulu: true,
  pubkey: pubkey(own),
  minimumDepositGwei,
  currentSlot: 0n,
  uncounted: waits.map(({ blockSlot, stake, number }) => ({
    blockSlot,
    pubkey: pubkey(number),
    withdrawalCredentials: credentials(number),
    amountGwei: tokens(stake),
    signatureValid: true,
  })),
})

describe('the tightest place ahead', () => {
  test('is the one of every boundary where nothing changes', () => {
    const place = tightestPlacing(asked([400_000n, 300_000n, 260_000n], 3))
    expect(place).toMatchObject({ rank: 3, places: 3 })
  })

  test('is the later one where a deposit that waits comes nearer', () => {
    const far = tightestPlacing(asked([400_000n, 300_000n, 260_000n, 250_000n], 2))
    const near = tightestPlacing(
      asked([400_000n, 300_000n, 260_000n, 250_000n], 2, [{ blockSlot: 1n, stake: 40_000n, number: 4 }]),
    )
    expect(near?.othersNeedGwei).toBeLessThan(far?.othersNeedGwei ?? 0n)
  })

  test('is none for who asks for no place', () => {
    expect(tightestPlacing(asked([400_000n, 300_000n, 10_000n], 3))).toBeUndefined()
    expect(oneDepositLiftsGwei(asked([400_000n, 300_000n, 260_000n], 3))).toBe(tokens(10_000n))
  })
})

describe('the least top-up that lifts what counts of a stake', () => {
  const lift = (fulu: boolean, waits: bigint) =>
    leastLiftGwei({
      ...asked([260_000n], 1, waits === 0n ? [] : [{ blockSlot: 1n, stake: waits, number: 1 }]),
      fulu,
    })

  test('is one step from Fulu on, and two before', () => {
    expect(lift(true, 0n)).toBe(tokens(10_000n))
    expect(lift(false, 0n)).toBe(tokens(20_000n))
  })

  test('is less by what waits to be counted', () => {
    expect(lift(false, 2_500n)).toBe(tokens(20_000n))
    expect(lift(false, 2_501n)).toBe(tokens(10_000n))
  })

  test('is none for a key that the state does not hold, or at the maximum', () => {
    expect(leastLiftGwei(asked([260_000n], 9))).toBeUndefined()
    expect(leastLiftGwei(asked([10_000_000n], 1))).toBeUndefined()
  })
})

describe('what becomes of a first deposit', () => {
  const entry = (amount: bigint, stakes: readonly bigint[], currentSlot = 0n) => {
    const { minimumDepositGwei: _, pubkey: __, ...rest } = asked(stakes, 9)
    return forecastEntry({
      ...rest,
      pubkey: pubkey(9),
      withdrawalCredentials: credentials(9),
      amountGwei: tokens(amount),
      currentSlot,
    })
  }

  test('is told where it asks for a place, by the worse of its two landings', () => {
    expect(entry(10_000n, [400_000n, 300_000n])).toBeUndefined()
    expect(entry(250_000n, [400_000n, 300_000n])).toMatchObject({ keepsPlace: true })
    expect(entry(250_000n, [400_000n, 300_000n, 260_000n])).toMatchObject({ keepsPlace: false })
    // Landing in the next epoch, four slots on, it is active an epoch later.
    const [soon, late] = [0n, 4n].map((slot) => entry(250_000n, [400_000n, 300_000n], slot)?.activationEpoch)
    expect((late ?? 0n) - (soon ?? 0n)).toBe(1n)
  })
})
