import { gweiToWei, tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { lastSlotOfEpoch } from '../../src/core/chain/consensus/process-slot.ts'
import type { ProvenSnapshot } from '../../src/core/chain/consensus/snapshot.ts'
import {
  type ConsensusState,
  epochOfSlot,
  isActive,
  type Validator,
} from '../../src/core/chain/consensus/state.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import type { ChainSpec } from '../../src/core/chain/network/network.ts'
import { LOCAL_ENDPOINTS } from '../../src/core/chain/network/presets.ts'
import { decideGuard, type GuardDecision } from '../../src/core/pay/guard/decide.ts'
import {
  type GuardEvent,
  type GuardState,
  type GuardTarget,
  guardTransition,
} from '../../src/core/pay/guard/guard.ts'
import type { SendRowId } from '../../src/core/pay/guard/guard-consent.ts'
import { actOf, type HoldMemory, memoryAfter, NOTHING_SEEN, seenBy } from '../../src/core/pay/guard/hold.ts'
import { rungAmounts } from '../../src/core/pay/guard/ladder.ts'
import type { GuardLook, GuardPicture, SaidByEndpoint } from '../../src/core/pay/guard/picture.ts'
import { capOf, type GuardTerms, ladderOf } from '../../src/core/pay/guard/terms.ts'
import { chainSpec } from './chain-rows.ts'
import type { History } from './epochs.ts'
import {
  at,
  evictionsIn,
  forecastOut,
  isQuiet,
  networkOf,
  snapshotOf,
  statesOf,
  type TopUp,
  withTopUp,
} from './history.ts'

/** What became of a validator that the history evicts, with a guard. */
type Ending =
  /** It paid, and stays to the end of the recording. */
  | 'averted'
  /** Evicted at the boundary that would have given it a place: a guard is for active validators only. */
  | 'neverActive'
  /** Known only when no block was left. */
  | 'noSlot'
  /** No amount below the maximum keeps the place. */
  | 'noRoom'
  /** The least amount that keeps it is above the cap. */
  | 'capTooLow'
  /** Within the cap at first, and raised above it while the blocks ran that were left to the human. */
  | 'outgrown'
  /** A row of what a guard may do kept the rung back. */
  | 'keptBack'
  /** It paid, and was sent away by what came after. */
  | 'raisedAfter'

/** What a guard of one validator did in a history. */
type GuardCase = {
  history: number
  pubkey: Hex
  /** Slot of the eviction in the recording; undefined where it stays. */
  evicted: number | undefined
  /** Slot of its eviction with a guard. */
  evictedAnyway: number | undefined
  ending: Ending | undefined
  /** The row that kept the rung back. */
  row: SendRowId | undefined
  /** `outAtSlot`: the boundary for which it paid. */
  paid: (TopUp & { outAtSlot: number }) | undefined
  /** It paid for a boundary at which the recording keeps it, by something that came after the payment. */
  isVain: boolean
}

type GuardReplay = { cases: readonly GuardCase[]; counts: GuardCounts; failures: readonly string[] }

/** How many ended in each way. */
export type GuardCounts = Record<Ending, number> & {
  evictions: number
  paid: number
  /** Paid for a boundary behind the end of the recording, */
  paidBeyond: number
  /** or for one at which what came after the payment kept the place as well. */
  paidInVain: number
}

export const NO_COUNTS: GuardCounts = {
  evictions: 0,
  averted: 0,
  neverActive: 0,
  noSlot: 0,
  noRoom: 0,
  capTooLow: 0,
  outgrown: 0,
  keptBack: 0,
  raisedAfter: 0,
  paid: 0,
  paidBeyond: 0,
  paidInVain: 0,
}

/** Adds counts up. */
export function sumOfCounts(a: GuardCounts, b: GuardCounts): GuardCounts {
  const sum = { ...a }
  for (const name of Object.keys(NO_COUNTS) as (keyof GuardCounts)[]) sum[name] += b[name]
  return sum
}

/** The counts as one sentence. */
export function guardWords(slotsToHuman: number, counts: GuardCounts): string {
  const { evictions, averted, neverActive, raisedAfter, capTooLow, outgrown } = counts
  const { keptBack, noSlot, noRoom, paid, paidBeyond, paidInVain } = counts
  const ends = [
    `${neverActive} never active`,
    `${averted} averted`,
    `${raisedAfter} raised after`,
    `${capTooLow} with the cap too low`,
    `${outgrown} raised above it in the slots of the human`,
    `${keptBack} kept back`,
    `${noSlot} without a slot left`,
    `${noRoom} without room`,
  ]
  const rest = `${paidBeyond} for a boundary behind the end, ${paidInVain} for one that what came after kept as well`
  return `guarded, ${slotsToHuman} slots to the human: ${evictions} evictions, ${ends.join(', ')}; ${paid} paid, ${rest}`
}

const CAP = tokens(50_000n)
const FAR_SECONDS = 1n << 62n
const NONCE = 5
const PAYER: Hex = `0x${'70'.repeat(20)}`
const OPERATOR: Hex = `0x${'0b'.repeat(20)}`
const HASH: Hex = `0x${'9e'.repeat(32)}`
const hashOf = (member: number): Hex => `0x${(member + 1).toString(16).padStart(64, '0')}`

/** How decisions are made, so that faults can be planted. */
export type DecideBy = (picture: GuardPicture) => GuardDecision

/**
 * Goes through a history once for each of its validators, with a guard of 50,000 tokens for it from its first active epoch
 * on that decides in each slot as the program does: by the proven state of the slot before and the deposits that wait, all
 * else being well. What it hands over is in the next block, and the history goes on with it. A payment for a place that is
 * kept by all that was there, or that does not keep it, or a second one, is a failure. `slotsToHuman`: the blocks left to the
 * human.
 */
export function guardHistory(
  line: string,
  slotsToHuman: number,
  decideBy: DecideBy = decideGuard,
): GuardReplay {
  const history = JSON.parse(line) as History
  const spec = chainSpec(history.spec)
  const states = statesOf(history, spec)
  const evictions = evictionsIn(states, spec)
  const snapshots = states.map((state) => provenOf(state, history))
  const recorded: Recorded = { history, spec, states, snapshots, slotsToHuman, decideBy }
  const failures: string[] = []
  const cases = at(states, history.lastSlot).validators.map((validator) => {
    const { pubkey } = validator
    const play = playGuard(recorded, validator)
    const found = caseOf(history, play, { pubkey, evicted: evictions.get(pubkey) })
    const all = [...play.failures, ...unexplained(history, found)]
    failures.push(...all.map((what) => `history ${history.seed}, guard of ${pubkey}: ${what}`))
    return found
  })
  return { cases, counts: countsOf(history, cases), failures }
}

type Recorded = {
  history: History
  spec: ChainSpec
  states: readonly ConsensusState[]
  /** The set of each slot, as it is proven in the slot after. */
  snapshots: readonly ProvenSnapshot[]
  slotsToHuman: number
  decideBy: DecideBy
}

/** What was seen of the place in the slots before anything was paid. */
type Seen = {
  isEverActive: boolean
  /** It was lost, and within the cap, above it, or beyond any amount with and without a block left. */
  lost: ReadonlySet<'within-cap' | 'above-cap' | 'no-room' | 'no-slot'>
  /** The row that kept a rung back that was due. */
  row: SendRowId | undefined
}
type Play = { paid: GuardCase['paid']; evictedAnyway: number | undefined; seen: Seen; failures: string[] }

function playGuard(recorded: Recorded, validator: Validator): Play {
  const { spec, states } = recorded
  const { pubkey } = validator
  const setup = setupOf(spec)
  const failures: string[] = []
  let { history } = recorded
  let own = states
  let guard = armed(validator, recorded)
  let memory: HoldMemory = NOTHING_SEEN
  let seen: Seen = { isEverActive: false, lost: new Set(), row: undefined }
  let paid: Play['paid']
  let snapshot: ProvenSnapshot | undefined
  for (let head = 1; head < history.lastSlot; head += 1) {
    const state = at(own, head - 1)
    const record = state.validators.find((each) => each.pubkey === pubkey)
    if (record === undefined || !isActive(record, epochOfSlot(state.slot, spec))) continue
    if (snapshot === undefined || memory.since !== undefined || !isQuiet(history, state, spec))
      snapshot = own === states ? recorded.snapshots[head - 1] : provenOf(state, history)
    if (snapshot === undefined) break
    const nonce = paid === undefined ? NONCE : NONCE + 1
    const looked = lookAt(guard, { snapshot, nonce, memory, setup, decideBy: recorded.decideBy })
    memory = memoryAfter(memory, looked.picture, { isHeard: true })
    if (paid === undefined) seen = seenAfter(seen, looked, { spec, head })
    const act = actOf(looked.picture, looked.decision, { isTakenBack: false })
    if (act.do === 'nothing') continue
    if (act.do !== 'hand' || act.target === undefined || paid !== undefined) {
      failures.push(`slot ${head}: ${act.do} ${paid === undefined ? 'before any' : 'after a'} payment`)
      break
    }
    const topUp = { pubkey, addGwei: guard.terms.rungsGwei[act.member] ?? 0n, block: head + 1 }
    failures.push(...objections(recorded, state, topUp))
    paid = { ...topUp, outAtSlot: Number(act.target.outAtEpoch * spec.slotsPerEpoch) }
    guard = handedAndIncluded(guard, { ...act, target: act.target, head })
    history = withTopUp(history, topUp)
    own = statesOf(history, spec)
  }
  return { paid, evictedAnyway: evictionsIn(own, spec).get(pubkey), seen, failures }
}

type Looked = { picture: GuardPicture; decision: GuardDecision }

/** One look and what is decided by it; the dry run is asked for and goes well. */
function lookAt(
  guard: GuardState,
  about: {
    snapshot: ProvenSnapshot
    nonce: number
    memory: HoldMemory
    setup: Setup
    decideBy: DecideBy
  },
): Looked {
  const { snapshot, nonce, memory, setup, decideBy } = about
  const said = (endpoint: string): SaidByEndpoint => ({
    endpoint,
    chainId: setup.network.executionChainId,
    genesisHash: HASH,
    codeHash: setup.network.depositContractCodeHash,
    operator: OPERATOR,
    nonce: { latest: nonce, pending: nonce, final: NONCE },
    balanceWei: gweiToWei(CAP * 2n),
    baseFeeWei: gweiToWei(1n),
    head: snapshot.proof.block.number,
  })
  const look: GuardLook = {
    atMs: 0,
    set: { snapshot, isRecent: true },
    endpoints: [said('first'), said('second')],
    forks: { isKnown: true, ahead: [] },
    otherPayment: undefined,
    dryRun: undefined,
  }
  const picture = seenBy(guard, look, { memory, setup })
  const decision = decideBy(picture)
  if (decision.does !== 'dry-run') return { picture, decision }
  const dryRun = { member: decision.member, results: ['done', 'done'] as const }
  const again = seenBy(guard, { ...look, dryRun }, { memory, setup })
  return { picture: again, decision: decideBy(again) }
}

/** Rows that keep nothing back for long: the slots of the human are not over. */
const WAITS_FOR: readonly string[] = ['due', 'dry-run']

function seenAfter(
  seen: Seen,
  { picture: { need, state }, decision }: Looked,
  { spec, head }: { spec: ChainSpec; head: number },
): Seen {
  const isOut = need.is === 'out'
  if (!isOut) return { ...seen, isEverActive: true }
  const row =
    decision.does === 'wait' ? decision.keptBack.find(({ id }) => !WAITS_FOR.includes(id)) : undefined
  const isSlotLeft = BigInt(head + 1) <= lastSlotOfEpoch(need.outAtEpoch - 1n, spec)
  const beyond = isSlotLeft ? 'no-room' : 'no-slot'
  const least = need.rescue?.leastTopUpGwei
  const reach = least === undefined ? beyond : reachOf(least, capOf(state.terms))
  return {
    isEverActive: true,
    lost: new Set([...seen.lost, reach]),
    row: reach === 'within-cap' ? (row?.id ?? seen.row) : seen.row,
  }
}

const reachOf = (least: bigint, cap: bigint) => (least > cap ? 'above-cap' : 'within-cap')

/** What speaks against a rung, by the rules slot by slot and all that was known. */
function objections({ history, spec }: Recorded, state: ConsensusState, topUp: TopUp): string[] {
  const { pubkey, addGwei, block } = topUp
  const what = `${addGwei} in block ${block}`
  return [
    ...(addGwei > CAP ? [`${what} is above the cap`] : []),
    ...(forecastOut(state, history, { spec }).has(pubkey) ? [] : [`${what} for a place that is kept`]),
    ...(forecastOut(state, history, { spec, topUp }).has(pubkey) ? [`${what} does not keep the place`] : []),
  ]
}

/** What must not be: a payment that what the recording had later does not explain, with a place kept without it or lost with it. */
function unexplained(history: History, { paid, isVain, evictedAnyway }: GuardCase): string[] {
  if (paid === undefined) return []
  const isQuietUntil = (slot: number) =>
    !history.blocks.some(
      (row) =>
        row.slot < slot &&
        ((row.slot >= paid.block && (row.deposits ?? []).length > 0) ||
          // Of the block of the look only the deposits were known.
          (row.slot >= paid.block - 1 && (row.withdrawalRequests ?? []).length > 0)),
    )
  return [
    ...(isVain && isQuietUntil(paid.outAtSlot) ? ['it would have stayed, and paid'] : []),
    ...(evictedAnyway !== undefined && isQuietUntil(evictedAnyway) ? ['it paid, and nobody raised'] : []),
  ]
}

function caseOf(
  history: History,
  { paid, evictedAnyway, seen }: Play,
  about: { pubkey: Hex; evicted: number | undefined },
): GuardCase {
  const { evicted = Number.POSITIVE_INFINITY } = about
  const isVain = paid !== undefined && paid.outAtSlot <= history.lastSlot && evicted > paid.outAtSlot
  const rest = { ...about, history: history.seed, evictedAnyway, row: seen.row, paid, isVain }
  if (about.evicted === undefined) return { ...rest, ending: undefined }
  if (evictedAnyway === undefined) return { ...rest, ending: 'averted' }
  return { ...rest, ending: paid === undefined ? whyNot(seen) : 'raisedAfter' }
}

function countsOf({ lastSlot }: History, cases: readonly GuardCase[]): GuardCounts {
  const counts = { ...NO_COUNTS }
  for (const { ending, paid, isVain } of cases) {
    if (ending !== undefined) {
      counts.evictions += 1
      counts[ending] += 1
    }
    if (paid === undefined) continue
    counts.paid += 1
    if (paid.outAtSlot > lastSlot) counts.paidBeyond += 1
    if (isVain) counts.paidInVain += 1
  }
  return counts
}

function whyNot({ isEverActive, lost, row }: Seen): Ending {
  if (!isEverActive) return 'neverActive'
  if (row !== undefined) return 'keptBack'
  if (lost.has('within-cap')) return 'outgrown'
  if (lost.has('above-cap')) return 'capTooLow'
  return lost.has('no-room') ? 'noRoom' : 'noSlot'
}

function setupOf(spec: ChainSpec): Setup {
  return {
    network: networkOf(spec),
    endpoints: { ...LOCAL_ENDPOINTS, secondExecution: 'https://second.example' },
    journalDirectory: '/state',
    lockDirectories: [],
    outputDirectory: '/state',
  }
}

/** The set of a slot as both endpoints hold it: the block after its slot carries its root. */
function provenOf(state: ConsensusState, history: History): ProvenSnapshot {
  const snapshot = snapshotOf(state, history)
  const { slot } = state
  const block = { number: slot + 1n, hash: HASH, timestampSeconds: snapshot.timestampSeconds + 2n }
  return { ...snapshot, proof: { slot, blockRoot: HASH, anchors: 2, block } }
}

/** A guard of a validator, armed. */
function armed({ pubkey, withdrawalCredentials }: Validator, { spec, slotsToHuman }: Recorded): GuardState {
  const network = networkOf(spec)
  const terms: GuardTerms = {
    chain: {
      executionChainId: network.executionChainId,
      executionGenesisHash: HASH,
      genesisValidatorsRoot: network.genesisValidatorsRoot,
      depositContract: spec.depositContract,
    },
    validator: { pubkey, withdrawalCredentials, operator: OPERATOR },
    from: PAYER,
    nonce: NONCE,
    rungsGwei: rungAmounts(CAP, network) ?? [],
    gasLimit: 150_000n,
    untilSeconds: FAR_SECONDS,
    slotsToHuman,
    signer: 'keystore',
  }
  return after(undefined, {
    type: 'armed',
    terms,
    hashes: ladderOf(terms).map((_, member) => hashOf(member)),
  })
}

/** The same with a rung that is in the next block. */
function handedAndIncluded(
  guard: GuardState,
  { member, target, head }: { member: number; target: GuardTarget; head: number },
): GuardState {
  const hash = hashOf(member)
  const baseline = { blockNumber: BigInt(head), blockHash: HASH, balanceWei: 0n }
  const handed = after(guard, { type: 'handing', member, raw: '0x02', hash, target, baseline })
  return after(handed, {
    type: 'included',
    blockNumber: BigInt(head + 1),
    blockHash: HASH,
    feeWei: 1n,
    hash,
  })
}

function after(guard: GuardState | undefined, event: GuardEvent): GuardState {
  const next = guardTransition(guard, event)
  if (next === undefined || next === guard) throw new Error(`a guard does not take ${event.type}`)
  return next
}
