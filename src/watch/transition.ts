import { formatCount, formatDuration, formatMinute } from '../core/base/format/amount.ts'
import type { Hex } from '../core/base/format/hex.ts'
import {
  type Alarm,
  type EndedAlarm,
  type Finding,
  rememberPicture,
  untilOf,
  type WatchMemory,
} from '../core/observe/memory.ts'
import type { NetworkPicture, WatchContext, WatchLimits } from '../core/observe/picture.ts'
import {
  ALARMS,
  type AlarmId,
  moreUrgent,
  type ToldAlarm,
  urgencyOf,
  type WatchEvent,
} from '../core/view/alarm-event.ts'
import { findingsOf } from './findings.ts'
import { isOfGuard } from './guard-findings.ts'
import { firedBefore, unwatchedWords } from './words.ts'

const MINUTE_MS = 60_000
/** An alarm with a deadline is told again whenever half of the time since the last telling is over, but not more often than this. */
const LEAST_REPEAT_MS = MINUTE_MS

/**
 * Makes the next memory and its events from one look: fires a new alarm, repeats one that got worse or is due, clears
 * one that is over. An alarm that the look could not judge stays as it is. Pure.
 */
export function watchTransition(
  memory: WatchMemory,
  picture: NetworkPicture,
  context: WatchContext,
): { memory: WatchMemory; events: readonly WatchEvent[] } {
  const remembered = rememberPicture(memory, picture, context)
  const findings = [...findingsOf(remembered, picture, context, memory), ...unwatched(memory, picture)]
  const events: WatchEvent[] = []
  const now = { atMs: picture.atMs, slotMs: context.network.slotMs }
  let { sequence } = memory
  let { alarms, ended } = memory
  const tell = (alarm: Alarm, change: WatchEvent['change']) => {
    sequence += 1
    events.push(eventOf(alarm, { change, sequence, atMs: picture.atMs, network: context.network.id }))
  }
  for (const finding of findings) {
    const stands = alarms.find((each) => isOf(each, finding))
    if (finding.is === 'off') {
      if (stands === undefined) continue
      const held = heldBack(stands, now)
      if (held !== undefined) {
        alarms = alarms.map((each) => (each === stands ? held : each))
        continue
      }
      if (isYoung(stands, now)) {
        const quietSinceMs = Math.min(stands.quietSinceMs ?? now.atMs, now.atMs)
        alarms = alarms.map((each) => (each === stands ? { ...stands, quietSinceMs } : each))
        continue
      }
      alarms = alarms.filter((each) => each !== stands)
      ended = endedAfter(ended, stands, now)
      const { next: _, until: __, ...kept } = stands
      tell({ ...kept, ...endOf(finding, stands, now) }, 'cleared')
      continue
    }
    const found = standing(finding, { stands, ended }, now, context.network.id)
    const change = changeOf(found, stands, { atMs: picture.atMs, limits: context.limits })
    const next = change === undefined ? found : { ...found, toldMs: picture.atMs, times: found.times + 1 }
    alarms = stands === undefined ? [...alarms, next] : alarms.map((each) => (each === stands ? next : each))
    if (change !== undefined) tell(next, change)
  }
  return { memory: { ...remembered, sequence, alarms, ended: recentOf(ended, now) }, events }
}

/** Marks an alarm as acknowledged: its next event comes when it gets worse or ends. */
export function acknowledge(memory: WatchMemory, id: string): WatchMemory {
  const alarms = memory.alarms.map((alarm) => (alarm.id === id ? { ...alarm, acknowledged: true } : alarm))
  return { ...memory, alarms }
}

/**
 * Returns the memory with what was acknowledged by a command, and those alarms. What was told again since, as it got worse, is
 * not known by it.
 */
export function acknowledgeTold(
  memory: WatchMemory,
  known: readonly { id: string; atMs: number }[],
): { memory: WatchMemory; news: readonly Alarm[] } {
  const news = memory.alarms.filter(
    (alarm) => !alarm.acknowledged && known.some(({ id, atMs }) => id === alarm.id && alarm.toldMs <= atMs),
  )
  return { memory: news.reduce((now, { id }) => acknowledge(now, id), memory), news }
}

function isOf(alarm: Alarm, finding: { alarm: AlarmId; subject: string }): boolean {
  return alarm.alarm === finding.alarm && alarm.subject === finding.subject
}

