import type { Effects } from '../base/effects/effects.ts'
import type { BaseError } from '../base/errors/base.ts'
import { formatClock } from '../base/format/amount.ts'
import type { Hex } from '../base/format/hex.ts'
import type { Facts, Setup } from '../chain/facts.ts'
import { urgencyOf, type WatchEvent } from '../view/alarm-event.ts'
import type { AlarmView, InDanger } from '../view/alarm-view.ts'
import { type Alarm, untilOf, type WatchMemory } from './memory.ts'
import type { GuardStanding, NetworkPicture, UnreadFile, Watched, WatchLimits } from './picture.ts'

/** What the rules of a watch make of one look at a validator. */
type Judged = {
  /** Those that stand, the most severe one first. */
  alarms: readonly Alarm[]
  events: readonly WatchEvent[]
  danger: InDanger | undefined
  limits: WatchLimits
  /** Why the user's limits do not count, and the usual ones do. */
  limitsFault: BaseError | undefined
  /** The file of what was told before, where it can't be read. */
  memoryUnread: UnreadFile | undefined
}

/** The alarms of one validator, look by look, by the rules of a watch. `known`: the ids that somebody took for known. */
export type Alarms = {
  /** What is remembered of the looks before. */
  memory(): WatchMemory
  judge(picture: NetworkPicture, known: readonly string[]): Promise<Judged>
  /** Keeps what was seen for runs to come. */
  end(known: readonly string[]): Promise<void>
}

/**
 * Opens what is known of the alarms of a validator; its limits are those of the configuration at `limitsPath`, where that
 * is there. A session is given it: the steps know nothing of how a watch judges.
 */
export type OpenAlarms = (
  context: { effects: Effects; setup: Setup; facts(): Facts },
  about: { watched: Watched; limitsPath: string },
) => Promise<Alarms>

/** Returns the path of the configuration of a watch of this network, beside its journals: the status step reads its limits. */
export function alarmsPath({ journalDirectory }: Pick<Setup, 'journalDirectory'>): string {
  return `${journalDirectory}/watch.toml`
}

/**
 * Holds the guard of a validator until it is over, and resolves at once where there is none to hold. A session is given it:
 * the steps that pay nothing know nothing of how a guard pays.
 */
export type KeepGuard = (
  pubkey: Hex,
  tell: (guard: GuardStanding | undefined) => Promise<void>,
) => Promise<void>

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
