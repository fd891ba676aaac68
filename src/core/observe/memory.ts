import type { Hex } from '../base/format/hex.ts'
import { isActive } from '../chain/consensus/state.ts'
import { isLost } from '../chain/key-state/own.ts'
import { MOST_SLOTS_APART, type Network } from '../chain/network/network.ts'
import type { AlarmId, Severity, WatchEvent } from '../view/alarm-event.ts'
import { type KnownHead, knownHead } from './judge-heads.ts'
import {
  headOf,
  type NetworkPicture,
  type ValidatorPicture,
  type WatchContext,
  type WatchLimits,
} from './picture.ts'

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
  nextIs?: 'command'
  until?: WatchEvent['until']
  /** How often it came, where it came again soon, and when it came first. */
  spells?: number
  firstMs?: number
  /** Since when it is over for the moment, where it came again and again. */
  quietSinceMs?: number
}

/** An alarm that was over a moment ago, in Unix milliseconds. */
export type EndedAlarm = Pick<Alarm, 'alarm' | 'subject' | 'sinceMs'> & { atMs: number }

/** Returns until when acting helps; undefined past the last block of a validator that drops out. */
export const untilOf = ({
  alarm,
  nextIs,
  until,
}: Pick<Alarm, 'alarm' | 'nextIs' | 'until'>): WatchEvent['until'] =>
  alarm === 'drops-out' && nextIs !== 'command' ? undefined : until

/** What a look found out about one alarm: that it is on, or that it is not. What it could not find out is no finding. */
export type Finding = {
  alarm: AlarmId
  subject: string
  validator?: WatchEvent['validator']
} & (
  | ({ is: 'on'; severity: Severity; degree: readonly number[]; title: string; what: string } & Pick<
      Alarm,
      'next' | 'nextIs' | 'until'
    >)
  /** Most often nothing stands that could end by it: its words are made where something does. */
  | { is: 'off'; words: () => { title: string; what: string } }
)

/** What others needed at least to take a place, by the set of an epoch. */
export type KnownMargin = { epoch: bigint; marginGwei: bigint }

/** In how many epochs nothing is left of a margin; `never` where it does not shrink, undefined where that is not known. */
export type EpochsLeft = bigint | 'never' | undefined

/** What earlier looks have seen of a validator. */
export type KnownValidator = {
  pubkey: Hex
  /** Seen in the active set by this watch. */
  wasActive: boolean
  /** Whether the own node's state of an epoch held an exit of a later one: only a request sets that, being outbid doesn't. */
  wasLeaving: boolean
  /** Its balance when all deposits up to then were read last, in gwei. */
  balanceGwei?: bigint
  /** Who managed the rewards when it was seen first, or since a change that stood for a day. */
  operator?: Hex
  /** Of the last hundred blocks, oldest first: `1` signed, `0` missed, `s` missed by many. */
  signed: string
  /** The newest block of these. */
  signedTo?: bigint
  /** Of the last epochs in which the whole set was seen, one each, oldest first; none where no limit needs them. */
  margins: readonly KnownMargin[]
}

/** All that a watch remembers from one look to the next, and from one run to the next. Bounded. */
export type WatchMemory = {
  network: string
  genesisValidatorsRoot: Hex
  /** Of the last event. */
  sequence: number
  lookedMs: number
  /** The block up to which deposits were looked for, and how many the contract had taken by then. */
  depositsTo?: bigint
  depositsTaken?: bigint
  /** The key of a watched validator with which the own node was seen to sign. */
  nodeKey?: Hex
  heads: readonly KnownHead[]
  validators: readonly KnownValidator[]
  alarms: readonly Alarm[]
  /** Alarms that were over a moment ago, as one of them may come again. */
  ended: readonly EndedAlarm[]
}

/** Returns the memory of a watch before its first picture. */
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
    ended: [],
  }
}

/** Returns what the memory holds of a validator, or an empty record. */
export function recalled({ validators }: Pick<WatchMemory, 'validators'>, pubkey: Hex): KnownValidator {
  const found = validators.find((each) => each.pubkey === pubkey)
  return found ?? { pubkey, wasActive: false, wasLeaving: false, signed: '', margins: [] }
}

/** Blocks of which it is remembered whether they were signed. */
const SIGNED_KEPT = 100
/** A block that more than a third of the others missed as well says little of one validator. */
const SHARED_AT = 1 / 3
/** Whether many validators missed the same block, which says little of one of them. */
export const isShared = ({ othersMissed, others }: { othersMissed: number; others: number }): boolean =>
  othersMissed > others * SHARED_AT

/** So many slots without a look: what was silent before may have answered in between. */
const GAP_SLOTS = 10
const DAY_MS = 24 * 3_600_000

