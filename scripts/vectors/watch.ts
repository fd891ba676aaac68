import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { genesisState } from '../../src/core/chain/consensus/process-epoch.ts'
import { processSlot } from '../../src/core/chain/consensus/process-slot.ts'
import type { SetSnapshot } from '../../src/core/chain/consensus/snapshot.ts'
import { type ConsensusState, FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import type { Network } from '../../src/core/chain/network/network.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import { LIMITS, type ValidatorPicture, type WatchContext, wayAhead } from '../../src/core/observe/picture.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { chainSpec } from './chain-rows.ts'
import { blockOf, genesisOf, type History } from './epochs.ts'

/** What a watch of every validator made of the histories. */
export type WatchCounts = {
  evictions: number
  /** Told while a top-up could still keep the place, */
  inTime: number
  /** certain only when no block was left for one, */
  noSlot: number
  /** or when no amount below the maximum was enough. */
  noRoom: number
  /** Alarms that ended because somebody did something else. */
  averted: number
  failures: string[]
}

/** The counts as one sentence. */
export function watchWords(counts: Omit<WatchCounts, 'failures'>): string {
  const { evictions, inTime, noSlot, noRoom, averted } = counts
  return `watched: ${evictions} evictions, ${inTime} told while a top-up kept the place, ${noSlot} without a slot left, ${noRoom} without room; ${averted} alarms averted`
}

const EPOCHS_AHEAD = 5n
const MINIMUM = tokens(10_000n)
const SLOT_MS = 2000
const NOTHING: Hex = `0x${'00'.repeat(32)}`

/**
 * Watches a history slot by slot, as its deposits become visible. In each slot exactly those validators must be under the
 * alarm that the rules send away within five boundaries if nothing else happens, and the last amount and block that
 * an alarm named before its eviction must keep the place with everything else as it stood.
 */
export function watchHistory(line: string): WatchCounts {
  const history = JSON.parse(line) as History
  const spec = chainSpec(history.spec)
  const network: Network = { ...MAINNET, spec, slotMs: SLOT_MS, minimumDepositGwei: MINIMUM }
  const context: WatchContext = { network, wizardOptions: [], limits: LIMITS }
  const states = statesOf(history, spec)
  const evictions = evictionsIn(states, spec)
  const counts: WatchCounts = { evictions: 0, inTime: 0, noSlot: 0, noRoom: 0, averted: 0, failures: [] }
  const watched = at(states, history.lastSlot).validators.map(({ pubkey }) => pubkey)
  const rescues = new Map<Hex, { state: ConsensusState; slot: number; addGwei: bigint; block: bigint }>()
  const hadRoom = new Set<Hex>()
  let memory: WatchMemory = emptyMemory(network)
  let snapshot: SetSnapshot | undefined
  for (let head = 1; head <= history.lastSlot; head += 1) {
    const state = at(states, head - 1)
    const now = at(states, head)
    const waiting = (blockOf(rowAt(history, head)).deposits ?? []).map((deposit, index) => ({
      ...deposit,
      blockSlot: BigInt(head),
      index: BigInt(index),
      transactionHash: NOTHING,
    }))
    const isQuiet =
      !isBusy(history, head) && !isBusy(history, head - 1) && state.slot % spec.slotsPerEpoch !== 0n
    const stands = memory.alarms.some(({ alarm }) => alarm === 'drops-out')
    if (snapshot === undefined || !isQuiet || stands) snapshot = snapshotOf(state, waiting)
    const seen = snapshot
    const validators = watched.map((pubkey): ValidatorPicture => {
      const index = now.validators.findIndex((each) => each.pubkey === pubkey)
      const validator = now.validators[index]
      if (validator === undefined) return { pubkey, record: 'absent' }
      const slot = now.slot
      const record = {
        index,
        validator,
        balanceGwei: now.balancesGwei[index] ?? 0n,
        slot,
        epoch: slot / spec.slotsPerEpoch,
      }
      return { pubkey, record, ...wayAhead(seen, pubkey, { network, isNewest: true }) }
    })
    const heads = [{ role: 'node', place: 0, name: 'node', slot: BigInt(head) }] as const
    const next = watchTransition(memory, { atMs: head * SLOT_MS, heads, validators }, context)
    memory = next.memory
    counts.averted += next.events.filter(
      ({ alarm, change, validator }) =>
        alarm === 'drops-out' && change === 'cleared' && !isLeaving(now, validator?.pubkey ?? '0x'),
    ).length
    const out = forecastOut(state, blockOf(rowAt(history, head)).deposits, spec)
    for (const { pubkey, record, ahead } of validators) {
      if (record === undefined || record === 'absent' || isLeaving(now, pubkey)) continue
      if (!state.validators.some((each) => each.pubkey === pubkey)) continue
      const alarm = memory.alarms.find((each) => each.alarm === 'drops-out' && each.subject === pubkey)
      if ((alarm !== undefined) !== out.has(pubkey))
        counts.failures.push(
          `history ${history.seed}, slot ${head}: the alarm of ${pubkey} is ${alarm === undefined ? 'off' : 'on'}`,
        )
      const rescue = ahead?.rescue
      if (alarm?.until !== undefined && rescue !== undefined)
        rescues.set(pubkey, { state, slot: head, addGwei: rescue.leastTopUpGwei, block: alarm.until.slot })
      if (alarm !== undefined && spec.maxEffectiveBalanceGwei - record.balanceGwei >= MINIMUM)
        hadRoom.add(pubkey)
    }
  }
  for (const pubkey of evictions) {
    counts.evictions += 1
    const rescue = rescues.get(pubkey)
    if (rescue === undefined) {
      if (hadRoom.has(pubkey)) counts.noSlot += 1
      else counts.noRoom += 1
      continue
    }
    counts.inTime += 1
    const { state, slot, addGwei, block } = rescue
    const deposits = blockOf(rowAt(history, slot)).deposits
    const saved = forecastOut(state, deposits, spec, { pubkey, addGwei, block })
    if (saved.has(pubkey))
      counts.failures.push(`history ${history.seed}: ${addGwei} in block ${block} does not keep ${pubkey}`)
  }
  return counts
}

type Spec = ReturnType<typeof chainSpec>

function rowAt(history: History, slot: number): History['blocks'][number] {
  return history.blocks.find((row) => row.slot === slot) ?? { slot }
}

function isBusy(history: History, slot: number): boolean {
  return history.blocks.some((row) => row.slot === slot)
}

function statesOf(history: History, spec: Spec): ConsensusState[] {
  const states = [genesisState(genesisOf(history), spec)]
  for (let slot = 1; slot <= history.lastSlot; slot += 1)
    states.push(processSlot(at(states, slot - 1), spec, blockOf(rowAt(history, slot))).state)
  return states
}

function at(states: readonly ConsensusState[], slot: number): ConsensusState {
  const found = states[slot]
  if (found === undefined) throw new RangeError(`no state of slot ${slot}`)
  return found
}

/** Who is sent away by the cap: who leaves by a request does so inside an epoch. */
function evictionsIn(states: readonly ConsensusState[], { slotsPerEpoch }: Spec): ReadonlySet<Hex> {
  const found = new Set<Hex>()
  for (const [slot, state] of states.entries()) {
    if (slot === 0 || state.slot % slotsPerEpoch !== 0n) continue
    for (const { pubkey, exitEpoch } of state.validators)
      if (exitEpoch === state.slot / slotsPerEpoch && !isLeaving(at(states, slot - 1), pubkey))
        found.add(pubkey)
  }
  return found
}

function isLeaving({ validators }: ConsensusState, pubkey: Hex): boolean {
  const found = validators.find((each) => each.pubkey === pubkey)
  return found !== undefined && found.exitEpoch !== FAR_FUTURE_EPOCH
}

function snapshotOf(
  consensus: ConsensusState,
  uncounted: Exclude<SetSnapshot['uncounted'], { unknown: string }>,
): SetSnapshot {
  return {
    consensus,
    indexes: consensus.validators.map((_, index) => index),
    timestampSeconds: 1n << 60n,
    uncounted,
    proof: undefined,
    unproven: undefined,
  }
}

/** Who the rules send away within five boundaries if no more than these deposits, and a top-up, happen: slot by slot. */
function forecastOut(
  start: ConsensusState,
  deposits: ReturnType<typeof blockOf>['deposits'],
  spec: Spec,
  topUp?: { pubkey: Hex; addGwei: bigint; block: bigint },
): ReadonlySet<Hex> {
  const out = new Set<Hex>()
  const last = (start.slot / spec.slotsPerEpoch + EPOCHS_AHEAD) * spec.slotsPerEpoch
  let state = start
  while (state.slot < last) {
    const slot = state.slot + 1n
    const visible = slot === start.slot + 1n ? deposits : []
    const added =
      topUp?.block === slot
        ? [
            {
              pubkey: topUp.pubkey,
              amountGwei: topUp.addGwei,
              signatureValid: false,
              withdrawalCredentials: NOTHING,
            },
          ]
        : []
    const block = { slot, fulu: true, deposits: [...visible, ...added], withdrawalRequests: [] }
    const next = processSlot(state, spec, block).state
    for (const { pubkey } of next.validators)
      if (isLeaving(next, pubkey) && !isLeaving(state, pubkey)) out.add(pubkey)
    state = next
  }
  return out
}
