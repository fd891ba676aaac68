import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { findValidatorIndex } from '../consensus/process-epoch.ts'
import type { LookBlock, ProvenSnapshot, SetSnapshot, UncountedDeposit } from '../consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH, type Validator } from '../consensus/state.ts'
import { type Evidence, evidenceOf } from '../network/network.ts'

/** Who vouches for a part: a proof whose root so many execution endpoints hold, or the node alone. */
export type Level = ({ by: 'proof' } & Evidence) | { by: 'report' }

/** A validator as the beacon state has it. */
export type KeyRecord = { index: number; validator: Validator; balanceGwei: Gwei }

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
  /** What the contract answers, and how many endpoints say so of the same block, or that its storage proves it. */
  operator: { value: Hex; saidBy: number; isProven?: true } | { unknown: string }
  /**
   * Deposits for the key that the record does not hold yet. Where that is unknown, `perhaps` are those that may wait:
   * they count as there for what is still wanted, and as not there for what may be sent.
   */
  uncounted:
    | { value: readonly UncountedDeposit[]; level: Level }
    | { unknown: string; perhaps: readonly UncountedDeposit[] }
  /** The whole set of the same state, proven; else why not, and whether the node does not offer its state at all. */
  set: SetSnapshot | { unknown: string; outOfReach: boolean }
}

/** The block at which record and operator are proven by what the validator set signed; undefined where they aren't. */
export function signedBlockOf({ record, operator, block }: KeyState): bigint | undefined {
  if ('unknown' in record || 'unknown' in operator || operator.isProven !== true) return undefined
  return record.level.by === 'proof' && record.level.signed !== undefined ? block.number : undefined
}

/** The endpoints that the set's signature left out, each with what it says. */
export const leftOutOf = (level: Level): readonly string[] =>
  level.by === 'proof' ? (level.signed?.leftOut ?? []) : []

/** The record of a key in a snapshot that kept it; absent where the state lacks it. */
export function recordIn({ consensus, indexes }: SetSnapshot, pubkey: string): KeyRecord | 'absent' {
  const place = findValidatorIndex(consensus.validators, pubkey)
  const validator = place === undefined ? undefined : consensus.validators[place]
  if (place === undefined || validator === undefined) return 'absent'
  return { index: indexes[place] ?? place, validator, balanceGwei: consensus.balancesGwei[place] ?? 0n }
}

/** Record and uncounted deposits of a key as a proven snapshot has them. */
export function partsOfProven(snapshot: ProvenSnapshot, pubkey: Hex): Pick<KeyState, 'record' | 'uncounted'> {
  const level: Level = { by: 'proof', ...evidenceOf(snapshot.proof) }
  const { uncounted } = snapshot
  return {
    record: { value: recordIn(snapshot, pubkey), level },
    uncounted:
      'unknown' in uncounted
        ? { unknown: uncounted.unknown, perhaps: [] }
        : { value: uncounted.filter((deposit) => sameHex(deposit.pubkey, pubkey)), level },
  }
}

/** Returns the record of a registered key; undefined where it is absent or unknown. */
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

/** Returns the deposits for the key that wait to be counted, or that may wait, by the transactions that made them. */
export function waitingDepositsOf({
  uncounted,
}: Pick<KeyState, 'uncounted'>): { hash: Hex; amountGwei: Gwei }[] {
  const waiting = 'unknown' in uncounted ? uncounted.perhaps : uncounted.value
  return waiting.map(({ transactionHash: hash, amountGwei }) => ({ hash, amountGwei }))
}

function sumGwei(deposits: readonly { amountGwei: Gwei }[]): Gwei {
  return deposits.reduce((sum, { amountGwei }) => sum + amountGwei, 0n)
}

/**
 * Where a key stands, as one word. `unused`: nothing was ever deposited for it. `waiting`: a deposit for it is in a block
 * and not counted yet. `lost`: its deposits were counted and the state does not hold it: the chain kept the money.
 */
export type KeyVerdict =
  | 'unknown'
  | 'unused'
  | 'waiting'
  | 'lost'
  | 'registered'
  | 'exiting'
  | 'exited'
  | 'withdrawn'

