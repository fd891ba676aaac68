import type { Hex } from '../format/hex.ts'

/** Each kind of alarm that a watch raises, by a name that stays the same in every version. */
export type AlarmId =
  | 'drops-out'
  | 'margin'
  | 'dropped-out'
  | 'exit-begun'
  | 'missed-blocks'
  | 'node-silent'
  | 'node-hanging'
  | 'node-other-key'
  | 'endpoints-silent'
  | 'chain-halted'
  | 'deposit-unexpected'
  | 'operator-change'
  | 'fork-unknown'

/** `critical`: money or the key is lost if nobody acts. `warning`: it may come to that. `info`: worth knowing. */
export type Severity = 'critical' | 'warning' | 'info'

/** One change of one alarm, told once and in the order of `sequence`. Texts are safe to draw. */
export type WatchEvent = {
  /** Stable across restarts and repeats of the same alarm: network, validator, alarm and when it began. */
  id: string
  /** Counts up by one for each event of this state directory. */
  sequence: number
  /** By the clock of this computer, Unix milliseconds. */
  atMs: number
  network: string
  /** Left out where the alarm is about no validator. */
  validator?: { pubkey: Hex; index?: number; name?: string }
  alarm: AlarmId
  change: 'fired' | 'repeated' | 'worse' | 'cleared'
  severity: Severity
  /** One line. */
  title: string
  /** One or two sentences with numbers. */
  what: string
  /** What to do; where money is needed, the command of the wizard that proposes it. */
  next?: string
  /** The last moment at which acting still helps. */
  until?: { epoch: bigint; slot: bigint; atMs: number }
}
