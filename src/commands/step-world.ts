import type { Setup } from '../core/facts.ts'
import type { World } from '../core/steps/world.ts'
import type { Call } from './command.ts'

/**
 * A world in which a step may ask but nothing is recorded, locked or opened: each event goes to `apply`. For commands
 * that look at what a step looks at.
 */
export function lookingWorld<Event>(
  call: Pick<Call, 'effects' | 'io'>,
  setup: Setup,
  apply: (event: Event) => void,
): World<Event> {
  return {
    effects: call.effects,
    setup,
    offers: new Map(),
    signal: call.io.signal,
    facts: () => ({}),
    dispatch: async (event) => apply(event),
    openJournal: async () => undefined,
    lock: async () => 'Nothing is locked by a command that only looks.',
  }
}
