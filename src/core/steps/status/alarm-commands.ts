import type { SetSnapshot } from '../../consensus/snapshot.ts'
import type { Setup } from '../../facts.ts'
import { emptyMemory, type WatchMemory } from '../../watch/memory.ts'
import { LIMITS, wayAhead } from '../../watch/sighting.ts'
import { watchTransition } from '../../watch/transition.ts'
import type { StandingAlarm } from './machine.ts'
import type { Own } from './own.ts'

/**
 * The alarms that stand for one validator, found by the rules of a watch from what the status step sees anyhow; who asks
 * more (missed blocks, an operator change) is the command `watch`. What is about the place itself is left out: title, money
 * and problem of the screen tell it, by the same outlook.
 */
export function createAlarms({ network, own }: Setup, now: () => number) {
  let memory: WatchMemory = emptyMemory(network)
  const context = { network, wizardOptions: own?.options ?? [], limits: LIMITS }
  return (snapshot: SetSnapshot, record: Own): readonly StandingAlarm[] => {
    const { pubkey } = record.validator
    const ahead = wayAhead(snapshot, pubkey, { network, isNewest: true })
    const sighting = {
      atMs: now(),
      heads: [],
      validators: [{ pubkey, name: 'your validator', record, ...ahead }],
    }
    memory = watchTransition(memory, sighting, context).memory
    return memory.alarms
      .filter(({ subject }) => subject !== pubkey)
      .map(({ id, severity, title, what, next }) => ({ id, severity, title, what, next }))
  }
}
