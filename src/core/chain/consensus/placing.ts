import type { Gwei } from '../../base/format/amount.ts'
import { bytesToHex, type Hex, sameHex } from '../../base/format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import { EPOCHS_AHEAD, type OutlookQuestion } from './outlook.ts'
import { compareStake, findValidatorIndex, processEpochWithoutCap, stakeToBe } from './process-epoch.ts'
import { type Course, lastSlotOfEpoch, runForward } from './process-slot.ts'
import {
  activeSet,
  type ConsensusState,
  epochOfSlot,
  FAR_FUTURE_EPOCH,
  hysteresisBand,
  nextEffectiveBalance,
  type PendingPartialWithdrawal,
  type Validator,
} from './state.ts'

/** One row of the rank table; rank 1 has the most stake. */
export type RankTableRow = {
  rank: number
  pubkey: Hex
  /** Effective balance, in gwei. */
  stakeGwei: Gwei
  /** Whether the rank is within the places. */
  hasPlace: boolean
}

/** All who want a place at an epoch, best first, before the cap sends anyone away. */
export type RankTable = {
  epoch: bigint
  places: number
  rows: readonly RankTableRow[]
}

/**
 * Returns the rank table of an epoch: who is, or by what the state holds will be, active then, in the order of the cap
 * (effective balance, then pubkey, both descending). A later epoch than the state's is reached by running the
 * model with empty blocks, so queued and about-to-qualify validators and pending withdrawals are in.
 */
export function rankTable(
  state: ConsensusState,
  spec: ChainSpec,
  options: { epoch: bigint; fulu: boolean },
): RankTable {
  const { epoch, fulu } = options
  if (epoch <= epochOfSlot(state.slot, spec)) return tableOf(state, spec, epoch)
  const toSlot = lastSlotOfEpoch(epoch - 1n, spec)
  const { state: eve } = runForward({ state, queue: [] }, spec, { toSlot, fulu })
  return nextRankTable(eve, spec, { fulu })
}

/** Returns the rank table of the next epoch as the turn that ends the state's own epoch would sort it. */
export function nextRankTable(state: ConsensusState, spec: ChainSpec, options: { fulu: boolean }): RankTable {
  return tableOf(processEpochWithoutCap(state, spec, options), spec, epochOfSlot(state.slot, spec) + 1n)
}

function tableOf(state: ConsensusState, spec: ChainSpec, epoch: bigint): RankTable {
  const ordered = activeSet(state, epoch).sort((a, b) => compareStake(b, a))
  const rows = ordered.map((validator, index) => ({
    rank: index + 1,
    pubkey: validator.pubkey,
    stakeGwei: validator.effectiveBalanceGwei,
    hasPlace: index < spec.validatorSetCap,
  }))
  return { epoch, places: spec.validatorSetCap, rows }
}

/** Where one validator stands on a rank table. */
export type Placing = {
  epoch: bigint
  rank: number
  places: number
  stakeGwei: Gwei
  /** Holder of the last place, possibly the validator itself; undefined while a place is free. */
  lastPlace: RankTableRow | undefined
  /** The strongest of the others that must be passed; undefined while places suffice for all. */
  cutoff: RankTableRow | undefined
  /** Own stake above the cutoff; zero is a tie and counts as lost. Undefined without a cutoff. */
  marginGwei: Gwei | undefined
  /** The least that others must add to take the place, ties counted against it. */
  othersNeedGwei: Gwei
}

/** Returns the standing of a validator on a rank table, undefined when it is not on it. */
export function placing(table: RankTable, pubkey: Hex): Placing | undefined {
  const own = table.rows.find((row) => sameHex(row.pubkey, pubkey))
  if (own === undefined) return undefined
  const others = table.rows.filter((row) => row !== own)
  const cutoff = others[table.places - 1]
  return {
    epoch: table.epoch,
    rank: own.rank,
    places: table.places,
    stakeGwei: own.stakeGwei,
    lastPlace: table.rows[table.places - 1],
    cutoff,
    marginGwei: cutoff === undefined ? undefined : own.stakeGwei - cutoff.stakeGwei,
    othersNeedGwei: leastToTake(own.stakeGwei, others, table.places),
  }
}

/** The cheapest way to have `places` others at or above a stake: lift the nearest ones, then bring new ones. */
function leastToTake(stakeGwei: Gwei, others: readonly RankTableRow[], places: number): Gwei {
  let sumGwei = 0n
  for (let place = 0; place < places; place += 1) {
    const missingGwei = stakeGwei - (others[place]?.stakeGwei ?? 0n)
    if (missingGwei > 0n) sumGwei += missingGwei
  }
  return sumGwei
}

/**
 * Where a validator stands at the tightest of the epoch boundaries that an outlook looks at: the one at which others
 * need the least more to take its place, with every deposit that is known and not counted yet. undefined where it
 * asks for a place at none of them.
 */