/** The alarm as it is found now, as bad as it was at its worst. A clock that was set back holds no telling back. */
function standing(
  finding: Extract<Finding, { is: 'on' }>,
  known: { stands: Alarm | undefined; ended: readonly EndedAlarm[] },
  now: { atMs: number; slotMs: number },
  network: string,
): Alarm {
  const { atMs } = now
  const { is: _, ...shared } = finding
  const { stands: before } = known
  const found = withSpells(shared, spellsOf(known, finding, now))
  if (before === undefined) {
    const id = [network, finding.subject, finding.alarm, new Date(atMs).toISOString()].join('/')
    return { ...found, id, sinceMs: atMs, toldMs: atMs, times: 0, acknowledged: false }
  }
  const { id, times, acknowledged } = before
  const sinceMs = Math.min(before.sinceMs, atMs)
  const toldMs = Math.min(before.toldMs, atMs)
  const degree = finding.degree.map((value, at) => Math.max(value, before.degree[at] ?? value))
  const severity = moreUrgent(finding.severity, before.severity)
  const isWorse = gotWorse(finding, before)
  return { ...found, id, sinceMs, toldMs, times, severity, degree, acknowledged: acknowledged && !isWorse }
}

/**
 * What comes and goes with disks, windows and endpoints stands for a minute at least, so that nobody is told of it twice in
 * one. By a clock that was set back it is as old as it was.
 */
const isYoung = ({ alarm, sinceMs }: Alarm, { atMs }: Now): boolean =>
  (DAMPED.includes(alarm) || (isOfGuard(alarm) && alarm !== 'guard-sent')) &&
  atMs >= sinceMs &&
  atMs - sinceMs < LEAST_REPEAT_MS

function changeOf(
  found: Alarm,
  before: Alarm | undefined,
  { atMs, limits }: { atMs: number; limits: WatchLimits },
): Exclude<WatchEvent['change'], 'cleared'> | undefined {
  if (before === undefined) return 'fired'
  if (gotWorse(found, before)) return 'worse'
  if (found.acknowledged) return undefined
  return atMs - found.toldMs >= repeatAfterMs(found, limits) ? 'repeated' : undefined
}

function gotWorse(now: Pick<Alarm, 'severity' | 'degree'>, before: Alarm): boolean {
  if (urgencyOf(now.severity) > urgencyOf(before.severity)) return true
  return now.degree.some((value, at) => value > (before.degree[at] ?? value))
}

function repeatAfterMs({ severity, until, toldMs }: Alarm, { repeatMs }: WatchLimits): number {
  const usualMs = repeatMs[severity] ?? Number.POSITIVE_INFINITY
  if (severity !== 'critical' || until === undefined || until.atMs <= toldMs) return usualMs
  return Math.max(LEAST_REPEAT_MS, Math.min(usualMs, (until.atMs - toldMs) / 2))
}

/** Alarms about a validator that nobody watches any more end, so that whoever was told of them hears no more. */
function unwatched({ alarms }: WatchMemory, { validators }: NetworkPicture): Finding[] {
  return alarms.flatMap(({ alarm, subject, validator }) =>
    validator === undefined || validators.some(({ pubkey }) => pubkey === validator.pubkey)
      ? []
      : [{ is: 'off', alarm, subject, words: () => unwatchedWords(validator) }],
  )
}

