import type { Hex } from '../format/hex.ts'
import type { AlarmId, Severity, WatchEvent } from './event.ts'
import type { SeenHead } from './sighting.ts'

/** An alarm that stands. */
export type Alarm = {
  id: string
  alarm: AlarmId
  /** What of its kind it is about: a public key, one with a number, or nothing. */
  subject: string
  validator?: WatchEvent['validator']
  sinceMs: number
  /** When it was told last, and how often it has been. */
  toldMs: number
  times: number
  severity: Severity
  /** How bad it was at its worst, like the severity; each number is larger when worse. */
  degree: readonly number[]
  acknowledged: boolean
  title: string
  what: string
  next?: string
  until?: WatchEvent['until']
}

/** What a look found out about one alarm: that it is on, or that it is not. What it could not find out is no finding. */
export type Finding = {
  alarm: AlarmId
  subject: string
  validator?: WatchEvent['validator']
} & (
  | ({ is: 'on'; severity: Severity; degree: readonly number[]; title: string; what: string } & Pick<
      WatchEvent,
      'next' | 'until'
    >)
  | { is: 'off'; title: string; what: string }
)

/** The newest slot of an endpoint, since when it is that, and its last answer. */
export type KnownHead = { name: string; role: SeenHead['role']; slot?: bigint; sinceMs: number; atMs: number }

/** What earlier looks have seen of a validator. */
export type KnownValidator = {
  pubkey: Hex
  /** Seen in the active set by this watch. */
  wasActive: boolean
  /** Whether it was seen to leave by a request, before it had left. */
  wasLeaving: boolean
  /** Who managed the rewards when it was seen first, or since a change that stood for a day. */
  operator?: Hex
  /** Of the last hundred blocks, oldest first: `1` signed, `0` missed, `s` missed by many. */
  signed: string
  /** The newest block of these. */
  signedTo?: bigint
}

/** All that a watch remembers from one look to the next, and from one run to the next. Bounded. */
export type WatchMemory = {
  network: string
  genesisValidatorsRoot: Hex
  /** Of the last event. */
  sequence: number
  lookedMs: number
  /** The block up to which deposits were looked for. */
  depositsTo?: bigint
  /** The key of a watched validator with which the own node was seen to sign. */
  nodeKey?: Hex
  heads: readonly KnownHead[]
  validators: readonly KnownValidator[]
  alarms: readonly Alarm[]
}

/** What a watch knows before its first look. */
export function emptyMemory({
  id,
  genesisValidatorsRoot,
}: {
  id: string
  genesisValidatorsRoot: Hex
}): WatchMemory {
  return {
    network: id,
    genesisValidatorsRoot,
    sequence: 0,
    lookedMs: 0,
    heads: [],
    validators: [],
    alarms: [],
  }
}

/** What is remembered of a validator. */
export function knownOf({ validators }: Pick<WatchMemory, 'validators'>, pubkey: Hex): KnownValidator {
  const found = validators.find((each) => each.pubkey === pubkey)
  return found ?? { pubkey, wasActive: false, wasLeaving: false, signed: '' }
}
