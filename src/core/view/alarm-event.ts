import {
  decimal,
  exactRecord,
  hex,
  oneOf,
  optional,
  present,
  real,
  text,
  uintIndex,
} from '../base/format/decode.ts'
import type { Hex } from '../base/format/hex.ts'

/** Each kind of alarm that a watch raises, by a name that stays the same in every version. */
export const ALARMS = [
  'drops-out',
  'margin',
  'dropped-out',
  'not-validating',
  'exit-begun',
  'missed-blocks',
  'node-silent',
  'node-hanging',
  'node-behind',
  'node-alone',
  'node-other-key',
  'key-elsewhere',
  'execution-silent',
  'execution-behind',
  'execution-outdated',
  'clock-off',
  'endpoints-silent',
  'endpoint-far-off',
  'chain-unsigned',
  'chain-halted',
  'deposit-unexpected',
  'operator-change',
  'fork-unknown',
  'guard-nonce',
  'guard-balance',
  'guard-cap',
  'guard-term',
  'guard-fee',
  'guard-unproven',
  'guard-blind',
  'guard-fork',
  'guard-other-payment',
  'guard-cannot-send',
  'guard-held',
  'guard-unheld',
  'guard-sent',
  'journal-unread',
  'channel-failing',
  // Never raised: what `--test-alarm` sends.
  'test',
] as const

export type AlarmId = (typeof ALARMS)[number]

/**
 * `critical`: money or the key is lost if nobody acts. `warning`: it may come to that. `info`: worth knowing. The least
 * urgent one first.
 */
export const SEVERITIES = ['info', 'warning', 'critical'] as const

export type Severity = (typeof SEVERITIES)[number]

/** How urgent it is: larger is more so. */
export const urgencyOf = (severity: Severity): number => SEVERITIES.indexOf(severity)

/** The more urgent of two. */
export const moreUrgent = (one: Severity, other: Severity): Severity =>
  urgencyOf(one) > urgencyOf(other) ? one : other

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
  /** Present where `next` is a command of the wizard, written by the name of the program, to be copied. */
  nextIs?: 'command'
  /** The last moment at which acting still helps. */
  until?: { epoch: bigint; slot: bigint; atMs: number }
}

/** How sending through a configured channel goes, since the watch began. */
export type ChannelPicture = {
  name: string
  /** Events that wait for it, and those that quiet hours hold back. */
  waiting: number
  held: number
  /** Whether it took the last event; undefined before the first try. */
  isWorking: boolean | undefined
  /** Since when it has taken nothing, Unix milliseconds, and why the last try failed. */
  failing?: { sinceMs: number; reason: string }
}

/** An alarm that a channel was told of, or that waits for one, and has not ended there. */
export type ToldAlarm = { id: string; severity: Severity; event?: WatchEvent }

/** How the parts of an event lie on the disk. */
export const EVENT_FIELDS = {
  alarm: oneOf(ALARMS),
  severity: oneOf(SEVERITIES),
  validator: optional(
    present(exactRecord({ pubkey: hex(48), index: optional(uintIndex), name: optional(text) })),
  ),
  next: optional(text),
  nextIs: optional(oneOf(['command'])),
  until: optional(exactRecord({ epoch: decimal, slot: decimal, atMs: real })),
}
