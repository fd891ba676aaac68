import type { Finding, WatchMemory } from '../core/observe/memory.ts'
import { headOf, type NetworkPicture, type WatchContext } from '../core/observe/picture.ts'
import { endpointFarOff, endpointNear } from './far-off-words.ts'

/** An endpoint that was a little behind for a moment is not named. */
const SLOTS_TO_NAME = 30

/** Finds the endpoints that are left out because their head fits neither the own endpoints nor a second one. */
export function farOffFindings(
  memory: WatchMemory,
  picture: NetworkPicture,
  { network }: Pick<WatchContext, 'network'>,
): Finding[] {
  return picture.heads.flatMap(({ role, name, slot, farOff }): Finding[] => {
    const known = memory.heads.find((head) => head.role === role && head.name === name)
    const shape = { alarm: 'endpoint-far-off', subject: `${role}/${name}` } as const
    if (known === undefined) return []
    if (slot !== undefined) return [{ ...shape, is: 'off', words: () => endpointNear(known) }]
    const forMs = picture.atMs - (known.farOff?.sinceMs ?? picture.atMs)
    if (farOff === undefined || forMs <= SLOTS_TO_NAME * network.slotMs) return []
    const text = endpointFarOff(known, { slot: farOff, newest: headOf(picture), forMs })
    return [{ ...shape, is: 'on', severity: 'warning', degree: [], ...text }]
  })
}
