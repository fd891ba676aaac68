import type { ConsensusState } from '../../core/consensus/state.ts'
import type { Hex } from '../../core/format/hex.ts'
import type { BeaconStateTree } from '../../core/proofs/beacon-state.ts'
import type { BeaconBlockHeader } from '../../core/proofs/header.ts'
import type { StateFork } from './fork-versions.ts'

/** What is kept of every slot for as long as the node answers for it. */
export type SlotRecord = {
  header: BeaconBlockHeader
  /** `hash_tree_root` of the header. */
  root: Hex
  /** Of the execution block with the slot's number. */
  timestampSeconds: number
  executionHash: Hex
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
