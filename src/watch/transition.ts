import {
  type Alarm,
  type EndedAlarm,
  type Finding,
  rememberPicture,
  untilOf,
  type WatchMemory,
} from '../core/observe/memory.ts'
import type { NetworkPicture, WatchContext, WatchLimits } from '../core/observe/picture.ts'
import { type AlarmId, moreUrgent, urgencyOf, type WatchEvent } from '../core/view/alarm-event.ts'
import { findingsOf } from './findings.ts'
import { endedAfter, endOf, heldBack, recentOf, spellsOf, withSpells } from './incident.ts'
import { unwatchedWords } from './words.ts'

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
  const findings = [...findingsOf(remembered, picture, context), ...unwatched(memory, picture)]
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
