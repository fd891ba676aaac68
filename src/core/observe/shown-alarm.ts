import { formatClock } from '../base/format/amount.ts'
import { urgencyOf } from '../view/alarm-event.ts'
import type { AlarmView } from '../view/alarm-view.ts'
import { type Alarm, untilOf } from './memory.ts'

/** Returns the rank of an alarm in lists: an acknowledged one comes after every other. */
export function placeOf({ severity, acknowledged }: Pick<Alarm, 'severity' | 'acknowledged'>): number {
  return 1 + urgencyOf(severity) + (acknowledged ? 0 : 10)
}

/** Sorts alarms by severity, and by age within one severity. */
export function worstFirst(alarms: readonly Alarm[]): readonly Alarm[] {
  return alarms.toSorted((a, b) => placeOf(b) - placeOf(a) || a.sinceMs - b.sinceMs)
}

/**
 * An alarm that stands, as it is drawn at `nowMs` (Unix milliseconds). Its times are short, in UTC, with the day where that
 * is not today and with the year where that is not this year: an alarm may be old.
 */
export function alarmView(alarm: Alarm, { nowMs }: { nowMs: number }): AlarmView {
  const { id, severity, title, what, next, nextIs, sinceMs, acknowledged } = alarm
  const until = untilOf(alarm)
  const last = until === undefined ? {} : { until: formatClock(until.atMs, nowMs, 0), last: until }
  const since = formatClock(sinceMs, nowMs, 0)
  const shown = { id, alarm: alarm.alarm, severity, title, what, since, sinceMs, ...last, acknowledged }
  if (next === undefined) return shown
  return nextIs === 'command' ? { ...shown, command: next } : { ...shown, next }
}
