import { gweiToWei } from '../../core/base/format/amount.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../core/base/format/hex.ts'
import { type ForkName, type ForkTimes, forkName } from '../../core/chain/consensus/fork-outlook.ts'
import { processSlot } from '../../core/chain/consensus/process-slot.ts'
import type { ConsensusState, ConsensusWithdrawal, Validator } from '../../core/chain/consensus/state.ts'
import type { ChainSpec } from '../../core/chain/network/network.ts'
import {
  BeaconBlockHeaderType,
  type BeaconState,
  type BeaconStateTree,
  BeaconStateType,
  type ExecutionPayloadHeader,
  ExecutionPayloadHeaderType,
  ForkType,
  PendingPartialWithdrawalType,
  ValidatorType,
  WithdrawalsType,
} from '../../core/chain/proofs/beacon-state.ts'
import { type BeaconBlockHeader, headerValue } from '../../core/chain/proofs/merkle.ts'
import type { DevnetBlock } from '../execution/mine-slot.ts'

/** How many roots and mixes the state holds, as on the real networks. */
const ROOTS_KEPT = 8
const ZERO_ROOT = new Uint8Array(32)
const FAR = 18446744073709551615n

export type GenesisTreeInput = {
  consensus: ConsensusState
  genesisValidatorsRoot: Hex
  fork: StateFork
  block: DevnetBlock
  depositRoot: Hex
}

/** Returns the tree of slot 0. Its header's body root is that of the genesis block. */
export function genesisTree(input: GenesisTreeInput): BeaconStateTree {
  const { consensus } = input
  const payload = payloadHeader(input.block, [])
  return BeaconStateType.toViewDU({
    genesisValidatorsRoot: hexToBytes(input.genesisValidatorsRoot),
    slot: 0n,
    fork: forkValue(input.fork),
    latestBlockHeader: headerValue({
      slot: 0n,
      proposerIndex: 0n,
      parentRoot: bytesToHex(ZERO_ROOT),
      stateRoot: bytesToHex(ZERO_ROOT),
      bodyRoot: bodyRoot(payload),
    }),
    blockRoots: Array.from({ length: ROOTS_KEPT }, () => ZERO_ROOT),
    stateRoots: Array.from({ length: ROOTS_KEPT }, () => ZERO_ROOT),
    eth1Data: { depositRoot: hexToBytes(input.depositRoot), depositCount: 0n, blockHash: ZERO_ROOT },
    eth1DepositIndex: BigInt(consensus.validators.length),
    latestExecutionPayloadHeader: payload,
    validators: consensus.validators.map(validatorValue),
    balances: [...consensus.balancesGwei],
    randaoMixes: Array.from({ length: ROOTS_KEPT }, () => hexToBytes(input.block.hash)),
    nextWithdrawalIndex: consensus.nextWithdrawalIndex,
    nextWithdrawalValidatorIndex: BigInt(consensus.nextWithdrawalValidatorIndex),
    slashings: [],
    totalSlashing: 0n,
    pendingPartialWithdrawals: [],
  })
}

export type NextTreeInput = {
  before: ConsensusState
  after: ConsensusState
  /** Header of the slot before with its state root, and its root. */
  parent: { header: BeaconBlockHeader; root: Hex }
  proposerIndex: bigint
  fork: StateFork
  /** That of the slot before; the same object while nothing changed. */
  forkBefore: StateFork
  payload: ExecutionPayloadHeader
  /** Deposits taken off the queue in this slot. */
  depositsTaken: number
}

