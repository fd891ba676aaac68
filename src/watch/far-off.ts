import type { Finding, WatchMemory } from '../core/observe/memory.ts'
import { headOf, type Sighting, type WatchContext } from '../core/observe/sighting.ts'
import { endpointFarOff, endpointNear } from './far-off-words.ts'

/** An endpoint that was a little behind for a moment is not named. */
const SLOTS_TO_NAME = 30

/** Who is left out, since its head fits neither the own endpoints nor a second one. */
export function farOffFindings(
  memory: WatchMemory,
  sighting: Sighting,
  { network }: Pick<WatchContext, 'network'>,
): Finding[] {
  return sighting.heads.flatMap(({ role, name, slot, farOff }): Finding[] => {
    const known = memory.heads.find((head) => head.role === role && head.name === name)
    const shape = { alarm: 'endpoint-far-off', subject: `${role}/${name}` } as const
    if (known === undefined) return []
    if (slot !== undefined) return [{ ...shape, is: 'off', words: () => endpointNear(known) }]
    const forMs = sighting.atMs - (known.farOff?.sinceMs ?? sighting.atMs)
    if (farOff === undefined || forMs <= SLOTS_TO_NAME * network.slotMs) return []
    const text = endpointFarOff(known, { slot: farOff, newest: headOf(sighting), forMs })
    return [{ ...shape, is: 'on', severity: 'warning', degree: [], ...text }]
  })
}
