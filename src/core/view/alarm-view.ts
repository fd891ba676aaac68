import type { AlarmId, Severity, WatchEvent } from './alarm-event.ts'

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
  /** The same as Unix milliseconds. */
  sinceMs: number
  /** The last moment at which acting still helps. */
  until?: string
  /** The same, exactly. */
  last?: NonNullable<WatchEvent['until']>
  acknowledged: boolean
}

/**
 * One thing that is known: words, a value that is drawn whole, or a command that can be copied; `by` a wallet where it is none of
 * this program.
 */
export type Detail = { label: string } & (
  | { value: string }
  | { whole: string }
  | { command: string; by?: 'wallet' }
)

/** A place in danger as it is drawn: the slot by head and time, and what is said where no amount surely keeps it any more. */
export type InDanger = {
  epoch: bigint
  now: bigint
  instead: Pick<AlarmView, 'title' | 'what' | 'next'> | undefined
}