/** Returns the tree one slot later. It shares everything unchanged with `previous`, which stays as it is. */
export function nextTree(previous: BeaconStateTree, input: NextTreeInput): BeaconStateTree {
  const { before, after, parent } = input
  const tree = previous.clone()
  const place = Number(parent.header.slot % BigInt(ROOTS_KEPT))
  // In the tree it is hashed once, for the body and for the state.
  const payload = ExecutionPayloadHeaderType.toViewDU(input.payload)
  tree.slot = after.slot
  if (input.fork !== input.forkBefore) tree.fork = ForkType.toViewDU(forkValue(input.fork))
  tree.stateRoots.set(place, hexToBytes(parent.header.stateRoot))
  tree.blockRoots.set(place, hexToBytes(parent.root))
  tree.latestBlockHeader = BeaconBlockHeaderType.toViewDU(
    headerValue({
      slot: after.slot,
      proposerIndex: input.proposerIndex,
      parentRoot: parent.root,
      stateRoot: bytesToHex(ZERO_ROOT),
      bodyRoot: bytesToHex(payload.hashTreeRoot()),
    }),
  )
  tree.latestExecutionPayloadHeader = payload
  tree.eth1DepositIndex += BigInt(input.depositsTaken)
  setValidators(tree, before, after)
  setWithdrawals(tree, before, after)
  tree.commit()
  return tree
}

function setValidators(tree: BeaconStateTree, before: ConsensusState, after: ConsensusState): void {
  for (const [index, validator] of after.validators.entries()) {
    if (validator === before.validators[index]) continue
    const view = ValidatorType.toViewDU(validatorValue(validator))
    if (index < tree.validators.length) tree.validators.set(index, view)
    else tree.validators.push(view)
  }
  for (const [index, balance] of after.balancesGwei.entries()) {
    if (balance === before.balancesGwei[index]) continue
    if (index < tree.balances.length) tree.balances.set(index, balance)
    else tree.balances.push(balance)
  }
}

function setWithdrawals(tree: BeaconStateTree, before: ConsensusState, after: ConsensusState): void {
  tree.nextWithdrawalIndex = after.nextWithdrawalIndex
  tree.nextWithdrawalValidatorIndex = BigInt(after.nextWithdrawalValidatorIndex)
  if (before.pendingPartialWithdrawals === after.pendingPartialWithdrawals) return
  const items = after.pendingPartialWithdrawals.map((item) =>
    PendingPartialWithdrawalType.toViewDU({
      validatorIndex: BigInt(item.validatorIndex),
      amount: item.amountGwei,
      withdrawableEpoch: item.withdrawableEpoch,
    }),
  )
  tree.pendingPartialWithdrawals = BeaconStateType.fields.pendingPartialWithdrawals.defaultViewDU()
  for (const item of items) tree.pendingPartialWithdrawals.push(item)
}

/** The inflation entry that heads every list of withdrawals. */
export type InflationEntry = { address: Hex; amountGwei: bigint }

/** A withdrawal as a payload holds it. */
export type WithdrawalEntry = { index: bigint; validatorIndex: bigint; address: Uint8Array; amount: bigint }

/** Returns the withdrawals of a payload: those that the consensus side decided, after the inflation entry. */
export function withdrawalEntries(
  withdrawals: readonly ConsensusWithdrawal[],
  inflation: InflationEntry,
): WithdrawalEntry[] {
  const known = withdrawals.length > 0 ? undefined : entriesAlone.get(inflation)
  if (known !== undefined) return known
  const first = { index: FAR, validatorIndex: FAR, ...inflation }
  const entries = [first, ...withdrawals].map(({ index, validatorIndex, address, amountGwei: amount }) => ({
    index,
    validatorIndex: BigInt(validatorIndex),
    address: hexToBytes(address),
    amount,
  }))
  if (withdrawals.length === 0) entriesAlone.set(inflation, entries)
  return entries
}

/** Lists that hold nothing but the inflation entry, as those of most blocks, and roots of lists. */
const entriesAlone = new WeakMap<InflationEntry, WithdrawalEntry[]>()
const roots = new WeakMap<WithdrawalEntry[], Uint8Array>()

function withdrawalsRoot(entries: WithdrawalEntry[]): Uint8Array {
  const root = roots.get(entries) ?? WithdrawalsType.hashTreeRoot(entries)
  roots.set(entries, root)
  return root
}

