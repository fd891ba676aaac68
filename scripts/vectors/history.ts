import type { Hex } from '../../src/core/base/format/hex.ts'
import { EPOCHS_AHEAD } from '../../src/core/chain/consensus/outlook.ts'
import { genesisState } from '../../src/core/chain/consensus/process-epoch.ts'
import { processSlot } from '../../src/core/chain/consensus/process-slot.ts'
import type { SetSnapshot } from '../../src/core/chain/consensus/snapshot.ts'
import { type ConsensusState, FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import type { ChainSpec, Network } from '../../src/core/chain/network/network.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { blockOf, genesisOf, type History } from './epochs.ts'

const SLOT_MS = 2000
const NOTHING: Hex = `0x${'00'.repeat(32)}`

/** The network of a history: its own limits, all else mainnet’s. */
export const networkOf = (spec: ChainSpec): Network => ({ ...MAINNET, spec, slotMs: SLOT_MS })

function rowAt(history: History, slot: number): History['blocks'][number] {
  return history.blocks.find((row) => row.slot === slot) ?? { slot }
}

function isBusy(history: History, slot: number): boolean {
  return history.blocks.some((row) => row.slot === slot)
}

/** The state of each slot of a history, from 0 on. */
export function statesOf(history: History, spec: ChainSpec): ConsensusState[] {
  const states = [genesisState(genesisOf(history), spec)]
  for (let slot = 1; slot <= history.lastSlot; slot += 1)
    states.push(processSlot(at(states, slot - 1), spec, blockOf(rowAt(history, slot))).state)
  return states
}

/** The state of a slot. A slot without one throws a `RangeError`. */
export function at(states: readonly ConsensusState[], slot: number): ConsensusState {
  const found = states[slot]
  if (found === undefined) throw new RangeError(`no state of slot ${slot}`)
  return found
}

/** Whether the state has the exit of a validator set. */
export function isLeaving({ validators }: ConsensusState, pubkey: Hex): boolean {
  const found = validators.find((each) => each.pubkey === pubkey)
  return found !== undefined && found.exitEpoch !== FAR_FUTURE_EPOCH
}

/** Whom the cap sends away in the step from one state to the next: who leaves by a request does so inside an epoch. */
function evictedBetween(before: ConsensusState, after: ConsensusState, { slotsPerEpoch }: ChainSpec): Hex[] {
  if (after.slot % slotsPerEpoch !== 0n) return []
  return after.validators.flatMap(({ pubkey, exitEpoch }) =>
    exitEpoch === after.slot / slotsPerEpoch && !isLeaving(before, pubkey) ? [pubkey] : [],
  )
}

/** Everybody whom the cap sends away, with the slot of it. */
export function evictionsIn(states: readonly ConsensusState[], spec: ChainSpec): ReadonlyMap<Hex, number> {
  const found = new Map<Hex, number>()
  for (const [slot, state] of states.entries()) {
    if (slot === 0) continue
    for (const pubkey of evictedBetween(at(states, slot - 1), state, spec)) found.set(pubkey, slot)
  }
  return found
}

/** The set as it is seen once the block after its slot is there, whose deposits wait. */
export function snapshotOf(consensus: ConsensusState, history: History): SetSnapshot {
  const head = Number(consensus.slot) + 1
  const uncounted = blockOf(rowAt(history, head)).deposits.map((deposit, index) => ({
    ...deposit,
    blockSlot: BigInt(head),
    index: BigInt(index),
    transactionHash: NOTHING,
  }))
  return {
    consensus,
    indexes: consensus.validators.map((_, index) => index),
    timestampSeconds: 1n << 60n,
    uncounted,
    proof: undefined,
    unproven: undefined,
  }
}

/** Whether a set says of what lies ahead what the one of the slot before said: nothing has happened, and no epoch turned. */
export function isQuiet(history: History, { slot }: ConsensusState, spec: ChainSpec): boolean {
  const before = Number(slot)
  return !isBusy(history, before + 1) && !isBusy(history, before) && slot % spec.slotsPerEpoch !== 0n
}

/** A top-up of a validator in a block, in gwei. */
export type TopUp = { pubkey: Hex; addGwei: bigint; block: number }

/** A history in which somebody has made one more top-up, behind all that its block brings. */
export function withTopUp(history: History, { pubkey, addGwei, block }: TopUp): History {
  const row = rowAt(history, block)
  const deposit = { pubkey, credentials: NOTHING, amountGwei: String(addGwei), signatureValid: false }
  const changed = { ...row, deposits: [...(row.deposits ?? []), deposit] }
  return { ...history, blocks: [...history.blocks.filter(({ slot }) => slot !== block), changed] }
}

/**
 * Who the rules send away within five boundaries if nothing happens but the deposits of the block after the state, and
 * a top-up: slot by slot.
 */
export function forecastOut(
  start: ConsensusState,
  history: History,
  { spec, topUp }: { spec: ChainSpec; topUp?: TopUp },
): ReadonlySet<Hex> {
  const out = new Set<Hex>()
  const last = (start.slot / spec.slotsPerEpoch + EPOCHS_AHEAD) * spec.slotsPerEpoch
  const seen = Number(start.slot) + 1
  const quiet = { ...history, blocks: history.blocks.filter(({ slot }) => slot === seen) }
  const known = topUp === undefined ? quiet : withTopUp(quiet, topUp)
  let state = start
  while (state.slot < last) {
    const block = blockOf(rowAt(known, Number(state.slot) + 1))
    const next = processSlot(state, spec, { ...block, withdrawalRequests: [] }).state
    for (const { pubkey } of next.validators)
      if (isLeaving(next, pubkey) && !isLeaving(state, pubkey)) out.add(pubkey)
    state = next
  }
  return out
}
