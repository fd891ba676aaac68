import type { Hex } from '../core/base/format/hex.ts'
import type { NetworkKind } from '../core/chain/network/network.ts'
import type { Severity } from '../core/view/alarm-event.ts'
import type { AlarmView, Detail } from '../core/view/alarm-view.ts'

/** One validator as a row of the table, in words, and its alarms, the worst first. */
export type WatchRow = {
  pubkey: Hex
  name: string
  status: string
  rank: string
  stake: string
  margin: string
  source: string
  alarms: readonly AlarmView[]
  /** What is shown where somebody opens it. */
  details: readonly Detail[]
}

/** Everything that the table of a watch draws. It is the same as long as nothing changed; ages move in steps of ten seconds. */
export type WatchView = {
  network: { kind: NetworkKind; label: string }
  title: string
  verdict: { text: string; is: Severity | 'well' | 'unknown' }
  /** Who needs somebody stands on top. */
  rows: readonly WatchRow[]
  /** Alarms about node and chain. */
  others: readonly AlarmView[]
  head: string
}

/** The table of a watch on a terminal. */
export type WatchScreen = {
  /** Draws the view, where it is another one than the last. */
  show(view: WatchView): void
  /** Adds a sentence below the table; the newest few stay. */
  note(text: string): void
  /** Makes the terminal call its user. */
  notify(text: string): void
  /** Resolves when somebody quits; rejects with the fault that ended it. */
  end: Promise<void>
  close(): void
}

export type WatchScreenInput = {
  clock: { monotonicMs(): number }
  /** Somebody knows of these alarms. */
  onAcknowledge: (ids: readonly string[]) => void
}
