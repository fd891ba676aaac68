import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { type Forecast, forecast } from '../../../../src/core/chain/consensus/forecast.ts'
import { processSlot } from '../../../../src/core/chain/consensus/process-slot.ts'
import {
  type ConsensusDeposit,
  type ConsensusState,
  floorEffectiveBalance,
  hysteresisBand,
} from '../../../../src/core/chain/consensus/state.ts'
import { blockAt, credentials, genesisOf, pubkey, runEmpty, shortSpec } from './model.ts'

const SEATS = 69

function ask(
  state: ConsensusState,
  own: number,
  add: bigint,
  options: { places?: number; fulu?: boolean } = {},
): Forecast {
  const { places = SEATS, fulu = true } = options
  return forecast({
    state,
    spec: shortSpec({ validatorSetCap: places }),
    fulu,
    pubkey: pubkey(own),
    addGwei: tokens(add),
    currentSlot: state.slot,
  })
}

const add = (number: number, amount: bigint): ConsensusDeposit => ({
  pubkey: pubkey(number),
  withdrawalCredentials: credentials(0),
  amountGwei: tokens(amount),
  signatureValid: false,
})

/** `count` validators of 250,000 and one with the first deposit only, whose pubkey is the largest of all. */
const setOf = (count: number): ConsensusState =>
  genesisOf(
    [...Array.from({ length: count }, () => 250_000n), 10_000n],
    shortSpec({ validatorSetCap: SEATS }),
  )

describe('a top-up to the threshold', () => {
  test('makes it eligible two epochs and active three epochs after its own', () => {
    const ahead = ask(setOf(67), 68, 240_000n)
    expect(ahead).toMatchObject({
      balanceAfterGwei: tokens(250_000n),
      effectiveAfterGwei: tokens(250_000n),
      crossesThreshold: true,
      shortOfThresholdGwei: 0n,
      eligibleEpoch: 2n,
      activationEpoch: 3n,
      exitEpoch: undefined,
      evictedAtOnce: false,
      keepsPlace: true,
    })
  })

  test.each([
    { others: 67, rank: 1, keeps: true, margin: undefined },
    { others: 68, rank: 1, keeps: true, margin: undefined },
    { others: 69, rank: 1, keeps: true, margin: 0n },
  ])('beside $others others of the same stake', ({ others, rank, keeps, margin }) => {
    const ahead = ask(setOf(others), others + 1, 240_000n)
    expect(ahead.keepsPlace).toBe(keeps)
    expect(ahead).toMatchObject({ rank, places: SEATS, marginGwei: margin })
  })

  test('in a full set of larger stakes is an exit at the epoch of activation', () => {
    const spec = shortSpec({ validatorSetCap: 3 })
    const ahead = ask(genesisOf([300_000n, 260_000n, 260_000n, 10_000n], spec), 4, 240_000n, { places: 3 })
    expect(ahead).toMatchObject({
      activationEpoch: 3n,
      exitEpoch: 3n,
      withdrawableEpoch: 5n,
      evictedAtOnce: true,
      keepsPlace: false,
      rank: 4,
      marginGwei: -tokens(10_000n),
      othersNeedGwei: 0n,
      cutoff: { stakeGwei: tokens(260_000n) },
    })
  })

  test('sees a rival that qualifies one epoch later and takes the place', () => {
    const spec = shortSpec({ validatorSetCap: 2 })
    const genesis = genesisOf([300_000n, 10_000n, 10_000n], spec)
    const ours = processSlot(genesis, spec, blockAt(1n, { deposits: [add(2, 240_000n)] })).state
    const eve = runEmpty(ours, spec, 3n)
    const state = processSlot(eve, spec, blockAt(4n, { deposits: [add(3, 290_000n)] })).state
    expect(ask(eve, 2, 0n, { places: 2 })).toMatchObject({ activationEpoch: 3n, keepsPlace: true })
    expect(ask(state, 2, 0n, { places: 2 })).toMatchObject({
      activationEpoch: 3n,
      exitEpoch: 4n,
      evictedAtOnce: false,
      keepsPlace: false,
      rankEpoch: 4n,
      marginGwei: -tokens(50_000n),
    })
  })
})

describe('of the turns it watches', () => {
  const spec = shortSpec({ validatorSetCap: 2 })

  test('it tells the tightest', () => {
    const genesis = genesisOf([300_000n, 10_000n, 10_000n, 10_000n], spec)
    const first = [add(2, 260_000n), add(3, 240_000n)]
    const ours = runEmpty(processSlot(genesis, spec, blockAt(1n, { deposits: first })).state, spec, 3n)
    const state = processSlot(ours, spec, blockAt(4n, { deposits: [add(4, 250_000n)] })).state
    const tightest = { rankEpoch: 4n, rank: 2, marginGwei: tokens(10_000n), keepsPlace: true }
    expect(ask(ours, 2, 0n, { places: 2 })).toMatchObject({ rankEpoch: 3n, marginGwei: tokens(20_000n) })
    expect(ask(state, 2, 0n, { places: 2 })).toMatchObject(tightest)
  })

  test('an eviction before the top-up can land is told with its rank', () => {
    const genesis = genesisOf([300_000n, 250_000n, 10_000n], spec)
    const rival = processSlot(genesis, spec, blockAt(1n, { deposits: [add(3, 250_000n)] })).state
    const state = runEmpty(rival, spec, 10n)
    const ahead = ask(state, 2, 500_000n, { places: 2, fulu: false })
    expect(ahead).toMatchObject({ rankEpoch: 3n, rank: 3, exitEpoch: 3n, keepsPlace: false })
  })
})

