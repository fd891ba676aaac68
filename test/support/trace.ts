import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import { isAllowed } from '../../src/core/wizard/gates.ts'
import { transition } from '../../src/core/wizard/procedure.ts'
import {
  type DurableEvent,
  type Event,
  initialState,
  isDurable,
  type State,
} from '../../src/core/wizard/state.ts'
import { register } from './register.ts'
import { startWorld } from './world.ts'

/** Everything that happened in one registration, in order, with what it was applied to. */
export type Trace = { setup: Setup; events: readonly Event[] }

/** Which characters of an address are typed again is chance, and so is the width of their label. */
const ALWAYS_THE_SAME: Effects['random'] = { bytes: (length) => new Uint8Array(length).fill(2) }

/** Where the files of the registration are said to lie: the directory for temporary files has a name of any length. */
const PLACE = '/rehearsal'

let made: Promise<Trace> | undefined

/** The events of a real registration from the first question to the active set; made once in a process. */
export function traceOfRegistration(): Promise<Trace> {
  made ??= traceOfOne()
  return made
}

async function traceOfOne(): Promise<Trace> {
  const world = await startWorld()
  try {
    const life = world.begin({ mutate: (effects) => ({ ...effects, random: ALWAYS_THE_SAME }) })
    const session = await world.clock.flow(() => world.session(life))
    const events: Event[] = []
    session.subscribe((_, event) => {
      events.push(event)
    })
    // What stands at the two addresses may come after everything else of its step: whoever looks at it waits.
    const reads = ({ step, sign }: State) =>
      step === 'sign' && Object.values(sign.accounts).some(({ status }) => status === 'asking')
    const ending = await register(world, session, { reads })
    if (ending.end !== 'active') throw new Error(`the registration ended ${ending.end}`)
    return replaceText({ setup: session.setup, events }, world.directory, PLACE)
  } finally {
    await world.end()
  }
}

/** Returns a value with one text in place of another in all that its objects and lists hold. */
function replaceText<T>(value: T, text: string, by: string): T
function replaceText(value: unknown, text: string, by: string): unknown {
  if (typeof value === 'string') return value.replaceAll(text, by)
  if (Array.isArray(value)) return value.map((each) => replaceText(each, text, by))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceText(each, text, by)]))
}

/** One event through the same gate as in a session; a refused one changes nothing. */
export function apply(state: State, event: Event, setup: Setup): State {
  return isAllowed(state, event, setup) ? transition(state, event, setup)[0] : state
}

/** The state after events from the beginning. */
export function stateAfter(events: readonly Event[], setup: Setup): State {
  return events.reduce((state, event) => apply(state, event, setup), initialState)
}

/** Those of the events that a journal would hold. */
export function durableOf(events: readonly Event[]): DurableEvent[] {
  return events.filter(isDurable)
}