export function tightestPlacing({
  state,
  uncounted,
  spec,
  fulu,
  pubkey,
}: OutlookQuestion): Placing | undefined {
  const firstEpoch = epochOfSlot(state.slot, spec)
  let course: Course = { state, queue: uncounted }
  let tightest: Placing | undefined
  for (let epoch = firstEpoch; epoch < firstEpoch + EPOCHS_AHEAD; epoch += 1n) {
    const eve = runForward(course, spec, { toSlot: lastSlotOfEpoch(epoch, spec), fulu })
    const place = placing(nextRankTable(eve.state, spec, { fulu }), pubkey)
    if (place !== undefined && (tightest === undefined || isTighter(place, tightest))) tightest = place
    course = runForward(eve, spec, { toSlot: eve.state.slot + 1n, fulu })
  }
  return tightest
}

/** Out of the set it is lost by nothing more; then the larger distance to the cutoff tells. */
function isTighter(place: Placing, than: Placing): boolean {
  if (place.othersNeedGwei !== than.othersNeedGwei) return place.othersNeedGwei < than.othersNeedGwei
  return (place.marginGwei ?? 0n) < (than.marginGwei ?? 0n)
}

/**
 * The most by which one deposit of the least amount lifts an effective balance, in gwei: that amount on top of what the
 * hysteresis has held back, in whole increments.
 */
export function oneDepositLiftsGwei({
  spec,
  fulu,
  minimumDepositGwei,
}: Pick<OutlookQuestion, 'spec' | 'fulu' | 'minimumDepositGwei'>): Gwei {
  const mostGwei = minimumDepositGwei + hysteresisBand(spec, { fulu }).upGwei
  return mostGwei - (mostGwei % spec.effectiveBalanceIncrementGwei)
}

/**
 * Returns the least top-up, in whole increments, that lifts the effective balance of a validator, in gwei. undefined where
 * none does: the state does not hold the key, or its effective balance is at the maximum.
 */
export function leastLiftGwei(question: OutlookQuestion): Gwei | undefined {
  const { state, spec, fulu, minimumDepositGwei } = question
  const validator = state.validators[findValidatorIndex(state.validators, question.pubkey) ?? -1]
  if (validator === undefined) return undefined
  const stepGwei = spec.effectiveBalanceIncrementGwei
  const stakeGwei = stakeToBe(question)
  const counts = (addGwei: Gwei) =>
    nextEffectiveBalance({ ...validator, balanceGwei: stakeGwei + addGwei }, spec, { fulu })
  if (counts(0n) >= spec.maxEffectiveBalanceGwei) return undefined
  let addGwei = stepGwei
  while (addGwei < minimumDepositGwei || counts(addGwei) <= counts(0n)) addGwei += stepGwei
  return addGwei
}

/** A validator as the registry has it. */
export type Contender = { index: number; validator: Validator; balanceGwei: Gwei }

/** Rows of validators in flat memory: nothing of a row is left for the garbage collector to follow. */
type PackedContenders = {
  write(row: number, contender: Contender): void
  read(row: number): Contender
  /** Orders rows, the strongest first: who stays before who leaves, then stake, then pubkey, both descending. */
  compare(a: number, b: number): number
}

const KEY_BYTES = 48
const CREDENTIALS_BYTES = 32
/** Balance, effective balance and four epochs. */
const NUMBERS = 6

/** As many rows as most sets need; doubled as long as more come. */
const FIRST_ROWS = 128

const memoryFor = (rows: number) => ({
  keys: Buffer.alloc(rows * KEY_BYTES),
  credentials: Buffer.alloc(rows * CREDENTIALS_BYTES),
  numbers: new BigUint64Array(rows * NUMBERS),
  indexes: new Float64Array(rows),
  slashed: new Uint8Array(rows),
  leaving: new Uint8Array(rows),
  /** What counts, or will count at the next turns, in two halves. */
  stakes: new Uint32Array(rows * 2),
})

/**
 * Memory for validators, 146 bytes each. Keys and credentials must be hex of 48 and 32 bytes, amounts and epochs fit 64
 * bits, as every validator record that was read has them.
 */
