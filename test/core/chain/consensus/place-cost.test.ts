import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chainSpec, depositOf } from '../../../../scripts/vectors/chain-rows.ts'
import { blockOf, type History, genesisOf as historyGenesis } from '../../../../scripts/vectors/epochs.ts'
import type { ValidatorRow } from '../../../../scripts/vectors/slots.ts'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { OUTCOMES, outcomeOf } from '../../../../src/core/chain/consensus/forecast.ts'
import { EPOCHS_AHEAD } from '../../../../src/core/chain/consensus/outlook.ts'
import {
  NO_KEY_YET,
  type PlaceStep,
  placeCost,
  placeSteps,
  placesNow,
} from '../../../../src/core/chain/consensus/place-cost.ts'
import { genesisState, type QueuedDeposit } from '../../../../src/core/chain/consensus/process-epoch.ts'
import { processSlot } from '../../../../src/core/chain/consensus/process-slot.ts'
import { topUpAfterEntry } from '../../../../src/core/chain/consensus/propose-top-up.ts'
import type { SetSnapshot, UncountedDeposit } from '../../../../src/core/chain/consensus/snapshot.ts'
import {
  activeSet,
  type ConsensusState,
  FAR_FUTURE_EPOCH,
} from '../../../../src/core/chain/consensus/state.ts'
import type { ChainSpec } from '../../../../src/core/chain/network/network.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { readSpecToml } from '../../../../src/core/chain/network/spec-fields.ts'
import { recordedDeposits, recordedFile, recordedSlot } from '../../../support/replay-recording.ts'
import { blockAt, credentials, genesisOf, pubkey, runEmpty, shortSpec } from './model.ts'

const LEAST = tokens(10_000n)

function stepsOf(
  state: ConsensusState,
  aroundGwei: bigint,
  {
    spec,
    fulu = true,
    key = NO_KEY_YET,
    uncounted = [],
  }: { spec: ChainSpec; fulu?: boolean; key?: Hex; uncounted?: readonly QueuedDeposit[] },
): PlaceStep[] {
  const deposit = { pubkey: key, withdrawalCredentials: credentials(99), amountGwei: LEAST, uncounted }
  const question = { state, spec, fulu, currentSlot: state.slot, minimumDepositGwei: LEAST, ...deposit }
  return placeSteps(question, aroundGwei)
}

/** A set of up to seven validators for three places, at any slot of an epoch. */
const sets = fc
  .record({
    stakes: fc.array(fc.integer({ min: 20, max: 32 }), { minLength: 1, maxLength: 7 }),
    slots: fc.bigInt({ min: 0n, max: 11n }),
    around: fc.integer({ min: 22, max: 32 }),
    key: fc.constantFrom(NO_KEY_YET, pubkey(200)),
  })
  .map(({ stakes, slots, around, key }) => {
    const spec = shortSpec()
    const genesis = genesisOf(
      stakes.map((units) => BigInt(units) * 10_000n),
      spec,
    )
    return { spec, key, state: runEmpty(genesis, spec, slots), aroundGwei: tokens(BigInt(around) * 10_000n) }
  })

/** What becomes of a new validator whose two deposits are in the next block, by the blocks alone. */
function made(state: ConsensusState, allGwei: bigint, { spec, key }: { spec: ChainSpec; key: Hex }) {
  const first = {
    pubkey: key,
    withdrawalCredentials: credentials(99),
    amountGwei: LEAST,
    signatureValid: true,
  }
  const rest = { ...first, amountGwei: allGwei - LEAST, signatureValid: false }
  const slot = state.slot + 1n
  const paid = processSlot(state, spec, blockAt(slot, { deposits: [first, rest] })).state
  const end = runEmpty(paid, spec, slot + (EPOCHS_AHEAD + 2n) * spec.slotsPerEpoch)
  const own = end.validators.find((each) => each.pubkey === key)
  const ordered = activeSet(end, end.slot / spec.slotsPerEpoch).sort((a, b) => {
    if (a.effectiveBalanceGwei !== b.effectiveBalanceGwei)
      return a.effectiveBalanceGwei > b.effectiveBalanceGwei ? -1 : 1
    return a.pubkey > b.pubkey ? -1 : 1
  })
  return { own, rank: ordered.findIndex((each) => each.pubkey === key) + 1 }
}

