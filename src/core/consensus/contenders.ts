import { type Hex, sameHex } from '../format/hex.ts'
import { type Contender, packContenders } from './packed-contenders.ts'
import type { ConsensusState, PendingPartialWithdrawal } from './state.ts'

export type ContenderGatherer = {
  add(contender: Contender): void
  /** Those that were kept, in index order. */
  done(): Contender[]
}

export type ContenderOptions = {
  /** Seats of the set. */
  seats: number
  /** Pubkey of a validator that is kept whatever its stake. */
  keep: Hex | undefined
}

/** A registry of up to so many validators is kept whole. */
const WHOLE = 4096
/** Of a larger one so many, or four times as many as there are seats. */
const LEAST = 512

/**
 * Gathers a registry one validator at a time: all of up to 4,096, of a larger one only the strongest (those who stay
 * before those who leave, then by stake) and the validator `keep`. So a registry of a million costs neither memory
 * nor time in the model, and the ladder is exact far below the last seat.
 */
export function gatherContenders({ seats, keep }: ContenderOptions): ContenderGatherer {
  const most = Math.max(LEAST, 4 * seats)
  const room = Math.max(WHOLE, 2 * most)
  const packed = packContenders(room + 1)
  const free = Array.from({ length: room + 1 }, (_, place) => room - place)
  let taken: number[] = []
  let weakest: number | undefined
  let own: Contender | undefined
  const cut = () => {
    taken.sort(packed.compare)
    free.push(...taken.slice(most))
    taken = taken.slice(0, most)
    weakest = taken.at(-1)
  }
  return {
    add(contender) {
      if (keep !== undefined && sameHex(contender.validator.pubkey, keep)) own = contender
      const row = free.pop() ?? 0
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
      const missed = own !== undefined && !kept.some(({ index }) => index === own?.index)
      const all = own === undefined || !missed ? kept : [...kept, own]
      return all.sort((a, b) => a.index - b.index)
    },
  }
}

/** The contenders as a state of the model; withdrawals of those who were not kept are left out. */
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
