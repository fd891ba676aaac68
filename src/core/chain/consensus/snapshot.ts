import { formatCount } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { jsonText } from '../../base/format/strict-json.ts'
import type { ChainSpec, Evidence } from '../network/network.ts'
import { isFulu } from './fork-outlook.ts'
import { EPOCHS_AHEAD } from './outlook.ts'
import { nextRankTable, type Placing, placing } from './placing.ts'
import type { QueuedDeposit } from './process-epoch.ts'
import { type Course, lastSlotOfEpoch, runForward } from './process-slot.ts'
import { type ConsensusState, epochOfSlot, FAR_FUTURE_EPOCH, type Validator } from './state.ts'

/** A deposit of the contract that the beacon state does not hold yet. `index` counts all deposits, genesis included. */
export type UncountedDeposit = QueuedDeposit & { index: bigint; transactionHash: Hex }

/**
 * Deposits that wait to be counted, in order; `unknown` says why that is not known, safe to draw. Then `perhaps` are
 * those of the validator asked about that may wait.
 */
export type Uncounted =
  | readonly UncountedDeposit[]
  | { unknown: string; perhaps: readonly UncountedDeposit[] }

/** The execution block at which something was looked at. */
export type LookBlock = { number: bigint; hash: Hex; timestampSeconds: bigint }

/** What makes a snapshot more than the node's word: its whole state was hashed here and its root found on the chain. */
type SnapshotProof = Evidence & {
  /** Slot of the state that was hashed; nothing has changed since then when it is older than the snapshot. */
  slot: bigint
  /** Root of that slot's header, which the execution chain holds (EIP-4788). */
  blockRoot: Hex
  /** The execution block that carries the root. */
  block: LookBlock
}

/** The whole validator set as one answer, at one slot. */
export type SetSnapshot = {
  consensus: ConsensusState
  /** Index in the registry of each validator of `consensus`: of a very large one only the strongest are in it. */
  indexes: readonly number[]
  /** Time of the block of that slot, Unix seconds: decides which fork's rules count. */
  timestampSeconds: bigint
  /** Deposits of anybody that wait, up to the block after the slot. */
  uncounted: Uncounted
  /** undefined: as the node reports it. */
  proof: SnapshotProof | undefined
  /** Why there is no proof, in words that are safe to draw; `isRefuted`: it isn't what the validator set signed. */
  unproven: string | undefined
  isRefuted?: true
  /**
   * Of a set that is not proven: how many execution endpoints hold the proof of the one validator asked about, and what
   * waits for it in blocks up to the given one.
   */
  own?: Evidence & { block: bigint; uncounted: Uncounted }
}

/** A set that was proven, as one whole. */
export type ProvenSnapshot = SetSnapshot & { proof: SnapshotProof }

/** Returns the deposits that wait, or may wait: what was paid already must not be asked for again. */
export function waitingDeposits({ uncounted }: SetSnapshot): readonly UncountedDeposit[] {
  return 'unknown' in uncounted ? uncounted.perhaps : uncounted
}

/** Returns what every question to the model begins with: the set as it is, with all that waits to be counted. */
export function questionOf(snapshot: SetSnapshot, spec: ChainSpec) {
  const { consensus: state, timestampSeconds } = snapshot
  const fulu = isFulu(spec, timestampSeconds)
  return { state, spec, fulu, currentSlot: state.slot, uncounted: waitingDeposits(snapshot) }
}

/** Returns who says what a snapshot says, in words: `proven state of slot 187`, or `as the node reports it`. */
export function snapshotSource({ proof }: SetSnapshot): string {
  if (proof === undefined) return 'reported by the node (not proven)'
  return `proven state of slot ${formatCount(proof.slot)}`
}

/** Why a snapshot is no more than the node's word; nothing for one that is proven. */
export function snapshotDoubt({ proof, unproven }: SetSnapshot): string[] {
  return proof !== undefined || unproven === undefined ? [] : [`not proven: ${unproven}`]
}

/** Whether two snapshots hold the same validators, balances and waiting withdrawals, whatever their slots. */
export function sameSet(a: SetSnapshot, b: SetSnapshot): boolean {
  return contentOf(a) === contentOf(b)
}

function contentOf({ consensus, indexes }: SetSnapshot): string {
  const { validators, balancesGwei, pendingPartialWithdrawals } = consensus
  const rows = validators.map((validator, place) => [indexes[place], balancesGwei[place], validator])
  return jsonText([rows, pendingPartialWithdrawals])
}

/** Turns at which a place is looked at: at least the one that gives it and the one after. */
const LEAST_WATCHED = 2

/** Whom to watch. */
export type ForecastSubject = { spec: ChainSpec; fulu: boolean; pubkey: Hex; index: number }

/**
 * Runs epoch turns until the watched validator is leaving, stays without a place, or has been looked at on two
 * rank tables with its deposits counted, and over as many turns as an outlook: what others have paid already may take a place
 * some epochs from now. Gives the course there and its standing on each ranks.
 */
export function watchTurns(
  start: Course,
  subject: ForecastSubject,
): { course: Course; placings: readonly Placing[] } {
  const { spec, fulu } = subject
  const placings: Placing[] = []
  let course = start
  for (let turns = 1n; ; turns += 1n) {
    const toSlot = lastSlotOfEpoch(epochOfSlot(course.state.slot, spec), spec)
    const eve = runForward(course, spec, { toSlot, fulu })
    const place = placing(nextRankTable(eve.state, spec, { fulu }), subject.pubkey)
    course = runForward(eve, spec, { toSlot: toSlot + 1n, fulu })
    const validator = course.state.validators[subject.index]
    const landed = !eve.queue.some((deposit) => sameHex(deposit.pubkey, subject.pubkey))
    const leaving = validator === undefined || validator.exitEpoch !== FAR_FUTURE_EPOCH
    if (place !== undefined && (landed || leaving)) placings.push(place)
    const watched = turns >= EPOCHS_AHEAD && placings.length >= LEAST_WATCHED
    const settled = leaving || watched || isStuck(validator, spec)
    if (landed && settled) return { course, placings }
  }
}

/** Neither eligible nor about to be: no later turn changes that without more stake. */
function isStuck(validator: Validator, spec: ChainSpec): boolean {
  const below = validator.effectiveBalanceGwei < spec.activationBalanceGwei
  return below && validator.activationEligibilityEpoch === FAR_FUTURE_EPOCH
}
