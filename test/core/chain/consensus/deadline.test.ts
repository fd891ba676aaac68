import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { outlook } from '../../../../src/core/chain/consensus/outlook.ts'
import type { QueuedDeposit } from '../../../../src/core/chain/consensus/process-epoch.ts'
import { processSlot } from '../../../../src/core/chain/consensus/process-slot.ts'
import { proposeTopUp } from '../../../../src/core/chain/consensus/propose-top-up.ts'
import { type ConsensusState, FAR_FUTURE_EPOCH } from '../../../../src/core/chain/consensus/state.ts'
import type { ChainSpec } from '../../../../src/core/chain/network/network.ts'
import { runsOf } from '../../../support/hard.ts'
import { blockAt, credentials, genesisOf, pubkey, runEmpty, shortSpec } from './model.ts'

const RUNS = runsOf({ suite: 400, hard: 10_000 })
const INCREMENT = tokens(10_000n)
const LOWEST: Hex = `0x${'00'.repeat(48)}`
const FORKS = [
  ['before Fulu', false],
  ['from Fulu on', true],
] as const

/** Stakes around the threshold: whole increments, or with a rest that the hysteresis holds back. */
const anyStake = fc
  .tuple(fc.bigInt({ min: 24n, max: 32n }), fc.constantFrom(0n, 0n, 900n, 2_600n, 9_999n))
  .map(([units, rest]) => units * 10_000n + rest)

const anyDeposit = fc.record({
  number: fc.integer({ min: 1, max: 9 }),
  amount: fc.tuple(fc.bigInt({ min: 1n, max: 30n }), fc.constantFrom(0n, 0n, 1n, 4_321n)),
  slotsAgo: fc.bigInt({ min: -1n, max: 2n }),
  signatureValid: fc.boolean(),
})

const anySet = fc.record({
  cap: fc.integer({ min: 2, max: 4 }),
  stakes: fc.array(anyStake, { minLength: 4, maxLength: 6 }),
  slots: fc.bigInt({ min: 0n, max: 9n }),
  others: fc.array(anyDeposit, { maxLength: 12 }),
  /** Small deposits of nobody in particular before all others: before Fulu only 16 are counted in a slot. */
  crowd: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 70 })),
  leaving: fc.array(
    fc.record({
      validatorIndex: fc.integer({ min: 0, max: 3 }),
      units: fc.bigInt({ min: 1n, max: 5n }),
      withdrawableEpoch: fc.bigInt({ min: 0n, max: 5n }),
    }),
    { maxLength: 2 },
  ),
  minimum: fc.constantFrom(0n, 10_000n, 15_000n, 32_000n),
})
type AnySet = typeof anySet extends fc.Arbitrary<infer T> ? T : never

type Situation = {
  spec: ChainSpec
  state: ConsensusState
  /** Deposits that the state does not hold, in order. */
  uncounted: readonly QueuedDeposit[]
  fulu: boolean
}

function situationOf({ cap, stakes, slots, others, crowd, leaving }: AnySet, fulu: boolean): Situation {
  const spec = shortSpec({ validatorSetCap: cap })
  const known = runEmpty(genesisOf(stakes, spec), spec, slots)
  const pendingPartialWithdrawals = leaving.map(({ units, ...each }) => ({
    ...each,
    amountGwei: units * INCREMENT,
  }))
  const newest = slots + 1n
  const paid = others.map(({ number, amount: [units, rest], slotsAgo, signatureValid }) => {
    // From Fulu on a deposit is counted in its own block: only the block after the state is left.
    const blockSlot = fulu || slotsAgo > slots ? newest : slots - slotsAgo
    return { ...depositOf(number, tokens(units * 10_000n + rest), blockSlot), signatureValid }
  })
  const oldest = fulu ? newest : slots
  const small = Array.from({ length: crowd }, (_, at) => depositOf(100 + at, INCREMENT, oldest))
  const inOrder = [...small, ...paid].sort((a, b) => Number(a.blockSlot - b.blockSlot))
  return { spec, state: { ...known, pendingPartialWithdrawals }, uncounted: inOrder, fulu }
}

function depositOf(number: number, amountGwei: bigint, blockSlot: bigint): QueuedDeposit {
  return {
    pubkey: pubkey(number),
    withdrawalCredentials: credentials(number),
    amountGwei,
    signatureValid: true,
    blockSlot,
  }
}