/** Returns the memory after a picture, apart from its alarms; parts that the picture lacks stay as they were. */
export function rememberPicture(
  memory: WatchMemory,
  picture: NetworkPicture,
  { network, limits }: Pick<WatchContext, 'network' | 'limits'>,
): WatchMemory {
  const isGap = Math.abs(picture.atMs - memory.lookedMs) > GAP_SLOTS * network.slotMs
  const isWatched = picture.validators.some(({ pubkey }) => pubkey === picture.nodeKey)
  const nodeKey = isWatched ? picture.nodeKey : memory.nodeKey
  const bound = boundOf(picture)
  const depositsTo = atMost(picture.depositsTo ?? memory.depositsTo, bound)
  const { depositsTaken: takenBefore, ...before } = memory
  // A count is that of its block.
  const isSame = picture.depositsTo === undefined && depositsTo === memory.depositsTo
  const depositsTaken = isSame ? takenBefore : picture.depositsTaken
  return {
    ...before,
    lookedMs: picture.atMs,
    heads: picture.heads.map((head) =>
      knownHead(memory.heads, head, { picture, isGap, slotMs: network.slotMs }),
    ),
    validators: picture.validators.map((watched) =>
      knownValidator(memory, watched, { picture, limits, bound, network }),
    ),
    // What the validator set did not sign is no past of a validator.
    ...(picture.refuted === undefined ? {} : { validators: memory.validators }),
    ...(depositsTo === undefined ? {} : { depositsTo }),
    ...(depositsTaken === undefined ? {} : { depositsTaken }),
    ...(nodeKey === undefined ? {} : { nodeKey }),
  }
}

/** The newest own head; undefined where no own endpoint answers. Nothing that is kept lies beyond it. */
function boundOf({ heads }: NetworkPicture): bigint | undefined {
  return headOf({ heads: heads.filter(({ place }) => place === 0) })
}

/** What is kept, unless it is further than heads are ever apart: then the bound itself. */
function atMost(kept: bigint | undefined, bound: bigint | undefined): bigint | undefined {
  return kept === undefined || bound === undefined || kept <= bound + MOST_SLOTS_APART ? kept : bound
}

/** Without what lies beyond the bound: a block that was not made yet, or the margin of an epoch that has not begun. */
function withinBound(
  known: KnownValidator,
  bound: bigint | undefined,
  { spec }: Pick<Network, 'spec'>,
): KnownValidator {
  if (bound === undefined) return known
  const { signedTo: to, margins, ...rest } = known
  const signedTo = atMost(to, bound)
  const epoch = (bound + MOST_SLOTS_APART) / spec.slotsPerEpoch
  const kept = margins.every((each) => each.epoch <= epoch)
    ? margins
    : margins.filter((each) => each.epoch <= epoch)
  return { ...rest, margins: kept, ...(signedTo === undefined ? {} : { signedTo }) }
}

/** Epochs of which the margin is remembered: a trend of more than three hours on a network of mainnet's slots. */
const MARGINS_KEPT = 33

function marginsAfter({ margins }: KnownValidator, { ahead }: ValidatorPicture): readonly KnownMargin[] {
  if (ahead?.place === undefined || !ahead.isWhole) return margins
  const last = margins.at(-1)
  if (last !== undefined && ahead.epoch <= last.epoch) return margins
  const now = { epoch: ahead.epoch, marginGwei: ahead.place.othersNeedGwei }
  return [...margins, now].slice(-MARGINS_KEPT)
}

function knownValidator(
  memory: WatchMemory,
  watched: ValidatorPicture,
  {
    picture: { atMs, others = [] },
    limits,
    bound,
    network,
  }: { picture: NetworkPicture; limits: WatchLimits; bound: bigint | undefined; network: Network },
): KnownValidator {
  const { pubkey, record, operator, deposits, signed = [] } = watched
  const before = withinBound(recalled(memory, pubkey), bound, network)
  const own = record === 'absent' ? undefined : record
  const isIn = own !== undefined && isActive(own.validator, own.epoch)
  const leaves = own !== undefined && isLost(own)
  const isNews = signed.filter(({ height }) => before.signedTo === undefined || height > before.signedTo)
  const marks = isNews.map(({ signed: did, othersMissed, others }) => {
    if (did) return '1'
    return isShared({ othersMissed, others }) ? 's' : '0'
  })
  const balanceGwei = (deposits === undefined ? undefined : own?.balanceGwei) ?? before.balanceGwei
  const signedTo = isNews.at(-1)?.height ?? before.signedTo
  const isNewOne = ({ subject, sinceMs }: Alarm) =>
    subject === `${pubkey}/changed/${operator?.operator}` && atMs - sinceMs > DAY_MS
  const isOld = memory.alarms.some(isNewOne)
  const manager = isOld ? operator?.operator : (before.operator ?? operator?.operator)
  return {
    pubkey,
    wasActive: before.wasActive || isIn,
    wasLeaving: before.wasLeaving || (isIn && leaves && !others.includes('node')),
    ...(balanceGwei === undefined ? {} : { balanceGwei }),
    ...(manager === undefined ? {} : { operator: manager }),
    signed: (before.signed + marks.join('')).slice(-SIGNED_KEPT),
    ...(signedTo === undefined ? {} : { signedTo }),
    margins: leaves || limits.marginEpochs === undefined ? [] : marginsAfter(before, watched),
  }
}