/**
 * The verdict over what is known of a key; `slotsPerEpoch` tells the epoch of its slot. It says nothing of who vouches
 * for it: a caller that decides about money looks at the levels of the parts as well. What the parts say of one another
 * must fit: an operator without deposits, or deposits without an operator, is unknown.
 */
export function keyVerdict(key: KeyState, { slotsPerEpoch }: { slotsPerEpoch: bigint }): KeyVerdict {
  const { record, slot } = key
  if ('unknown' in record) return 'unknown'
  return record.value === 'absent'
    ? verdictOfAbsent(key)
    : verdictOfRecord(record.value, slot / slotsPerEpoch)
}

function verdictOfRecord({ validator, balanceGwei }: KeyRecord, epoch: bigint): KeyVerdict {
  const { exitEpoch, withdrawableEpoch } = validator
  if (exitEpoch === FAR_FUTURE_EPOCH) return 'registered'
  if (exitEpoch > epoch) return 'exiting'
  return withdrawableEpoch <= epoch && balanceGwei === 0n ? 'withdrawn' : 'exited'
}

function verdictOfAbsent({ operator, uncounted }: KeyState): KeyVerdict {
  if ('unknown' in operator) return 'unknown'
  const isSet = !sameHex(operator.value, ZERO_ADDRESS)
  const maySome = ('unknown' in uncounted ? uncounted.perhaps : uncounted.value).length > 0
  if (!isSet) return maySome ? 'unknown' : 'unused'
  if (maySome) return 'waiting'
  return 'unknown' in uncounted ? 'unknown' : 'lost'
}

/**
 * Slots after which a deposit is in every state, however many waited before it: 16 are taken a slot, so to wait longer it
 * would have to stand behind a thousand others of 10,000 tokens or more each.
 */
export const SLOTS_TO_COUNT = 64n
/** Slots from a deposit's block to the first state that may hold it before Fulu; from Fulu on it is the block's own. */
const SLOTS_BEFORE_FULU = 2n
const TAKEN_IN_A_SLOT = 16

/** A proven balance of a validator, and how many of its deposits it may hold: at least and at most. */
export type Counted = { slot: bigint; balanceGwei: Gwei; least: number; most: number }

/** All deposits for a key in the last blocks, oldest first; `ofAll`: how many there were for anybody. */
type Recent = { deposits: readonly Pick<UncountedDeposit, 'blockSlot' | 'amountGwei'>[]; ofAll: number }

/**
 * Which of a key's deposits a proven balance holds, where no proven state says how many the chain has counted. Deposits
 * are counted in their order, and as few as one slot takes never wait for one another; where there were more, what the
 * balance grew by since an earlier proof must be the deposits between, for nothing but deposits and withdrawals moves it.
 * The list is the one of the earlier proof with later ones behind it.
 *
 * The range narrows with each proof and never widens; where no count explains the growth, as after a withdrawal, it is
 * what age alone says.
 */
export function countByGrowth(
  before: Counted | undefined,
  now: { slot: bigint; balanceGwei: Gwei; fulu: boolean },
  { deposits, ofAll }: Recent,
): Counted {
  const { slot, balanceGwei, fulu } = now
  const soonest = fulu ? 0n : SLOTS_BEFORE_FULU
  const latest = ofAll <= TAKEN_IN_A_SLOT ? soonest : SLOTS_TO_COUNT
  const olderThan = (slots: bigint) => deposits.filter(({ blockSlot }) => blockSlot + slots <= slot).length
  const least = Math.max(olderThan(latest), before?.least ?? 0)
  const byAge = { slot, balanceGwei, least, most: Math.max(olderThan(soonest), least) }
  if (before === undefined) return byAge
  const fits = (count: number) => {
    for (let then = before.least; then <= Math.min(before.most, count); then += 1) {
      const grownGwei = deposits.slice(then, count).reduce((sum, { amountGwei }) => sum + amountGwei, 0n)
      if (before.balanceGwei + grownGwei === balanceGwei) return true
    }
    return false
  }
  const counts: number[] = []
  for (let count = byAge.least; count <= byAge.most; count += 1) if (fits(count)) counts.push(count)
  const [first = byAge.least] = counts
  return { ...byAge, least: first, most: counts.at(-1) ?? byAge.most }
}
