import { bytesToHex, type Hex } from '../../core/base/format/hex.ts'
import { isFulu } from '../../core/chain/consensus/fork-outlook.ts'
import { takeDueDeposits } from '../../core/chain/consensus/process-epoch.ts'
import { processSlot } from '../../core/chain/consensus/process-slot.ts'
import {
  type ConsensusState,
  type ConsensusWithdrawal,
  type EngineUpdate,
  epochOfSlot,
  type WithdrawalRequest,
} from '../../core/chain/consensus/state.ts'
import type { ChainSpec } from '../../core/chain/network/network.ts'
import {
  BeaconBlockHeaderType,
  type BeaconStateTree,
  type ExecutionPayloadHeader,
} from '../../core/chain/proofs/beacon-state.ts'
import type { BeaconBlockHeader } from '../../core/chain/proofs/merkle.ts'
import type { DevnetBlock, MinedSlot } from '../execution/mine-slot.ts'
import type { RehearsalExecution } from '../execution/start.ts'
import type { SignVotes } from '../keys.ts'
import { type JudgedDeposit, judgeDeposits, type LoggedDeposit, readBlockEvents } from './deposits.ts'
import {
  activePowers,
  createAttendance,
  type EngineSets,
  genesisEngineSets,
  type MadeBlock,
  proposerAt,
  sealEngineBlock,
  updateEngineSets,
} from './engine.ts'
import {
  dueWithdrawals,
  genesisFork,
  genesisTree,
  type Inflation,
  type InflationEntry,
  nextFork,
  nextTree,
  payloadHeader,
  payouts,
  type StateFork,
  withdrawalEntries,
} from './state-tree.ts'

/** What happened in a slot. */
export type SlotReport = {
  slot: bigint
  block: DevnetBlock
  /** Root of the slot's header: what the next execution block carries. */
  root: Hex
  deposits: readonly JudgedDeposit[]
  withdrawals: readonly ConsensusWithdrawal[]
  engineUpdates: readonly EngineUpdate[]
  /** Hashes of the block's transactions. */
  transactions: readonly Hex[]
}

/** The consensus node of a rehearsal network, without its endpoints. */
export type Chain = {
  readonly input: ChainInput
  readonly history: History
  /** State of the head. */
  state(): ConsensusState
  engineSets(): EngineSets
  /** From the next block on these sign nothing and propose nothing, and everybody else does. */
  withhold(pubkeys: readonly Hex[]): void
  /** Who signed nothing at a height. */
  absentAt(height: bigint): ReadonlySet<Hex>
  /** Mines one execution block and lets consensus follow it. `timestampSeconds` must grow. */
  advance(timestampSeconds: number): Promise<SlotReport>
}

type QueuedEvent = LoggedDeposit & { blockSlot: bigint }

/** What changes from slot to slot besides the history. */
type Moving = {
  sets: EngineSets
  queue: readonly QueuedEvent[]
  /** Withdrawal requests that the contract has not handed on yet, in order. */
  requests: readonly WithdrawalRequest[]
}

/** So many requests the contract hands on in a block at most (EIP-7002). */
const MAX_REQUESTS_PER_BLOCK = 16

/** Starts a chain at slot 0. */
export function startChain(input: ChainInput): Chain {
  const kept = history(genesisRecords(input), input.limits)
  const attendance = createAttendance()
  const sets = genesisEngineSets(seated(input, activePowers(input.genesis)))
  let moving: Moving = { sets, queue: [], requests: [] }
  return {
    input,
    history: kept,
    state: () => headOf(kept).consensus,
    engineSets: () => moving.sets,
    withhold: attendance.withhold,
    absentAt: attendance.absentAt,
    async advance(timestampSeconds) {
      const next = nextSlot(input, kept, { timestampSeconds, absent: attendance.absent() })
      const proposing = proposerAt(moving.sets, next)
      const feeRecipient = proposing === undefined ? undefined : input.feeRecipientOf?.(proposing)
      const mined = await input.execution.mineSlot({
        timestampSeconds,
        parentBeaconRoot: next.parent.root,
        payouts: payouts(next.withdrawals, inflationOf(input, next)),
        ...(feeRecipient === undefined ? {} : { feeRecipient }),
      })
      const followed = await follow(input, { next, mined, moving })
      moving = followed.moving
      kept.add(followed.record, followed.state)
      attendance.note(next)
      return followed.report
    },
  }
}

/** Everything about a slot that is settled before its block. */
type Next = {
  slot: bigint
  absent: ReadonlySet<Hex>
  timestampSeconds: number
  parent: SlotRecord
  before: StateRecord
  rules: { fulu: boolean; parentFulu: boolean }
  withdrawals: readonly ConsensusWithdrawal[]
}

