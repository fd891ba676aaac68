import type { Alarm, EndedAlarm, Finding } from '../core/observe/memory.ts'
import type { AlarmId } from '../core/view/alarm-event.ts'
import { comesAgain, isQuiet, wentAway } from './incident-words.ts'

/**
 * What comes and goes with the answers of an endpoint. One of these that comes again soon is told once more, with how often
 * it came, and is over once it has stayed away for a while. What is about money ends as soon as it is over.
 */
const DAMPED: readonly AlarmId[] = [
  'node-silent',
  'node-hanging',
  'node-behind',
  'node-alone',
  'execution-silent',
  'execution-behind',
  'endpoints-silent',
  'endpoint-far-off',
  'chain-halted',
  'clock-off',
]
/** For so many slots it stays away. */
export const SLOTS_TO_BE_OVER = 300
/** More are not remembered once they are over. */
const MOST_ENDED = 32

type ActiveFinding = Extract<Finding, { is: 'on' }>
type Over = Extract<Finding, { is: 'off' }>
type Spells = Pick<Alarm, 'spells' | 'firstMs'>
/** The moment of a look, and what a slot takes, in milliseconds. */
type Now = { atMs: number; slotMs: number }

/**
 * Counts how often an alarm has come, and since when. An alarm that is on, or ended within the last 300 slots, counts
 * as the same one.
 */
export function spellsOf(
  { stands, ended }: { stands: Alarm | undefined; ended: readonly EndedAlarm[] },
  { alarm, subject }: Pick<ActiveFinding, 'alarm' | 'subject'>,
  now: Now,
): Spells {
  if (stands !== undefined) {
    const { spells, firstMs, quietSinceMs } = stands
    if (spells === undefined || firstMs === undefined) return {}
    return { spells: quietSinceMs === undefined ? spells : spells + 1, firstMs }
  }
  const before = ended.find((one) => one.alarm === alarm && one.subject === subject && isRecent(one, now))
  return before === undefined ? {} : { spells: 2, firstMs: before.sinceMs }
}

/** Adds to the words of an alarm how often it came, where that is more than once. */
export function withSpells<T extends { what: string }>(found: T, { spells, firstMs }: Spells): T & Spells {
  if (spells === undefined || firstMs === undefined) return found
  return { ...found, what: comesAgain(found.what, { spells, firstMs }), spells, firstMs }
}

/** Keeps an alarm that came again until it has been over for 300 slots; undefined where it ends at once. */
export function heldBack(stands: Alarm, { atMs, slotMs }: Now): Alarm | undefined {
  const { spells, firstMs } = stands
  if (spells === undefined || firstMs === undefined) return undefined
  const quietSinceMs = Math.min(stands.quietSinceMs ?? atMs, atMs)
  if (atMs - quietSinceMs >= SLOTS_TO_BE_OVER * slotMs) return undefined
  return { ...stands, quietSinceMs, what: isQuiet({ spells, firstMs, steadyMs: SLOTS_TO_BE_OVER * slotMs }) }
}

/** Makes the title and sentence with which an alarm ends. */
export function endOf({ words }: Over, { spells }: Alarm, { slotMs }: Now): { title: string; what: string } {
  const { title, what } = words()
  return {
    title,
    what: spells === undefined ? what : wentAway(what, { spells, steadyMs: SLOTS_TO_BE_OVER * slotMs }),
  }
}

/** Adds an alarm that ended to the remembered ones, 32 at most. */
export function endedAfter(before: readonly EndedAlarm[], over: Alarm, now: Now): readonly EndedAlarm[] {
  const { alarm, subject, sinceMs, spells } = over
  const rest = recentOf(before, now).filter((one) => one.alarm !== alarm || one.subject !== subject)
  if (!DAMPED.includes(alarm) || spells !== undefined) return rest
  return [...rest, { alarm, subject, sinceMs, atMs: now.atMs }].slice(-MOST_ENDED)
}

/** Keeps the alarms that ended within the last 300 slots: one that comes again counts as the same. */
export const recentOf = (ended: readonly EndedAlarm[], now: Now): readonly EndedAlarm[] =>
  ended.filter((one) => isRecent(one, now))

/** By a clock that was set back nothing was over a moment ago. */
const isRecent = (one: EndedAlarm, { atMs, slotMs }: Now): boolean =>
  one.atMs <= atMs && atMs - one.atMs < SLOTS_TO_BE_OVER * slotMs
