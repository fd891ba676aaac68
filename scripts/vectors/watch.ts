import type { Hex } from '../../src/core/base/format/hex.ts'
import type { SetSnapshot } from '../../src/core/chain/consensus/snapshot.ts'
import type { ConsensusState } from '../../src/core/chain/consensus/state.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import { LIMITS, type ValidatorPicture, type WatchContext, wayAhead } from '../../src/core/observe/picture.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { chainSpec } from './chain-rows.ts'
import type { History } from './epochs.ts'
import {
  at,
  evictionsIn,
  forecastOut,
  isLeaving,
  isQuiet,
  networkOf,
  snapshotOf,
  statesOf,
} from './history.ts'

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

/**
 * Watches a history slot by slot, as its deposits become visible. In each slot exactly those validators must be under the
 * alarm that the rules send away within five boundaries if nothing else happens, and the last amount and block that
 * an alarm named before its eviction must keep the place with everything else as it stood.
 */
export function watchHistory(line: string): WatchCounts {
  const history = JSON.parse(line) as History
  const spec = chainSpec(history.spec)
  const network = networkOf(spec)
  const context: WatchContext = { network, wizardOptions: [], limits: LIMITS }
  const states = statesOf(history, spec)
  const evictions = evictionsIn(states, spec)
  const counts: WatchCounts = { evictions: 0, inTime: 0, noSlot: 0, noRoom: 0, averted: 0, failures: [] }
  const watched = at(states, history.lastSlot).validators.map(({ pubkey }) => pubkey)
  const rescues = new Map<Hex, { state: ConsensusState; addGwei: bigint; block: bigint }>()
  const hadRoom = new Set<Hex>()
  let memory: WatchMemory = emptyMemory(network)
  let snapshot: SetSnapshot | undefined
  for (let head = 1; head <= history.lastSlot; head += 1) {
    const state = at(states, head - 1)
    const now = at(states, head)
    const stands = memory.alarms.some(({ alarm }) => alarm === 'drops-out')
    if (snapshot === undefined || stands || !isQuiet(history, state, spec))
      snapshot = snapshotOf(state, history)
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
    const next = watchTransition(memory, { atMs: head * network.slotMs, heads, validators }, context)
    memory = next.memory
    counts.averted += next.events.filter(
      ({ alarm, change, validator }) =>
        alarm === 'drops-out' && change === 'cleared' && !isLeaving(now, validator?.pubkey ?? '0x'),
    ).length
    const out = forecastOut(state, history, { spec })
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
        rescues.set(pubkey, { state, addGwei: rescue.leastTopUpGwei, block: alarm.until.slot })
      if (
        alarm !== undefined &&
        spec.maxEffectiveBalanceGwei - record.balanceGwei >= network.minimumDepositGwei
      )
        hadRoom.add(pubkey)
    }
  }
  for (const pubkey of evictions.keys()) {
    counts.evictions += 1
    const rescue = rescues.get(pubkey)
    if (rescue === undefined) {
      if (hadRoom.has(pubkey)) counts.noSlot += 1
      else counts.noRoom += 1
      continue
    }
    counts.inTime += 1
    const { state, addGwei, block } = rescue
    const saved = forecastOut(state, history, { spec, topUp: { pubkey, addGwei, block: Number(block) } })
    if (saved.has(pubkey))
      counts.failures.push(`history ${history.seed}: ${addGwei} in block ${block} does not keep ${pubkey}`)
  }
  return counts
}