/** Returns the payload header of an execution block. */
export function payloadHeader(block: DevnetBlock, withdrawals: WithdrawalEntry[]): ExecutionPayloadHeader {
  return {
    parentHash: hexToBytes(block.parentHash),
    feeRecipient: hexToBytes(block.feeRecipient),
    stateRoot: hexToBytes(block.stateRoot),
    receiptsRoot: hexToBytes(block.receiptsRoot),
    logsBloom: hexToBytes(block.logsBloom),
    prevRandao: hexToBytes(block.prevRandao),
    blockNumber: BigInt(block.number),
    gasLimit: block.gasLimit,
    gasUsed: block.gasUsed,
    timestamp: BigInt(block.timestampSeconds),
    extraData: hexToBytes(block.extraData).subarray(0, 32),
    baseFeePerGas: block.baseFeeWei,
    blockHash: hexToBytes(block.hash),
    transactionsRoot: hexToBytes(block.transactionsRoot),
    withdrawalsRoot: withdrawalsRoot(withdrawals),
    blobGasUsed: block.blobGasUsed,
    excessBlobGas: block.excessBlobGas,
  }
}

/** The body of a rehearsal block is its execution payload header and nothing else. */
function bodyRoot(payload: ExecutionPayloadHeader): Hex {
  return bytesToHex(ExecutionPayloadHeaderType.hashTreeRoot(payload))
}

function forkValue(fork: StateFork): BeaconState['fork'] {
  return {
    previousVersion: hexToBytes(fork.previousVersion),
    currentVersion: hexToBytes(fork.currentVersion),
    epoch: fork.epoch,
  }
}

function validatorValue(validator: Validator): BeaconState['validators'][number] {
  return {
    pubkey: hexToBytes(validator.pubkey),
    withdrawalCredentials: hexToBytes(validator.withdrawalCredentials),
    effectiveBalance: validator.effectiveBalanceGwei,
    slashed: validator.slashed,
    activationEligibilityEpoch: validator.activationEligibilityEpoch,
    activationEpoch: validator.activationEpoch,
    exitEpoch: validator.exitEpoch,
    withdrawableEpoch: validator.withdrawableEpoch,
  }
}

/** The entry that heads every list of withdrawals, by fork. */
export type Inflation = { beforeFulu: InflationEntry; fulu: InflationEntry }

/** Returns what a block pays: withdrawals come before its deposits and requests, so they are known before it is. */
export function dueWithdrawals(
  state: ConsensusState,
  spec: ChainSpec,
  block: { slot: bigint; fulu: boolean; parentFulu: boolean },
): readonly ConsensusWithdrawal[] {
  return processSlot(state, spec, { ...block, deposits: [], withdrawalRequests: [] }).withdrawals
}

/** Returns what is paid out on the execution side: the inflation entry first, amounts in wei. */
export function payouts(withdrawals: readonly ConsensusWithdrawal[], inflation: InflationEntry) {
  return [inflation, ...withdrawals]
    .filter((payment) => payment.amountGwei > 0n)
    .map(({ address, amountGwei }) => ({ address, amountWei: gweiToWei(amountGwei) }))
}

const VERSIONS: Readonly<Record<ForkName, Hex>> = {
  deneb: '0x04000000',
  electra: '0x05000000',
  electra1: '0x05010000',
  fulu: '0x06000000',
}

/** The fork of a state as its `fork` field says it. */
export type StateFork = { previousVersion: Hex; currentVersion: Hex; epoch: bigint }

/** Returns the fork field of the state of slot 0: both versions are the genesis version. */
export function genesisFork(genesisForkVersion: Hex): StateFork {
  return { previousVersion: genesisForkVersion, currentVersion: genesisForkVersion, epoch: 0n }
}

/** Returns the fork field one slot later; it changes when the new block's timestamp is the first of another fork. */
export function nextFork(
  fork: StateFork,
  spec: ForkTimes,
  block: { parentTimestampSeconds: bigint; timestampSeconds: bigint; epoch: bigint },
): StateFork {
  const before = forkName(spec, block.parentTimestampSeconds)
  const now = forkName(spec, block.timestampSeconds)
  if (before === now) return fork
  return { previousVersion: fork.currentVersion, currentVersion: VERSIONS[now], epoch: block.epoch }
}

/** Returns the name that the node API puts beside a state: that of the fork the network started with (ran). */
export function genesisForkName(genesisForkVersion: Hex): string {
  const known = Object.entries(VERSIONS).find(([, version]) => version === genesisForkVersion.toLowerCase())
  return known?.[0] ?? 'unknown'
}