describe('a top-up that is not enough', () => {
  test('of one token less says what is missing', () => {
    expect(ask(setOf(10), 11, 239_999n)).toMatchObject({
      effectiveAfterGwei: tokens(240_000n),
      crossesThreshold: false,
      shortOfThresholdGwei: tokens(10_000n),
      activationEpoch: undefined,
      keepsPlace: false,
      rank: undefined,
    })
  })

  test('in two parts sticks below the threshold before Fulu and reaches it from Fulu on', () => {
    const state = setOf(10)
    const spec = shortSpec({ validatorSetCap: SEATS })
    const split = (fulu: boolean): Forecast =>
      forecast({
        state,
        spec,
        fulu,
        pubkey: pubkey(11),
        addGwei: tokens(230_000n),
        currentSlot: 0n,
        laterParts: [{ blockSlot: 9n, amountGwei: tokens(10_000n) }],
      })
    expect(split(false)).toMatchObject({
      balanceAfterGwei: tokens(250_000n),
      effectiveAfterGwei: tokens(240_000n),
      crossesThreshold: false,
    })
    expect(split(true)).toMatchObject({ effectiveAfterGwei: tokens(250_000n), keepsPlace: true })
  })
})

describe('a question that has no answer', () => {
  test('an unknown pubkey is refused: the money would be burnt', () => {
    expect(() => ask(setOf(2), 99, 240_000n)).toThrow(
      expect.objectContaining({ code: 'consensus.unknown_validator', money: 'untouched' }),
    )
  })

  test('a negative amount is refused', () => {
    expect(() => ask(setOf(2), 3, -1n)).toThrow(expect.objectContaining({ code: 'consensus.amount' }))
  })
})

describe('for any top-up', () => {
  const thousand = fc.bigInt({ min: 0n, max: 900n })

  test('the forecast is what then happens', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 250n, max: 300n }), { minLength: 1, maxLength: 5 }),
        thousand,
        fc.integer({ min: 0, max: 9 }),
        fc.boolean(),
        (others, more, startSlot, fulu) => {
          const spec = shortSpec({ validatorSetCap: 3 })
          const own = others.length + 1
          const stakes = [...others.map((stake) => stake * 1_000n), 10_000n]
          const start = runEmpty(genesisOf(stakes, spec), spec, BigInt(startSlot))
          const ahead = ask(start, own, more * 1_000n, { places: 3, fulu })
          const landing = start.slot + (fulu ? 1n : 3n)
          let state = start
          while (state.slot < ahead.untilSlot) {
            const slot = state.slot + 1n
            const deposits = slot === landing ? [add(own, more * 1_000n)] : []
            state = processSlot(state, spec, blockAt(slot, { fulu, deposits })).state
          }
          const validator = state.validators[own - 1]
          expect(validator?.effectiveBalanceGwei).toBe(ahead.effectiveAfterGwei)
          expect(state.balancesGwei[own - 1]).toBe(ahead.balanceAfterGwei)
          const far = 2n ** 64n - 1n
          expect([validator?.activationEpoch, validator?.exitEpoch]).toEqual([
            ahead.activationEpoch ?? far,
            ahead.exitEpoch ?? far,
          ])
          if (ahead.rank === undefined) return
          expect(ahead.keepsPlace).toBe(ahead.rank <= 3)
          if ((ahead.marginGwei ?? 1n) > 0n) expect(ahead.keepsPlace).toBe(true)
          if ((ahead.marginGwei ?? 1n) < 0n) expect(ahead.keepsPlace).toBe(false)
          if (ahead.othersNeedGwei === 0n) expect(ahead.marginGwei ?? 1n).toBeLessThanOrEqual(0n)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a split leaves the effective balance at most one band away from the whole', () => {
    const part = fc.bigInt({ min: 10_000n, max: 200_000n })
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), fc.boolean(), (parts, fulu) => {
        const spec = shortSpec({ validatorSetCap: SEATS })
        const [first = 0n, ...later] = parts
        const ahead = forecast({
          state: setOf(2),
          spec,
          fulu,
          pubkey: pubkey(3),
          addGwei: tokens(first),
          currentSlot: 0n,
          laterParts: later.map((amount, index) => ({
            blockSlot: BigInt(9 + 8 * index),
            amountGwei: tokens(amount),
          })),
        })
        const whole = floorEffectiveBalance(ahead.balanceAfterGwei, spec)
        expect(ahead.effectiveAfterGwei <= whole).toBe(true)
        expect(
          ahead.balanceAfterGwei - ahead.effectiveAfterGwei <
            hysteresisBand(spec, { fulu }).upGwei + tokens(10_000n),
        ).toBe(true)
        if (later.length === 0 && ahead.balanceAfterGwei > tokens(22_500n))
          expect(ahead.effectiveAfterGwei).toBe(whole)
      }),
      { numRuns: 200 },
    )
  })
})

test('a balance may leave its effective balance by the numbers of the fork', () => {
  const spec = shortSpec()
  const stepGwei = spec.effectiveBalanceIncrementGwei
  expect(hysteresisBand(spec, { fulu: false })).toEqual({
    downGwei: stepGwei / 4n,
    upGwei: (stepGwei / 4n) * 5n,
  })
  expect(hysteresisBand(spec, { fulu: true })).toEqual({ downGwei: stepGwei / 100n, upGwei: stepGwei / 10n })
})