/** Whether the validator is still wanted after five boundaries, slot by slot and with a queue of the test's own. */
function isKept({ state, uncounted, spec, fulu }: Situation, own: Hex): boolean {
  let current = state
  let waiting = [...uncounted]
  const lastSlot = (state.slot / spec.slotsPerEpoch + 5n) * spec.slotsPerEpoch
  for (let slot = state.slot + 1n; slot <= lastSlot; slot += 1n) {
    const counted: QueuedDeposit[] = []
    for (const deposit of waiting) {
      const isRoom = fulu || counted.length < 16
      if (!isRoom || deposit.blockSlot + (fulu ? 0n : 2n) > slot) break
      counted.push(deposit)
    }
    waiting = waiting.slice(counted.length)
    current = processSlot(current, spec, blockAt(slot, { fulu, deposits: counted })).state
  }
  return current.validators.find((each) => each.pubkey === own)?.exitEpoch === FAR_FUTURE_EPOCH
}

/** As above with a top-up in a block, in a world in which the validator loses every tie. */
function isKeptBy(situation: Situation, own: Hex, topUp: { amountGwei: bigint; block: bigint }): boolean {
  const lower = <T extends { pubkey: Hex }>(each: T): T =>
    each.pubkey === own ? { ...each, pubkey: LOWEST } : each
  const { state, uncounted } = situation
  const losing = { ...state, validators: state.validators.map(lower) }
  const added = { ...depositOf(1, topUp.amountGwei, topUp.block), pubkey: LOWEST, signatureValid: false }
  return isKept({ ...situation, state: losing, uncounted: [...uncounted.map(lower), added] }, LOWEST)
}

/** Whoever has a record that is not leaving, or will have one. */
function ownersOf({ state, uncounted }: Situation): Hex[] {
  const staying = state.validators.filter(({ exitEpoch }) => exitEpoch === FAR_FUTURE_EPOCH)
  const coming = uncounted
    .filter(({ signatureValid }) => signatureValid)
    .map((each) => each.pubkey)
    .filter((each) => BigInt(each) < 100n && !state.validators.some((known) => known.pubkey === each))
  return [...new Set([...staying.map((each) => each.pubkey), ...coming])]
}

describe.each(FORKS)('in random validator sets %s', (_, fulu) => {
  test('the amount in the last good block keeps the place; a block later, or less, does not', () => {
    const met = { rescued: 0, beyondHelp: 0, crowded: 0 }
    const run = fc.property(anySet, (drawn) => {
      const situation = situationOf(drawn, fulu)
      const { state, uncounted, spec } = situation
      const minimumDepositGwei = tokens(drawn.minimum)
      for (const own of ownersOf(situation)) {
        const { dropsOutAtEpoch, rescue } = outlook({ ...situation, pubkey: own, minimumDepositGwei })
        expect(isKept(situation, own)).toBe(dropsOutAtEpoch === undefined)
        if (dropsOutAtEpoch === undefined) continue
        const nextBlock = state.slot + 2n
        if (rescue === undefined) {
          met.beyondHelp += 1
          const mostGwei = spec.maxEffectiveBalanceGwei
          expect(isKeptBy(situation, own, { amountGwei: mostGwei, block: nextBlock })).toBe(false)
          continue
        }
        met.rescued += 1
        if (uncounted.length > 16) met.crowded += 1
        const { leastTopUpGwei, lastGoodBlock, sendByBlock } = rescue
        const kept = (amountGwei: bigint, block: bigint) => isKeptBy(situation, own, { amountGwei, block })
        expect(leastTopUpGwei % INCREMENT).toBe(0n)
        expect(leastTopUpGwei).toBeGreaterThanOrEqual(minimumDepositGwei)
        expect(sendByBlock).toBeLessThan(lastGoodBlock)
        expect(kept(leastTopUpGwei, nextBlock)).toBe(true)
        expect(kept(leastTopUpGwei, lastGoodBlock)).toBe(true)
        expect(kept(leastTopUpGwei, lastGoodBlock + 1n)).toBe(false)
        if (leastTopUpGwei - INCREMENT >= minimumDepositGwei)
          expect(kept(leastTopUpGwei - INCREMENT, nextBlock)).toBe(false)
      }
    })
    fc.assert(run, { numRuns: RUNS })
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(RUNS / 20)
  })

  test('a proposal never says that nothing is needed where the place is lost without it', () => {
    const run = fc.property(anySet, (drawn) => {
      const situation = situationOf(drawn, fulu)
      const { state } = situation
      const minimumDepositGwei = tokens(drawn.minimum)
      for (const own of ownersOf(situation)) {
        if (!state.validators.some((each) => each.pubkey === own)) continue
        const question = { ...situation, pubkey: own, minimumDepositGwei }
        if (outlook(question).dropsOutAtEpoch === undefined) continue
        expect(proposeTopUp({ ...question, currentSlot: state.slot })).not.toMatchObject({ addGwei: 0n })
      }
    })
    fc.assert(run, { numRuns: RUNS / 4 })
  })
})