function eventOf(
  alarm: Alarm,
  stamp: Pick<WatchEvent, 'change' | 'sequence' | 'atMs' | 'network'>,
): WatchEvent {
  const { id, validator, severity, title, what, next, nextIs } = alarm
  const until = untilOf(alarm)
  return {
    id,
    sequence: stamp.sequence,
    atMs: stamp.atMs,
    network: stamp.network,
    ...(validator === undefined ? {} : { validator }),
    alarm: alarm.alarm,
    change: stamp.change,
    severity,
    title,
    what,
    ...(next === undefined ? {} : { next }),
    ...(nextIs === undefined ? {} : { nextIs }),
    ...(until === undefined ? {} : { until }),
  }
}

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
  'channel-failing',
  'guard-unheld',
  'guard-unproven',
  'guard-blind',
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
function spellsOf(
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
function withSpells<T extends { what: string }>(found: T, { spells, firstMs }: Spells): T & Spells {
  if (spells === undefined || firstMs === undefined) return found
  return { ...found, what: comesAgain(found.what, { spells, firstMs }), spells, firstMs }
}

/** Keeps an alarm that came again until it has been over for 300 slots; undefined where it ends at once. */
function heldBack(stands: Alarm, { atMs, slotMs }: Now): Alarm | undefined {
  const { spells, firstMs } = stands
  if (spells === undefined || firstMs === undefined) return undefined
  const quietSinceMs = Math.min(stands.quietSinceMs ?? atMs, atMs)
  if (atMs - quietSinceMs >= SLOTS_TO_BE_OVER * slotMs) return undefined
  return { ...stands, quietSinceMs, what: isQuiet({ spells, firstMs, steadyMs: SLOTS_TO_BE_OVER * slotMs }) }
}

/** Makes the title and sentence with which an alarm ends. */
function endOf({ words }: Over, { spells }: Alarm, { slotMs }: Now): { title: string; what: string } {
  const { title, what } = words()
  return {
    title,
    what: spells === undefined ? what : wentAway(what, { spells, steadyMs: SLOTS_TO_BE_OVER * slotMs }),
  }
}

/** Adds an alarm that ended to the remembered ones, 32 at most. */
function endedAfter(before: readonly EndedAlarm[], over: Alarm, now: Now): readonly EndedAlarm[] {
  const { alarm, subject, sinceMs, spells } = over
  const rest = recentOf(before, now).filter((one) => one.alarm !== alarm || one.subject !== subject)
  if (!DAMPED.includes(alarm) || spells !== undefined) return rest
  return [...rest, { alarm, subject, sinceMs, atMs: now.atMs }].slice(-MOST_ENDED)
}

/** Keeps the alarms that ended within the last 300 slots: one that comes again counts as the same. */
const recentOf = (ended: readonly EndedAlarm[], now: Now): readonly EndedAlarm[] =>
  ended.filter((one) => isRecent(one, now))

/** By a clock that was set back nothing was over a moment ago. */
const isRecent = (one: EndedAlarm, { atMs, slotMs }: Now): boolean =>
  one.atMs <= atMs && atMs - one.atMs < SLOTS_TO_BE_OVER * slotMs

/** Words of an alarm that came again; `firstMs` is when it first came (Unix milliseconds). */
function comesAgain(what: string, { spells, firstMs }: { spells: number; firstMs: number }): string {
  return `${what} It came ${formatCount(BigInt(spells))} times since ${formatMinute(firstMs)}.`
}

/** Words of an alarm whose cause is over for less than `steadyMs`. */
function isQuiet(incident: { spells: number; firstMs: number; steadyMs: number }): string {
  const { spells, firstMs, steadyMs } = incident
  return `It is over for the moment. It came ${formatCount(BigInt(spells))} times since ${formatMinute(firstMs)}, and counts as over once it stays away for ${formatDuration(steadyMs)}.`
}

/** Words of the end of an alarm that had come several times. */
function wentAway(what: string, { spells, steadyMs }: { spells: number; steadyMs: number }): string {
  return `${what} It had come ${formatCount(BigInt(spells))} times, and stayed away for ${formatDuration(steadyMs)}.`
}

/**
 * Adds the alarms that channels were told of and the memory doesn't hold: a process that ended between the two writes leaves
 * them. Each goes on under its id, so that whoever was told of it is told once, and hears its end.
 */
export function adoptOrphans(memory: WatchMemory, told: readonly ToldAlarm[]): WatchMemory {
  const lost = told.flatMap((one): Alarm[] => {
    const found = memory.alarms.some(({ id }) => id === one.id) ? undefined : alarmOf(one, memory.network)
    return found === undefined ? [] : [found]
  })
  const news = lost.filter(
    ({ alarm, subject }, at) =>
      !memory.alarms.some((each) => each.alarm === alarm && each.subject === subject) &&
      lost.findIndex((each) => each.alarm === alarm && each.subject === subject) === at,
  )
  return news.length === 0 ? memory : { ...memory, alarms: [...memory.alarms, ...news] }
}

/** Returns the alarm of an id: network, subject, kind, and when it began; undefined for an id of another network or program. */
function alarmOf({ id, severity, event }: ToldAlarm, network: string): Alarm | undefined {
  if (!id.startsWith(`${network}/`)) return undefined
  const parts = id.slice(network.length + 1).split('/')
  const [name, since = ''] = parts.slice(-2)
  const alarm = ALARMS.find((each) => each === name)
  const sinceMs = Date.parse(since)
  if (alarm === undefined || parts.length < 3 || Number.isNaN(sinceMs)) return undefined
  const subject = parts.slice(0, -2).join('/')
  const [pubkey] = /^0x[0-9a-f]{96}/.exec(subject) ?? []
  const validator = event?.validator ?? (pubkey === undefined ? undefined : { pubkey: pubkey as Hex })
  return {
    id,
    alarm,
    subject,
    ...(validator === undefined ? {} : { validator }),
    sinceMs,
    toldMs: event?.atMs ?? sinceMs,
    times: 1,
    severity,
    degree: [],
    acknowledged: false,
    ...(event === undefined ? firedBefore(alarm) : { title: event.title, what: event.what }),
    ...(event?.next === undefined ? {} : { next: event.next }),
    ...(event?.nextIs === undefined ? {} : { nextIs: event.nextIs }),
    ...(event?.until === undefined ? {} : { until: event.until }),
  }
}
