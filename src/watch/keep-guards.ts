import type { Effects } from '../core/base/effects/effects.ts'
import type { Hex } from '../core/base/format/hex.ts'
import type { Setup } from '../core/chain/facts.ts'
import type { WatchEndpoints } from '../core/observe/ask-input.ts'
import type { GuardStanding, UnreadFile, Watched } from '../core/observe/picture.ts'

/** What a watch knows of the guards of its validators. */
export type WatchedGuards = {
  /**
   * As they were seen last, and who has none. `unread`: the journals of keys here that can't be read, left out before they were
   * looked at. Throws the fault of our own that ended the holding of one.
   */
  pictures(): {
    guards: readonly GuardStanding[]
    unguarded: readonly Hex[]
    unread?: readonly UnreadFile[]
  }
  /** Resolves once each of them was looked at. */
  looked(): Promise<void>
  /** Lets go of what is held. */
  close(): Promise<void>
}

/** Holds the guards of the watched validators (`holds`), or looks whether anybody does. No endpoint’s failure ends it. */
export type OpenGuards = (input: {
  effects: Effects
  io: { signal: AbortSignal; err(text: string): void }
  environment: Readonly<Record<string, string | undefined>>
  setup: Setup
  endpoints: WatchEndpoints
  validators: readonly Watched[]
  holds: boolean
}) => Promise<WatchedGuards>