describe('what steps around the last place buy', () => {
  test('never worsens with more stake', () => {
    fc.assert(
      fc.property(sets, ({ state, aroundGwei, ...of }) => {
        const steps = stepsOf(state, aroundGwei, of)
        expect(steps.length).toBeGreaterThan(4)
        for (const [at, step] of steps.slice(1).entries()) {
          const before = steps[at]
          expect(step.allGwei - (before?.allGwei ?? 0n)).toBe(tokens(10_000n))
          if (before?.rank !== undefined) expect(step.rank ?? 0).toBeLessThanOrEqual(before.rank)
          if (before?.outcome === 'keeps-place') expect(step.outcome).toBe('keeps-place')
          expect(OUTCOMES).toContain(step.outcome)
        }
      }),
    )
  })

  test('is what the blocks of the chain make of it, were it paid', () => {
    fc.assert(
      fc.property(sets, ({ state, aroundGwei, ...of }) => {
        for (const { allGwei, outcome, rank } of stepsOf(state, aroundGwei, of)) {
          const { own, rank: place } = made(state, allGwei, of)
          const left = own?.exitEpoch !== FAR_FUTURE_EPOCH
          if (outcome === 'below-threshold') expect(own?.activationEpoch).toBe(FAR_FUTURE_EPOCH)
          else if (outcome === 'lost-at-once') expect(own?.exitEpoch).toBe(own?.activationEpoch)
          else expect([left, place]).toEqual([outcome === 'drops-out', rank])
        }
      }),
    )
  })

  test('ends the search for the least that is enough: one step less is not', () => {
    fc.assert(
      fc.property(sets, ({ state, key, spec }) => {
        const deposit = { pubkey: key, withdrawalCredentials: credentials(99), amountGwei: LEAST }
        const question = { ...deposit, uncounted: [], fulu: true, currentSlot: state.slot }
        const found = topUpAfterEntry({ state, spec, minimumDepositGwei: LEAST, ...question })
        if ('impossible' in found) throw new Error(found.impossible)
        const steps = stepsOf(state, LEAST + found.addGwei, { spec, key })
        const at = steps.findIndex(({ allGwei }) => allGwei === LEAST + found.addGwei)
        expect(steps[at]?.outcome).toBe('keeps-place')
        expect(steps[at]?.outcome).toBe(outcomeOf(found.forecast))
        // A key that wins every tie has a place with one step less, and no margin.
        if (key === NO_KEY_YET) expect(steps[at - 1]?.outcome).not.toBe('keeps-place')
      }),
    )
  })
})

describe('beside the recorded network', () => {
  const spec = readSpecToml(recordedFile('spec.toml'))

  test.each([
    // It has the place, by its larger key; nobody should count on that.
    ['250,000 beside a last one with as much', 195, 229, 250_000n, 'tie'],
    ['420,000 in one deposit', 268, 269, 420_000n, 'keeps-place'],
  ])('says what the real node made of %s', (_, before, block, whole, outcome) => {
    const key = recordedDeposits.find((deposit) => deposit.block === block)?.pubkey ?? '0x'
    const state = stateOf(recordedSlot(before))
    const step = stepsOf(state, tokens(whole), { spec, fulu: false, key }).find(
      ({ allGwei }) => allGwei === tokens(whole),
    )
    // Three epochs later, before the next deposit for it, or for others with a place.
    const then = stateOf(recordedSlot(block + 3 * Number(spec.slotsPerEpoch)))
    const ordered = activeSet(then, then.slot / spec.slotsPerEpoch).sort((a, b) =>
      Number(b.effectiveBalanceGwei - a.effectiveBalanceGwei),
    )
    const rank = ordered.findIndex((each) => each.pubkey === key) + 1
    expect(rank).toBeGreaterThan(0)
    expect(step).toMatchObject({ outcome, rank, places: 3 })
  })

  test('counts the places at each slot as the node does', () => {
    const seen = new Set<string>()
    for (let slot = 1; slot <= 440; slot += 1) {
      const { validators } = recordedSlot(slot)
      const active = validators.filter(({ status }) => status.startsWith('active_'))
      const stakes = active.map(({ validator }) => BigInt(validator.effective_balance))
      const least = stakes.reduce((a, b) => (a < b ? a : b))
      const now = placesNow(stateOf(recordedSlot(slot)), spec)
      expect([now.taken, now.places, now.last?.stakeGwei]).toEqual([active.length, 3, least])
      seen.add(String(least))
    }
    expect([...seen]).toEqual(['250000000000000', '300000000000000'])
  })
})