function nextSlot(
  { spec }: ChainInput,
  kept: History,
  { timestampSeconds, absent }: Pick<Next, 'timestampSeconds' | 'absent'>,
): Next {
  const parent = kept.head
  const before = headOf(kept)
  const slot = parent.header.slot + 1n
  const rules = {
    fulu: isFulu(spec, BigInt(timestampSeconds)),
    parentFulu: isFulu(spec, BigInt(parent.timestampSeconds)),
  }
  const withdrawals = dueWithdrawals(before.consensus, spec, { slot, ...rules })
  return { slot, absent, timestampSeconds, parent, before, rules, withdrawals }
}

/** Consensus follows the block: deposits and requests of its logs, the new state, the new header. */
async function follow(input: ChainInput, made: { next: Next; mined: MinedSlot; moving: Moving }) {
  const { next, mined, moving } = made
  const { spec } = input
  const { slot, before, rules } = next
  const events = readBlockEvents(mined.logs, spec.depositContract)
  const queue = [...moving.queue, ...events.deposits.map((event) => ({ ...event, blockSlot: slot }))]
  const { due, rest } = takeDueDeposits(queue, { slot, fulu: rules.fulu, spec })
  const deposits = await judgeDeposits(due, before.consensus, { chain: input, rpc: input.execution.rpc })
  const requests = [...moving.requests, ...events.withdrawalRequests]
  const withdrawalRequests = requests.slice(0, MAX_REQUESTS_PER_BLOCK)
  const result = processSlot(before.consensus, spec, { slot, ...rules, deposits, withdrawalRequests })
  const entries = withdrawalEntries(next.withdrawals, inflationOf(input, next))
  const payload = payloadHeader(mined.block, entries)
  const state = stateRecord(input, { ...made, payload, after: result.state, depositsTaken: due.length })
  const plain = sealSlot(state.tree, mined.block)
  const engine = sealEngineBlock({
    chainId: input.engineChainId,
    record: plain,
    parent: next.parent,
    sets: moving.sets,
    absent: next.absent,
    payload,
    rawTransactions: mined.rawTransactions,
    withdrawals: entries,
  })
  const record = { ...plain, engine }
  const { withdrawals, engineUpdates } = result
  const { block, transactions } = mined
  const report = { slot, block, root: record.root, deposits, withdrawals, engineUpdates, transactions }
  return {
    record,
    state,
    report,
    moving: {
      queue: rest,
      requests: requests.slice(MAX_REQUESTS_PER_BLOCK),
      sets: updateEngineSets(moving.sets, slot, seated(input, engineUpdates)),
    },
  }
}

function stateRecord(
  input: ChainInput,
  made: {
    next: Next
    moving: Moving
    payload: ExecutionPayloadHeader
    after: ConsensusState
    depositsTaken: number
  },
): StateRecord {
  const { next, after } = made
  const { before, parent, slot } = next
  const fork = nextFork(before.fork, input.spec, {
    parentTimestampSeconds: BigInt(parent.timestampSeconds),
    timestampSeconds: BigInt(next.timestampSeconds),
    epoch: epochOfSlot(slot, input.spec),
  })
  const tree = nextTree(before.tree, {
    before: before.consensus,
    after,
    parent,
    proposerIndex: proposer(made.moving.sets, after, next),
    fork,
    forkBefore: before.fork,
    payload: made.payload,
    depositsTaken: made.depositsTaken,
  })
  return { consensus: after, tree, fork }
}

function genesisRecords(input: ChainInput): Parameters<typeof history>[0] {
  const fork = genesisFork(input.genesisForkVersion)
  const block = input.execution.genesisBlock
  const tree = genesisTree({
    consensus: input.genesis,
    genesisValidatorsRoot: input.genesisValidatorsRoot,
    fork,
    block,
    depositRoot: input.genesisDepositsRoot,
  })
  return { record: sealSlot(tree, block), state: { consensus: input.genesis, tree, fork } }
}

function headOf(from: History): StateRecord {
  const state = from.stateAt(from.head.header.slot)
  if (state === undefined) throw new Error('the newest state is always kept')
  return state
}

/** Puts the keys that sit in the engine's set in the place of the validators'. */
function seated({ forgery }: ChainInput, updates: readonly EngineUpdate[]): readonly EngineUpdate[] {
  const seatOf = forgery?.seatOf
  return seatOf === undefined ? updates : updates.map((one) => ({ ...one, pubkey: seatOf(one.pubkey) }))
}

function inflationOf({ inflation }: ChainInput, { rules }: Next): InflationEntry {
  return rules.fulu ? inflation.fulu : inflation.beforeFulu
}

function proposer(sets: EngineSets, state: ConsensusState, next: Pick<Next, 'slot' | 'absent'>): bigint {
  const pubkey = proposerAt(sets, next)
  return BigInt(
    Math.max(
      0,
      state.validators.findIndex((validator) => validator.pubkey === pubkey),
    ),
  )
}

