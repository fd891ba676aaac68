import { collectFacts } from '../../src/core/wizard/gates.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { Event, State } from '../../src/core/wizard/state.ts'
import { initialState } from '../../src/core/wizard/state.ts'
import { apply, type Trace } from './trace.ts'

/** A moment of a real registration: the state right after an event. */
export type MomentOfTrace = { name: string; state: State }

type Named = readonly [name: string, holds: (event: Event, state: State) => boolean]

/** The first time that each holds, in their order. */
export function momentsOf({ events, setup }: Trace, wanted: readonly Named[]): MomentOfTrace[] {
  const found: MomentOfTrace[] = []
  let state = initialState
  for (const event of events) {
    state = apply(state, event, setup)
    const [name, holds] = wanted[found.length] ?? []
    if (name !== undefined && holds?.(event, state) === true) found.push({ name, state })
  }
  if (found.length < wanted.length) throw new Error(`there was never ${wanted[found.length]?.[0]}`)
  return found
}

/** A session that stands still at what `getState` gives; what is dispatched is kept. */
export function stillSession(
  getState: () => State,
  { setup }: Pick<Trace, 'setup'>,
): Session & { sent: Event[] } {
  const sent: Event[] = []
  return {
    sent,
    setup,
    clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
    getState,
    facts: () => collectFacts(getState(), setup),
    subscribe: () => () => undefined,
    dispatch: async (event) => sent.push(event) > 0,
    start: async () => undefined,
    stop: async () => undefined,
  }
}
