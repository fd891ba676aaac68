import { formatClock } from '../format/amount.ts'
import { type AlarmId, type Severity, urgencyOf } from './event.ts'
import { type Alarm, untilOf } from './memory.ts'

/** An alarm as it is drawn. */
export type AlarmView = {
  id: string
  alarm: AlarmId
  severity: Severity
  title: string
  what: string
  next?: string
  /** The command of the wizard that helps, in the place of `next`. */
  command?: string
  since: string
  /** The last moment at which acting still helps. */
  until?: string
  acknowledged: boolean
}

/** One thing that is known: words, a value that is drawn whole, or a command that can be copied. */
export type Detail = { label: string } & ({ value: string } | { whole: string } | { command: string })

/** A place in danger as it is drawn: the slot by head and time, and what is said where no amount surely keeps it any more. */
export type InDanger = {
  epoch: bigint
  now: bigint
  instead: Pick<AlarmView, 'title' | 'what' | 'next'> | undefined
}

/** What somebody knows of is less urgent than anything that nobody does. */
export function placeOf({ severity, acknowledged }: Pick<Alarm, 'severity' | 'acknowledged'>): number {
  return 1 + urgencyOf(severity) + (acknowledged ? 0 : 10)
}

/** Alarms in the order in which they are drawn: the most severe one first, of those the oldest. */
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
  const last = until === undefined ? {} : { until: formatClock(until.atMs, nowMs, 0) }
  const since = formatClock(sinceMs, nowMs, 0)
  const shown = { id, alarm: alarm.alarm, severity, title, what, since, ...last, acknowledged }
  if (next === undefined) return shown
  return nextIs === 'command' ? { ...shown, command: next } : { ...shown, next }
}