/** A registry as the turns of a history tell it, and the engine's set: what the real state machine said, without the model. */
function recordedTurns({ epochTurns }: History) {
  const registry = new Map<number, readonly string[]>()
  const powers = new Map<string, bigint>()
  return epochTurns.map(({ slot, changed, engineUpdates }) => {
    for (const [index, pubkey, withdrawal, ...rest] of changed) {
      const known = registry.get(index)
      registry.set(index, [pubkey || (known?.[0] ?? ''), withdrawal || (known?.[1] ?? ''), ...rest])
    }
    for (const [key, power] of engineUpdates) {
      if (power === '0') powers.delete(key)
      else powers.set(key, BigInt(power))
    }
    return { slot, rows: [...registry].sort(([a], [b]) => a - b).map(([, row]) => row), powers: [...powers] }
  })
}

/** A public key, and its power in the engine's set. */
type Power = readonly [string, bigint]

function stateOfRows(slot: number, rows: readonly (readonly string[])[]): ConsensusState {
  const validators = rows.map(
    ([key, withdrawalCredentials, , effective, eligible, active, exit, withdrawable]) => ({
      pubkey: key as Hex,
      withdrawalCredentials: withdrawalCredentials as Hex,
      effectiveBalanceGwei: BigInt(effective ?? 0),
      slashed: false,
      activationEligibilityEpoch: BigInt(eligible ?? 0),
      activationEpoch: BigInt(active ?? 0),
      exitEpoch: BigInt(exit ?? 0),
      withdrawableEpoch: BigInt(withdrawable ?? 0),
    }),
  )
  return {
    slot: BigInt(slot),
    validators,
    balancesGwei: rows.map((row) => BigInt(row[2] ?? 0)),
    pendingPartialWithdrawals: [],
    nextWithdrawalIndex: 0n,
    nextWithdrawalValidatorIndex: 0,
  }
}

/**
 * First deposits that ask for a place, where nobody asks for a withdrawal before it is had or lost, with the deposits of others
 * until then. They pay all at once, a step of the model pays in two: what is decided is read three epochs later, when both are.
 */
function newcomersOf({ blocks, genesisDeposits, lastSlot }: History, spec: ChainSpec) {
  const known = new Set(genesisDeposits.map(({ pubkey }) => pubkey))
  return blocks.flatMap(({ slot, deposits = [] }) =>
    deposits.flatMap(({ pubkey, amountGwei, signatureValid }) => {
      if (!signatureValid || known.has(pubkey)) return []
      known.add(pubkey)
      const decidedAt = Number((BigInt(slot) / spec.slotsPerEpoch + 3n) * spec.slotsPerEpoch)
      const meanwhile = blocks.filter((other) => other.slot >= slot && other.slot <= decidedAt)
      const isLeftAlone = meanwhile.every(({ withdrawalRequests = [] }) => withdrawalRequests.length === 0)
      const asks = BigInt(amountGwei) >= spec.activationBalanceGwei && decidedAt <= lastSlot
      const others = meanwhile.flatMap((block) =>
        (block.deposits ?? [])
          .filter((deposit) => deposit.pubkey !== pubkey)
          .map((deposit) => ({ ...depositOf(deposit), blockSlot: BigInt(block.slot) })),
      )
      return asks && isLeftAlone ? [{ pubkey, slot, decidedAt, amountGwei: BigInt(amountGwei), others }] : []
    }),
  )
}

describe('beside the histories of the real state machine', () => {
  const histories = readFileSync(new URL('../../../vectors/consensus/epochs.jsonl.gz', import.meta.url))
  const all = gunzipSync(histories)
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as History)

  test('counts the places at every turn as the set that the engine was told, with its weakest last', () => {
    const seen = new Set<string>()
    for (const history of all) {
      const spec = chainSpec(history.spec)
      for (const { slot, rows, powers } of recordedTurns(history)) {
        const isWeaker = ([a, left]: Power, [b, right]: Power) => left < right || (left === right && a < b)
        const weakest = powers.find((each) =>
          powers.every((other) => other === each || isWeaker(each, other)),
        )
        const last = weakest && { pubkey: weakest[0], stakeGwei: weakest[1] }
        const now = placesNow(stateOfRows(slot, rows), spec)
        expect(now).toEqual({ taken: powers.length, places: spec.validatorSetCap, last })
        seen.add(powers.length === spec.validatorSetCap ? 'full' : 'free')
      }
    }
    expect(seen).toEqual(new Set(['full', 'free']))
  })

  test('says of each new validator what the real state machine made of its amount', () => {
    const made = { out: 0, in: 0 }
    for (const history of all) {
      const spec = chainSpec(history.spec)
      const turns = recordedTurns(history)
      for (const { pubkey: key, slot, decidedAt, amountGwei, others: uncounted } of newcomersOf(
        history,
        spec,
      )) {
        const wholeGwei = amountGwei - (amountGwei % spec.effectiveBalanceIncrementGwei)
        const steps = stepsOf(stateAfter(history, slot - 1), wholeGwei, { spec, key, uncounted })
        const step = steps.find(({ allGwei }) => allGwei === wholeGwei)
        const then = turns.find((turn) => turn.slot === decidedAt)
        const own = then?.rows.find(([pubkey]) => pubkey === key)
        const isOut = own?.[6] !== String(FAR_FUTURE_EPOCH)
        made[isOut ? 'out' : 'in'] += 1
        expect([key, step?.outcome]).toEqual([key, isOut ? 'lost-at-once' : 'keeps-place'])
      }
    }
    expect(made).toEqual({ out: 11, in: 4 })
  })
})