/** What a chain is made from. */
export type ChainInput = {
  spec: ChainSpec
  /** State of slot 0. */
  genesis: ConsensusState
  /** The engine's name for the chain. */
  engineChainId: string
  genesisForkVersion: Hex
  genesisValidatorsRoot: Hex
  genesisDepositsRoot: Hex
  inflation: Inflation
  /** Where a proposer has the fees of its blocks paid to; undefined where it has no account for them. */
  feeRecipientOf?: (pubkey: Hex) => Hex | undefined
  execution: Pick<RehearsalExecution, 'genesisBlock' | 'mineSlot' | 'rpc'>
  /** Signs for members of the set; called only where somebody asks for a commit. */
  signVotes: SignVotes
  /** Whether `signVotes` can sign for a key (96 bytes, base64). A member that it can't sign for counts as absent. */
  holdsKey(key: string): boolean
  /** Returns the member that votes for no block at a height, if one does. */
  votesNil?: (height: bigint) => Hex | undefined
  forgery?: Forgery
  /** How much is remembered; as much as by the real node where it is left out. */
  limits?: HistoryLimits
}

/** In what a network lies that shows a chain without the keys of its set. */
type Forgery = {
  /** Returns the key that sits in the engine's set in the place of a validator's. */
  seatOf?: (pubkey: Hex) => Hex
  /** Returns the height whose commit is shown as that of a height. */
  commitOf?: (height: bigint) => bigint
  /** The height of the engine's newest block, however far the chain is. */
  stopsAt?: bigint
}

/** What is kept of every slot for as long as the node answers for it. */
export type SlotRecord = {
  header: BeaconBlockHeader
  /** `hash_tree_root` of the header. */
  root: Hex
  /** Of the execution block with the slot's number. */
  timestampSeconds: number
  executionHash: Hex
  /** Block of the engine with this height; the genesis has none. */
  engine?: MadeBlock
}

/** Returns the record of a finished state, its state root filled in. */
function sealSlot(tree: BeaconStateTree, block: DevnetBlock): SlotRecord {
  const { slot, proposerIndex, parentRoot, bodyRoot } = tree.latestBlockHeader
  const stateRoot = tree.hashTreeRoot()
  const root = BeaconBlockHeaderType.hashTreeRoot({ slot, proposerIndex, parentRoot, stateRoot, bodyRoot })
  return {
    header: {
      slot,
      proposerIndex,
      parentRoot: bytesToHex(parentRoot),
      stateRoot: bytesToHex(stateRoot),
      bodyRoot: bytesToHex(bodyRoot),
    },
    root: bytesToHex(root),
    timestampSeconds: block.timestampSeconds,
    executionHash: block.hash,
  }
}

/** A whole state, kept for the newest slots and for slot 0. */
export type StateRecord = { consensus: ConsensusState; tree: BeaconStateTree; fork: StateFork }

/** The node's memory. */
type History = {
  head: SlotRecord
  add(record: SlotRecord, state: StateRecord): void
  /** undefined for a slot that is not there yet or not there any more. */
  at(slot: bigint): SlotRecord | undefined
  stateAt(slot: bigint): StateRecord | undefined
  /** The slot whose next block has this timestamp (EIP-4788). */
  slotBefore(timestampSeconds: bigint): bigint | undefined
  slotOfStateRoot(stateRoot: string): bigint | undefined
}

type HistoryLimits = { slots: number; states: number }

/** As many slots as the real node's availability window has, and the newest states. */
const DEFAULT_LIMITS: HistoryLimits = { slots: 8192, states: 1024 }

/** A memory that starts with slot 0 and forgets the oldest slots and states beyond the limits, but never slot 0. */
function history(
  genesis: { record: SlotRecord; state: StateRecord },
  limits: HistoryLimits = DEFAULT_LIMITS,
): History {
  const slots = new Map<bigint, SlotRecord>([[0n, genesis.record]])
  const states = new Map<bigint, StateRecord>([[0n, genesis.state]])
  const byTimestamp = new Map<bigint, bigint>()
  const byStateRoot = new Map<string, bigint>([[genesis.record.header.stateRoot, 0n]])
  let head = genesis.record
  const forget = (slot: bigint): void => {
    const record = slots.get(slot)
    if (slot <= 0n || record === undefined) return
    slots.delete(slot)
    byTimestamp.delete(BigInt(record.timestampSeconds))
    byStateRoot.delete(record.header.stateRoot)
  }
  return {
    get head() {
      return head
    },
    add(record, state) {
      const { slot } = record.header
      slots.set(slot, record)
      states.set(slot, state)
      byTimestamp.set(BigInt(record.timestampSeconds), slot - 1n)
      byStateRoot.set(record.header.stateRoot, slot)
      head = record
      if (slot > limits.states) states.delete(slot - BigInt(limits.states))
      forget(slot - BigInt(limits.slots))
    },
    at: (slot) => slots.get(slot),
    stateAt: (slot) => states.get(slot),
    slotBefore: (timestampSeconds) => byTimestamp.get(timestampSeconds),
    slotOfStateRoot: (stateRoot) => byStateRoot.get(stateRoot.toLowerCase()),
  }
}
