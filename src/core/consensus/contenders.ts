import { type Hex, sameHex } from '../format/hex.ts'
import { compareStake } from './compare-stake.ts'
import {
  type ConsensusState,
  FAR_FUTURE_EPOCH,
  type PendingPartialWithdrawal,
  type Validator,
} from './state.ts'

/** A validator as the registry has it. */
export type Contender = { index: number; validator: Validator; balanceGwei: bigint }

export type ContenderGatherer = {
  add(contender: Contender): void
  /** Those that were kept, in index order. */
  done(): Contender[]
}

/** More than this many never decide about the seats of one set: the cap of the real networks is 69. */
const MOST = 4096

/**
 * Gathers a registry one validator at a time and keeps all of up to 4,096; of a larger one only the strongest (those
 * who stay before those who leave, then by stake) and the validator `keep`. So a registry of a million costs neither
 * memory nor time in the model, and the ladder is exact as far as anyone can see it.
 */
export function gatherContenders(keep: Hex | undefined): ContenderGatherer {
  let kept: Contender[] = []
  let weakest: Contender | undefined
  let own: Contender | undefined
  const cut = () => {
    kept = kept.sort(strongestFirst).slice(0, MOST)
    weakest = kept.at(-1)
  }
  return {
    add(contender) {
      if (keep !== undefined && sameHex(contender.validator.pubkey, keep)) own = contender
      if (weakest !== undefined && strongestFirst(weakest, contender) < 0) return
      kept.push(contender)
      if (kept.length >= 2 * MOST) cut()
    },
    done() {
      if (kept.length > MOST) cut()
      const all = own === undefined || kept.includes(own) ? kept : [...kept, own]
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

function strongestFirst(a: Contender, b: Contender): number {
  const leaving = Number(isLeaving(a)) - Number(isLeaving(b))
  if (leaving !== 0) return leaving
  const [left, right] = [stakeOf(a), stakeOf(b)]
  if (left !== right) return left > right ? -1 : 1
  return compareStake(b.validator, a.validator)
}

function isLeaving({ validator }: Contender): boolean {
  return validator.exitEpoch !== FAR_FUTURE_EPOCH
}

/** What counts, or will count at the next turns. */
function stakeOf({ validator, balanceGwei }: Contender): bigint {
  const { effectiveBalanceGwei } = validator
  return balanceGwei > effectiveBalanceGwei ? balanceGwei : effectiveBalanceGwei
}