/** The state after the block of a slot; the turns of these histories hold the model to the real one. */
function stateAfter(history: History, slot: number): ConsensusState {
  const spec = chainSpec(history.spec)
  const blocks = new Map(history.blocks.map((row) => [row.slot, row]))
  let state = genesisState(historyGenesis(history), spec)
  for (let at = 1; at <= slot; at += 1)
    state = processSlot(state, spec, blockOf(blocks.get(at) ?? { slot: at })).state
  return state
}

function stateOf({
  slot,
  validators,
}: {
  slot: number
  validators: readonly ValidatorRow[]
}): ConsensusState {
  return {
    slot: BigInt(slot),
    validators: validators.map(({ validator }) => ({
      pubkey: validator.pubkey,
      withdrawalCredentials: validator.withdrawal_credentials,
      effectiveBalanceGwei: BigInt(validator.effective_balance),
      slashed: validator.slashed,
      activationEligibilityEpoch: BigInt(validator.activation_eligibility_epoch),
      activationEpoch: BigInt(validator.activation_epoch),
      exitEpoch: BigInt(validator.exit_epoch),
      withdrawableEpoch: BigInt(validator.withdrawable_epoch),
    })),
    balancesGwei: validators.map(({ balance }) => BigInt(balance)),
    pendingPartialWithdrawals: [],
    nextWithdrawalIndex: 0n,
    nextWithdrawalValidatorIndex: 0,
  }
}

describe('what a place costs', () => {
  const spec = shortSpec()
  const network = { ...MAINNET, spec, minimumDepositGwei: LEAST }
  const snapshotOf = (uncounted: SetSnapshot['uncounted']): SetSnapshot => {
    const consensus = genesisOf([400_000n, 350_000n, 300_000n], spec)
    const indexes = consensus.validators.map((_, at) => at)
    return { consensus, indexes, timestampSeconds: 400n, uncounted, proof: undefined, unproven: undefined }
  }
  const rival: UncountedDeposit = {
    pubkey: pubkey(9),
    withdrawalCredentials: credentials(9),
    amountGwei: tokens(330_000n),
    signatureValid: true,
    blockSlot: 1n,
    index: 3n,
    transactionHash: '0x',
  }

  test('is told with the deposits that wait, and without them beside it', () => {
    const [without, within] = [snapshotOf([]), snapshotOf([rival])].map((one) => placeCost(one, network))
    expect(without?.waiting).toEqual({ count: 0, sumGwei: 0n, entry: without?.entry })
    expect(within?.waiting).toEqual({ count: 1, sumGwei: rival.amountGwei, entry: without?.entry })
    expect(within?.entry?.allGwei).toBeGreaterThan(without?.entry?.allGwei ?? 0n)
  })

  test('has its steps around what is enough', () => {
    const { entry, steps } = placeCost(snapshotOf([rival]), network)
    const question = {
      state: snapshotOf([]).consensus,
      spec,
      fulu: true,
      currentSlot: 0n,
      minimumDepositGwei: LEAST,
    }
    const deposit = {
      pubkey: NO_KEY_YET,
      withdrawalCredentials: `0x01${'00'.repeat(31)}`,
      amountGwei: LEAST,
    } as const
    const around = (gwei: bigint) =>
      placeSteps({ ...question, ...deposit, uncounted: [rival] }, gwei).map(({ allGwei }) => allGwei)
    expect(steps.map(({ allGwei }) => allGwei)).toEqual(around(entry?.allGwei ?? 0n))
    expect(around(entry?.allGwei ?? 0n)).not.toEqual(around(tokens(300_000n)))
  })
})
