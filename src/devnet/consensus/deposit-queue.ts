import { rehearsalError } from '../../core/base/errors/devnet.ts'
import { bytesToHex, type Hex, hexToBytes, isHex } from '../../core/base/format/hex.ts'
import { findValidatorIndex } from '../../core/chain/consensus/process-epoch.ts'
import type { ConsensusDeposit, ConsensusState, WithdrawalRequest } from '../../core/chain/consensus/state.ts'
import { verifyByPrecompile } from '../../core/chain/deposit/precompile.ts'
import { BeaconBlockHeaderType, type BeaconStateTree } from '../../core/chain/proofs/beacon-state.ts'
import type { BeaconBlockHeader } from '../../core/chain/proofs/merkle.ts'
import type { RpcCall } from '../execution/client.ts'
import { WITHDRAWAL_REQUESTS } from '../execution/genesis.ts'
import type { DevnetBlock, ExecutionLog } from '../execution/mine-slot.ts'
import type { MadeBlock } from './engine-block.ts'
import type { StateFork } from './engine-set.ts'

/** A deposit event as the contract wrote it. */
export type LoggedDeposit = {
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: bigint
  signature: Hex
  index: bigint
}

/** What the logs of one block ask of the consensus side, each in the order of the block. */
export type BlockEvents = { deposits: LoggedDeposit[]; withdrawalRequests: WithdrawalRequest[] }

const DEPOSIT_TOPIC = '0x68af751683498a9f9be59fe8b0d52a64dd155255d85cdb29fea30b1e3f891d46'

const REQUEST_BYTES = 76

/** Reads the deposits and withdrawal requests (EIP-7002) out of a block's logs. */
export function readBlockEvents(logs: readonly ExecutionLog[], depositContract: Hex): BlockEvents {
  const from = (address: string) => logs.filter((log) => log.address.toLowerCase() === address.toLowerCase())
  return {
    deposits: from(depositContract)
      .filter((log) => log.topics[0] === DEPOSIT_TOPIC)
      .map((log) => readDeposit(hexToBytes(log.data))),
    withdrawalRequests: from(WITHDRAWAL_REQUESTS).map((log) => readRequest(hexToBytes(log.data))),
  }
}

/** The five fields of the event; only our own contract writes it, so their places are sure. */
function readDeposit(data: Uint8Array): LoggedDeposit {
  return {
    pubkey: bytesAt(data, 0),
    withdrawalCredentials: bytesAt(data, 1),
    amountGwei: word(data, 2 * 32),
    signature: bytesAt(data, 3),
    index: word(data, 4 * 32),
  }
}

/** A dynamic field of ABI data: its head holds the place of its length, its content follows. */
function bytesAt(data: Uint8Array, field: number): Hex {
  const start = Number(word(data, field * 32))
  const length = Number(word(data, start))
  return bytesToHex(data.subarray(start + 32, start + 32 + length))
}

function word(data: Uint8Array, offset: number): bigint {
  return BigInt(bytesToHex(data.subarray(offset, offset + 32)))
}

/** Sender (20 bytes), public key (48) and amount in gwei (8, big-endian). */
function readRequest(data: Uint8Array): WithdrawalRequest {
  if (data.length !== REQUEST_BYTES) throw new RangeError('a withdrawal request is 76 bytes')
  return {
    sourceAddress: bytesToHex(data.subarray(0, 20)),
    pubkey: bytesToHex(data.subarray(20, 68)),
    amountGwei: BigInt(bytesToHex(data.subarray(68))),
  }
}

/** The chain that first deposits must be signed for. */
export type SigningChain = { genesisForkVersion: Hex; genesisValidatorsRoot: Hex }

/** What became of a deposit: credited to a known key, a new validator, or lost. */
type DepositOutcome = 'top-up' | 'registered' | 'burnt'

export type JudgedDeposit = ConsensusDeposit & { index: bigint; outcome: DepositOutcome }

/**
 * Decides for each deposit, in order, what consensus does with it: a known key's balance grows and nothing else is
 * read; an unknown key's signature is put to the execution client's own curve operations, so that no code of the
 * signer takes part. Throws when the client cannot answer.
 */
export async function judgeDeposits(
  deposits: readonly LoggedDeposit[],
  state: ConsensusState,
  judge: { chain: SigningChain; rpc: RpcCall },
): Promise<JudgedDeposit[]> {
  const judged: JudgedDeposit[] = []
  const registered = new Set<Hex>()
  for (const deposit of deposits) {
    const known =
      registered.has(deposit.pubkey) || findValidatorIndex(state.validators, deposit.pubkey) !== undefined
    const signatureValid = known || (await isSigned(deposit, judge))
    if (signatureValid) registered.add(deposit.pubkey)
    judged.push({
      pubkey: deposit.pubkey,
      withdrawalCredentials: deposit.withdrawalCredentials,
      amountGwei: deposit.amountGwei,
      index: deposit.index,
      signatureValid,
      outcome: outcomeOf({ known, signatureValid }),
    })
  }
  return judged
}

function outcomeOf(facts: { known: boolean; signatureValid: boolean }): DepositOutcome {
  if (facts.known) return 'top-up'
  return facts.signatureValid ? 'registered' : 'burnt'
}

async function isSigned(
  deposit: LoggedDeposit,
  judge: { chain: SigningChain; rpc: RpcCall },
): Promise<boolean> {
  const { pubkey, withdrawalCredentials, amountGwei, signature } = deposit
  const { genesisForkVersion, genesisValidatorsRoot } = judge.chain
  const verdict = await verifyByPrecompile(
    { pubkey, withdrawalCredentials, amountGwei, signature, genesisForkVersion, genesisValidatorsRoot },
    async (to, data) => asHex(await judge.rpc('eth_call', [{ to, data }, 'latest'])),
  )
  if (verdict.verdict === 'unknown')
    throw rehearsalError('devnet.signature-undecided', deposit.pubkey, verdict.words)
  return verdict.verdict === 'accepted'
}

function asHex(value: unknown): Hex {
  if (!isHex(value)) throw new TypeError('the client answered with something that is not bytes')
  return value
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
export function sealSlot(tree: BeaconStateTree, block: DevnetBlock): SlotRecord {
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
export type History = {
  head: SlotRecord
  add(record: SlotRecord, state: StateRecord): void
  /** undefined for a slot that is not there yet or not there any more. */
  at(slot: bigint): SlotRecord | undefined
  stateAt(slot: bigint): StateRecord | undefined
  /** The slot whose next block has this timestamp (EIP-4788). */
  slotBefore(timestampSeconds: bigint): bigint | undefined
  slotOfStateRoot(stateRoot: string): bigint | undefined
}

export type HistoryLimits = { slots: number; states: number }

/** As many slots as the real node's availability window has, and the newest states. */
const DEFAULT_LIMITS: HistoryLimits = { slots: 8192, states: 1024 }

/** A memory that starts with slot 0 and forgets the oldest slots and states beyond the limits, but never slot 0. */
export function history(
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
