import type { Finding, WatchMemory } from '../core/observe/memory.ts'
import { headOf, type NetworkPicture, type WatchContext } from '../core/observe/picture.ts'
import { endpointFarOff, endpointIsLate, endpointNear, endpointSilent } from './far-off-words.ts'

/** An endpoint that was a little behind or late for a moment is not named. */
const SLOTS_TO_NAME = 30
/** Rounds may be an epoch apart: one that was late in a single one is not named. */
const ROUNDS_TO_NAME = 2

/**
 * Finds the endpoints that are left out: their head fits neither the own endpoints nor a second one, or they are of somebody
 * else and give no answer, or none in time.
 */
export function farOffFindings(
  memory: WatchMemory,
  picture: NetworkPicture,
  { network }: Pick<WatchContext, 'network'>,
): Finding[] {
  const { atMs, late, heads } = picture
  const newest = headOf(picture)
  const isLong = (sinceMs: number) => atMs - sinceMs > SLOTS_TO_NAME * network.slotMs
  return heads.flatMap(({ role, name, place, slot, farOff }): Finding[] => {
    const known = memory.heads.find((head) => head.role === role && head.name === name)
    const shape = { alarm: 'endpoint-far-off', subject: `${role}/${name}` } as const
    const on = { ...shape, is: 'on', severity: 'warning', degree: [] } as const
    if (known === undefined) return []
    if (slot !== undefined) {
      const isLate = role === 'execution' && late?.name === name && late.rounds >= ROUNDS_TO_NAME
      if (!isLate) return [{ ...shape, is: 'off', words: () => endpointNear(known) }]
      return isLong(late.sinceMs) ? [{ ...on, ...endpointIsLate(known, atMs - late.sinceMs) }] : []
    }
    if (farOff !== undefined) {
      const sinceMs = known.farOff?.sinceMs ?? atMs
      if (!isLong(sinceMs)) return []
      return [{ ...on, ...endpointFarOff(known, { slot: farOff, newest, forMs: atMs - sinceMs }) }]
    }
    // The own ones have alarms of their own, and where nobody answers, all have one.
    const isNamed = place > 0 && newest !== undefined && isLong(known.atMs)
    return isNamed ? [{ ...on, ...endpointSilent(known, atMs - known.atMs) }] : []
  })
}
