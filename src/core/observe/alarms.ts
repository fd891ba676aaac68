import type { Effects } from '../base/effects/effects.ts'
import type { BaseError } from '../base/errors/base.ts'
import type { Hex } from '../base/format/hex.ts'
import type { Facts, Setup } from '../chain/facts.ts'
import type { WatchEvent } from '../view/alarm-event.ts'
import type { InDanger } from '../view/alarm-view.ts'
import type { Alarm, WatchMemory } from './memory.ts'
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
