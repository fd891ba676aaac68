import type { Gwei } from '../../base/format/amount.ts'
import { bytesToHex, type Hex } from '../../base/format/hex.ts'
import {
  type ConsensusState,
  FAR_FUTURE_EPOCH,
  type PendingPartialWithdrawal,
  type Validator,
} from './state.ts'

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