function packContenders(): PackedContenders {
  let rows = FIRST_ROWS
  let memory = memoryFor(rows)
  const grow = () => {
    rows *= 2
    const before = memory
    memory = memoryFor(rows)
    for (const name of Object.keys(before) as (keyof typeof before)[]) memory[name].set(before[name] as never)
  }
  const numberAt = (row: number, place: number) => memory.numbers[row * NUMBERS + place] ?? 0n
  const keyAt = (row: number) => memory.keys.subarray(row * KEY_BYTES, (row + 1) * KEY_BYTES)
  return {
    write(row, { index, validator, balanceGwei }) {
      while (row >= rows) grow()
      const { keys, credentials, numbers, indexes, slashed, leaving, stakes } = memory
      keys.write(validator.pubkey.slice(2), row * KEY_BYTES, 'hex')
      credentials.write(validator.withdrawalCredentials.slice(2), row * CREDENTIALS_BYTES, 'hex')
      const { effectiveBalanceGwei: effective, exitEpoch } = validator
      const { activationEligibilityEpoch, activationEpoch, withdrawableEpoch } = validator
      const first = row * NUMBERS
      numbers[first] = balanceGwei
      numbers[first + 1] = effective
      numbers[first + 2] = activationEligibilityEpoch
      numbers[first + 3] = activationEpoch
      numbers[first + 4] = exitEpoch
      numbers[first + 5] = withdrawableEpoch
      indexes[row] = index
      slashed[row] = Number(validator.slashed)
      leaving[row] = Number(exitEpoch !== FAR_FUTURE_EPOCH)
      const stake = balanceGwei > effective ? balanceGwei : effective
      stakes[2 * row] = Number(stake >> 32n)
      stakes[2 * row + 1] = Number(stake & 0xffff_ffffn)
    },
    read(row) {
      const { credentials, indexes, slashed } = memory
      const from = row * CREDENTIALS_BYTES
      return {
        index: indexes[row] ?? 0,
        balanceGwei: numberAt(row, 0),
        validator: {
          pubkey: bytesToHex(keyAt(row)),
          withdrawalCredentials: bytesToHex(credentials.subarray(from, from + CREDENTIALS_BYTES)),
          effectiveBalanceGwei: numberAt(row, 1),
          slashed: slashed[row] === 1,
          activationEligibilityEpoch: numberAt(row, 2),
          activationEpoch: numberAt(row, 3),
          exitEpoch: numberAt(row, 4),
          withdrawableEpoch: numberAt(row, 5),
        },
      }
    },
    compare(a, b) {
      const { leaving, stakes } = memory
      const stays = (leaving[a] ?? 0) - (leaving[b] ?? 0)
      if (stays !== 0) return stays
      const high = (stakes[2 * b] ?? 0) - (stakes[2 * a] ?? 0)
      if (high !== 0) return high
      const low = (stakes[2 * b + 1] ?? 0) - (stakes[2 * a + 1] ?? 0)
      if (low !== 0) return low
      return Buffer.compare(keyAt(b), keyAt(a))
    },
  }
}

export type ContenderGatherer = {
  add(contender: Contender): void
  /** Those that were kept, in index order. */
  done(): Contender[]
}

export type ContenderOptions = {
  /** Places of the set. */
  places: number
  /** Pubkeys of validators that are kept whatever their stake. */
  keep: readonly Hex[]
}

/** A registry of up to so many validators is kept whole. */
const WHOLE = 4096
/** Of a larger one so many, or four times as many as there are places. */
const LEAST = 512

/**
 * Gathers a registry one validator at a time: all of up to 4,096, of a larger one only the strongest (those who stay
 * before those who leave, then by stake) and the validators `keep`. So a registry of a million costs neither memory
 * nor time in the model, and the rank table is exact far below the last place.
 */
export function gatherContenders({ places, keep }: ContenderOptions): ContenderGatherer {
  const most = Math.max(LEAST, 4 * places)
  const room = Math.max(WHOLE, 2 * most)
  const packed = packContenders()
  const free: number[] = []
  let unused = 0
  let taken: number[] = []
  let weakest: number | undefined
  const wanted = new Set(keep.map((pubkey) => pubkey.toLowerCase()))
  const own: Contender[] = []
  const cut = () => {
    taken.sort(packed.compare)
    free.push(...taken.slice(most))
    taken = taken.slice(0, most)
    weakest = taken.at(-1)
  }
  return {
    add(contender) {
      if (wanted.has(contender.validator.pubkey.toLowerCase())) own.push(contender)
      const row = free.pop() ?? unused++
      packed.write(row, contender)
      if (weakest !== undefined && packed.compare(weakest, row) < 0) {
        free.push(row)
        return
      }
      taken.push(row)
      if (taken.length > room) cut()
    },
    done() {
      if (weakest !== undefined) cut()
      const kept = taken.map((row) => packed.read(row))
      const there = new Set(kept.map(({ index }) => index))
      const missed = own.filter(({ index }) => !there.has(index))
      return [...kept, ...missed].sort((a, b) => a.index - b.index)
    },
  }
}

/** Returns the contenders as a state of the model; withdrawals of those who were not kept are left out. */
export function stateOfContenders(
  contenders: readonly Contender[],
  rest: {
    slot: bigint
    /** Indexes in both are the registry's. */
    pendingPartialWithdrawals: readonly PendingPartialWithdrawal[]
    nextWithdrawalIndex: bigint
    nextWithdrawalValidatorIndex: number
  },
): ConsensusState {
  const places = new Map(contenders.map(({ index }, place) => [index, place]))
  const next = contenders.findIndex(({ index }) => index >= rest.nextWithdrawalValidatorIndex)
  return {
    slot: rest.slot,
    validators: contenders.map(({ validator }) => validator),
    balancesGwei: contenders.map(({ balanceGwei }) => balanceGwei),
    pendingPartialWithdrawals: rest.pendingPartialWithdrawals.flatMap((withdrawal) => {
      const validatorIndex = places.get(withdrawal.validatorIndex)
      return validatorIndex === undefined ? [] : [{ ...withdrawal, validatorIndex }]
    }),
    nextWithdrawalIndex: rest.nextWithdrawalIndex,
    nextWithdrawalValidatorIndex: Math.max(next, 0),
  }
}
