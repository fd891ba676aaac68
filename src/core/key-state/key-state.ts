import { findValidatorIndex } from '../consensus/apply-deposits.ts'
import type { Validator } from '../consensus/state.ts'
import type { LookBlock, ProvenSurvey, Survey, UncountedDeposit } from '../consensus/survey.ts'
import { type Hex, sameHex } from '../format/hex.ts'

/** Who vouches for a part: a proof whose root so many execution endpoints hold, or the node alone. */
export type Level = { by: 'proof'; anchors: number } | { by: 'report' }

/** A validator as the beacon state has it. */
export type KeyRecord = { index: number; validator: Validator; balanceGwei: bigint }

/**
 * What the chain knows of one key, each part with who vouches for it. `unknown` says why a part could not be found out,
 * in words that are safe to draw.
 */
export type KeyState = {
  pubkey: Hex
  /** The head of the first execution endpoint: operator and events are of it. */
  block: LookBlock
  /** The slot before it, which the record is of. */
  slot: bigint
  record: { value: KeyRecord | 'absent'; level: Level } | { unknown: string }
  /** What the contract answers, and how many endpoints say so of the same block. */
  operator: { value: Hex; saidBy: number } | { unknown: string }
  /**
   * Deposits for the key that the record does not hold yet. Where that is unknown, `perhaps` are those that may wait:
   * they count as there for what is still wanted, and as not there for what may be sent.
   */
  uncounted:
    | { value: readonly UncountedDeposit[]; level: Level }
    | { unknown: string; perhaps: readonly UncountedDeposit[] }
  /** The whole set of the same state, proven; else why not, and whether the node does not offer its state at all. */
  set: Survey | { unknown: string; outOfReach: boolean }
}

/** The record of a key in a survey that kept it; absent where the state lacks it. */
function recordIn({ consensus, indexes }: Survey, pubkey: Hex): KeyRecord | 'absent' {
  const place = findValidatorIndex(consensus.validators, pubkey)
  const validator = place === undefined ? undefined : consensus.validators[place]
  if (place === undefined || validator === undefined) return 'absent'
  return { index: indexes[place] ?? place, validator, balanceGwei: consensus.balancesGwei[place] ?? 0n }
}

/** Record and uncounted deposits of a key as a proven survey has them. */
export function partsOfProven(survey: ProvenSurvey, pubkey: Hex): Pick<KeyState, 'record' | 'uncounted'> {
  const level: Level = { by: 'proof', anchors: survey.proof.anchors }
  const { uncounted } = survey
  return {
    record: { value: recordIn(survey, pubkey), level },
    uncounted:
      'unknown' in uncounted
        ? { unknown: uncounted.unknown, perhaps: [] }
        : { value: uncounted.filter((deposit) => sameHex(deposit.pubkey, pubkey)), level },
  }
}

/** The record of a registered key; undefined where it is absent or unknown. */
export function registeredRecord({ record }: Pick<KeyState, 'record'>): KeyRecord | undefined {
  return 'unknown' in record || record.value === 'absent' ? undefined : record.value
}

/**
 * What the validator will have once all that was deposited for it is counted, in gwei: its balance and what waits.
 * undefined where either is unknown.
 */
export function stakeToBeOf({
  record,
  uncounted,
}: Pick<KeyState, 'record' | 'uncounted'>): bigint | undefined {
  const held = registeredRecord({ record })
  if (held === undefined || 'unknown' in uncounted) return undefined
  return held.balanceGwei + sumGwei(uncounted.value)
}

function sumGwei(deposits: readonly { amountGwei: bigint }[]): bigint {
  return deposits.reduce((sum, { amountGwei }) => sum + amountGwei, 0n)
}
