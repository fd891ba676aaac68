import { activeSet, epochOfSlot } from '../../core/consensus/active-set.ts'
import type { ConsensusWithdrawal, EngineUpdate } from '../../core/consensus/block.ts'
import { isFulu } from '../../core/consensus/forks.ts'
import { processSlot } from '../../core/consensus/process-slot.ts'
import type { ConsensusState } from '../../core/consensus/state.ts'
import { takeDueDeposits } from '../../core/consensus/take-due-deposits.ts'
import { gwei, gweiToWei } from '../../core/format/amount.ts'
import { bytesToHex, type Hex } from '../../core/format/hex.ts'
import type { ChainSpec } from '../../core/network/chain-spec.ts'
import type { BeaconStateTree } from '../../core/proofs/beacon-state.ts'
import { headerRoot } from '../../core/proofs/header.ts'
import type { ExecutionBlock, RehearsalExecution } from '../execution/types.ts'
import { type DepositEvent, readBlockEvents } from './block-events.ts'
import { type JudgedDeposit, judgeDeposits } from './deposit-queue.ts'
import { type EngineSets, engineSetAt, genesisEngineSets, updateEngineSets } from './engine-set.ts'
import { genesisFork, nextFork } from './fork-versions.ts'
import { type History, history, type SlotRecord } from './history.ts'
import { genesisTree, type Inflation, nextTree, payloadHeader } from './state-tree.ts'

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
  execution: Pick<RehearsalExecution, 'genesisBlock' | 'mineSlot' | 'rpc'>
}

/** What happened in a slot. */
export type SlotReport = {
  slot: bigint
  block: ExecutionBlock
  /** Root of the slot's header: what the next execution block carries. */
  root: Hex
  deposits: readonly JudgedDeposit[]
  withdrawals: readonly ConsensusWithdrawal[]
  engineUpdates: readonly EngineUpdate[]
}

/** The consensus node of a rehearsal network, without its endpoints. */
export type Chain = {
  readonly input: ChainInput
  readonly history: History
  /** State of the head. */
  state(): ConsensusState
  engineSets(): EngineSets
  /** Mines one execution block and lets consensus follow it. `timestampSeconds` must grow. */
  advance(timestampSeconds: number): Promise<SlotReport>
}

type QueuedEvent = DepositEvent & { blockSlot: bigint }

/** Starts a chain at slot 0. */
export function startChain(input: ChainInput): Chain {
  const { spec, execution } = input
  const chain = {
    signing: {
      genesisForkVersion: input.genesisForkVersion,
      genesisValidatorsRoot: input.genesisValidatorsRoot,
    },
    history: history(genesisRecords(input)),
    sets: genesisEngineSets(activePowers(input.genesis)),
    queue: [] as readonly QueuedEvent[],
  }
  const advance = async (timestampSeconds: number): Promise<SlotReport> => {
    const parent = chain.history.head
    const before = headOf(chain.history)
    const slot = parent.header.slot + 1n
    const rules = forkRules(spec, parent, timestampSeconds)
    const withdrawals = dueWithdrawals(before.consensus, spec, { slot, ...rules })
    const mined = await execution.mineSlot({
      timestampSeconds,
      parentBeaconRoot: parent.root,
      payouts: payouts(withdrawals, input.inflation),
    })
    const events = readBlockEvents(mined.logs, spec.depositContract)
    const queue = [...chain.queue, ...events.deposits.map((event) => ({ ...event, blockSlot: slot }))]
    const { due, rest } = takeDueDeposits(queue, { slot, fulu: rules.fulu, spec })
    const deposits = await judgeDeposits(due, before.consensus, { chain: chain.signing, rpc: execution.rpc })
    const result = processSlot(before.consensus, spec, {
      slot,
      ...rules,
      deposits,
      withdrawalRequests: events.withdrawalRequests,
    })
    const fork = nextFork(before.fork, spec, {
      parentTimestampSeconds: BigInt(parent.timestampSeconds),
      timestampSeconds: BigInt(timestampSeconds),
      epoch: epochOfSlot(slot, spec),
    })
    const tree = nextTree(before.tree, {
      before: before.consensus,
      after: result.state,
      parent,
      proposerIndex: proposer(chain.sets, result.state, slot),
      fork,
      payload: payloadHeader(mined.block, withdrawals, input.inflation),
      depositsTaken: due.length,
    })
    const record = sealed(tree, mined.block)
    chain.queue = rest
    chain.sets = updateEngineSets(chain.sets, slot, result.engineUpdates)
    chain.history.add(record, { consensus: result.state, tree, fork })
    return {
      slot,
      block: mined.block,
      root: record.root,
      deposits,
      withdrawals,
      engineUpdates: result.engineUpdates,
    }
  }
  return {
    input,
    history: chain.history,
    state: () => headOf(chain.history).consensus,
    engineSets: () => chain.sets,
    advance,
  }
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
  return { record: sealed(tree, block), state: { consensus: input.genesis, tree, fork } }
}

function headOf(from: History) {
  const state = from.stateAt(from.head.header.slot)
  if (state === undefined) throw new Error('the newest state is always kept')
  return state
}

/** The header of a finished state, its state root filled in. */
function sealed(tree: BeaconStateTree, block: ExecutionBlock): SlotRecord {
  const latest = tree.latestBlockHeader
  const header = {
    slot: latest.slot,
    proposerIndex: latest.proposerIndex,
    parentRoot: bytesToHex(latest.parentRoot),
    stateRoot: bytesToHex(tree.hashTreeRoot()),
    bodyRoot: bytesToHex(latest.bodyRoot),
  }
  return {
    header,
    root: headerRoot(header),
    timestampSeconds: block.timestampSeconds,
    executionHash: block.hash,
  }
}

function forkRules(spec: ChainSpec, parent: SlotRecord, timestampSeconds: number) {
  return {
    fulu: isFulu(spec, BigInt(timestampSeconds)),
    parentFulu: isFulu(spec, BigInt(parent.timestampSeconds)),
  }
}

/** Withdrawals come before the block's deposits and requests, so they are known before the block is. */
function dueWithdrawals(
  state: ConsensusState,
  spec: ChainSpec,
  block: { slot: bigint; fulu: boolean; parentFulu: boolean },
): readonly ConsensusWithdrawal[] {
  return processSlot(state, spec, { ...block, deposits: [], withdrawalRequests: [] }).withdrawals
}

function payouts(withdrawals: readonly ConsensusWithdrawal[], inflation: Inflation) {
  return [inflation, ...withdrawals]
    .filter((payment) => payment.amountGwei > 0n)
    .map(({ address, amountGwei }) => ({ address, amountWei: gweiToWei(gwei(amountGwei)) }))
}

/** Every member of the engine's set proposes in turn. */
function proposer(sets: EngineSets, state: ConsensusState, slot: bigint): bigint {
  const members = engineSetAt(sets, slot)
  const member = members[Number(slot % BigInt(Math.max(1, members.length)))]
  return BigInt(
    Math.max(
      0,
      state.validators.findIndex((validator) => validator.pubkey === member?.pubkey),
    ),
  )
}

function activePowers(state: ConsensusState): EngineUpdate[] {
  return activeSet(state, 0n).map(({ pubkey, effectiveBalanceGwei }) => ({
    pubkey,
    powerGwei: effectiveBalanceGwei,
  }))
}
