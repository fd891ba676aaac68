import type { Finding, WatchMemory } from '../core/observe/memory.ts'
import { headOf, type NetworkPicture, type WatchContext } from '../core/observe/picture.ts'
import { endpointFarOff, endpointIsLate, endpointNear, endpointSilent } from './far-off-words.ts'

/** An endpoint that was a little behind or late for a moment is not named. */
const SLOTS_TO_NAME = 30
/** Rounds may be an epoch apart: one that was late in a single one is not named. */
const ROUNDS_TO_NAME = 2
/** How an alarm of an endpoint that answers too late is told from that of a silent one. */
const IS_LATE = 1

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
      const ofLate = role === 'execution' && typeof late === 'object' && late.name === name ? late : undefined
      if (ofLate !== undefined && ofLate.rounds >= ROUNDS_TO_NAME) {
        const words = endpointIsLate(known, atMs - ofLate.sinceMs)
        return isLong(ofLate.sinceMs) ? [{ ...on, degree: [IS_LATE], ...words }] : []
      }
      // That one was late is over once a set was read with it, and not for want of a look.
      const wasLate = memory.alarms.some(
        (one) => one.alarm === shape.alarm && one.subject === shape.subject && one.degree[0] === IS_LATE,
      )
      if (wasLate && (late === undefined || ofLate !== undefined)) return []
      return [{ ...shape, is: 'off', words: () => endpointNear(known) }]
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
