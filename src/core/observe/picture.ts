import { type Hex, sameHex } from '../base/format/hex.ts'
import { type ForkAhead, type ForksOf, isFulu, type NamedForks } from '../chain/consensus/fork-outlook.ts'
import { type Placing, placing, rankTable } from '../chain/consensus/placing.ts'
import type { SetSnapshot, UncountedDeposit } from '../chain/consensus/snapshot.ts'
import { type Ahead, aheadOf, type Danger } from '../chain/key-state/ahead.ts'
import type { Level } from '../chain/key-state/key-state.ts'
import { isLost, type Own, ownRecord } from '../chain/key-state/own.ts'
import type { Network } from '../chain/network/network.ts'
import type { LateEndpoint, PeerCounts } from '../chain/network/standstill.ts'
import type { ChannelPicture, Severity } from '../view/alarm-event.ts'

/** Whom a watch follows, under what name for people. */
export type Watched = { pubkey: Hex; name?: string }

export type Role = 'node' | 'execution' | 'engine'

/**
 * One endpoint in one look: `place` 0 is the own one of its role. `slot` is left out where it gave no answer, and where what
 * it says does not count: then it is `farOff`.
 */
export type HeadPicture = { role: Role; place: number; name: string; slot?: bigint; farOff?: bigint }

/** An execution endpoint that doesn't give the deposit events that it should have, and why, in words. */
export type LackingLogs = { name: string; why: string }

/** Who doesn't give all deposit events, and from which block on nobody does, of how many deposits where that is known. */
export type LogsPicture = {
  lacking: readonly LackingLogs[]
  unread?: { fromBlock: bigint; count: bigint | undefined }
}

/** What happens to a validator if nothing else happens, by the state of one slot. */
export type AheadPicture = Ahead & {
  slot: bigint
  epoch: bigint
  /** Its place in that epoch; left out where it is not active in it. */
  now?: Placing
  /** Whether all deposits that wait were in it. Where not, what is not counted yet may still take the place. */
  isWhole: boolean
  /** Whether it is no more than the node's word, or that of one of somebody else: then nothing critical is over by it. */
  isReported: boolean
}

/** A deposit for a watched validator that the contract has taken. */
export type DepositPicture = Pick<
  UncountedDeposit,
  'index' | 'blockSlot' | 'amountGwei' | 'transactionHash'
> & {
  /** Whether a payment of this computer's own journals made it. */
  isOwn: boolean
}

/** Who manages the rewards of a validator, and who is queued to. */
export type OperatorPicture = { operator: Hex; queued?: { operator: Hex; sinceSeconds: bigint } }

/** What is known of the own node besides its heads. What is left out was not seen, or nobody says it. */
export type NodePicture = {
  /** How many peers the engine, the node API and the execution client have. */
  peers?: PeerCounts & { execution: number | undefined }
  /** Whether the engine said in two looks running that it catches up. */
  catchesUp?: boolean
  /** How far the clock of this computer is ahead of the chain's; below zero behind it. */
  clockAheadMs?: number
}

/** A validator's own record at a slot. */
export type OwnRecord = Omit<Own, 'timestampSeconds'>

/** What one look saw of one validator. What is left out was not seen, and nothing follows from it. */
export type ValidatorPicture = Watched & {
  record?: OwnRecord | 'absent'
  level?: Level
  ahead?: AheadPicture
  /** What waits to be paid out of it before it leaves, in gwei. */
  partialGwei?: bigint
  /** Deposits for it, oldest first, of the blocks that no look before has seen. */
  deposits?: readonly DepositPicture[]
  operator?: OperatorPicture
  /** Of each block since the look before, in which the engine counted it: whether it signed, and how many others did not. */
  signed?: readonly { height: bigint; signed: boolean; othersMissed: number; others: number }[]
}

/**
 * Where a guard of a watched validator stands; amounts in gwei. `heldBy`: who holds it, where that is another process;
 * `barredBy`: who has its account while nobody holds it.
 */
export type GuardStanding = {
  pubkey: Hex
  from: Hex
  nonce: number
  capGwei: bigint
  untilSeconds: bigint
  stand: 'exported' | 'armed' | 'handed-over' | 'cancelling' | 'in-block' | 'over' | 'unreadable'
  holder: 'here' | 'nobody' | { heldBy: string } | { barredBy: string }
  /** The amount that is in a block, else the one that was handed over last, and its transaction. */
  amountGwei?: bigint
  hash?: Hex
  /** Those of every transaction that was signed for it: each is known to be its own, wherever it was handed over. */
  hashes: readonly Hex[]
  /** The block that its transaction is in; of `void` the one up to which its nonce was used. */
  block?: bigint
  /** How it came to its end. `void`: something else has used its nonce. `given-up`: its validator has left; its bytes stay valid. */
  end?: 'paid' | 'cancelled' | 'reverted' | 'void' | 'given-up'
  /** What keeps it from helping, by ids. */
  troubles: readonly GuardTroubleId[]
  /** What the last look shows not to keep it from helping; left out before a look. Of any other trouble nothing is known. */
  ruledOut?: readonly GuardTroubleId[]
  /** Why the process that is to hold it fails to. */
  fault?: string
  /** Of `unreadable`: the file that can't be read or doesn't hold what was armed. */
  unread?: UnreadFile
  /** The terms can't be read either: validator, cap and term aren't known. It's told for each validator that it may be of. */
  hasNoTerms?: true
  /** Who or what makes a trouble, each endpoint by name with what it does or says. */
  causes?: Partial<Record<GuardTroubleId, readonly string[]>>
  /** The execution endpoints that it goes on without, each with why: what they say contradicts a proof, or they're silent. */
  leftOut?: readonly string[]
  /** What it would have to add, where its cap is below that; left out where nothing is known to be missing. */
  missingGwei?: bigint
}

/** What a guard has paid, in a block: `isFinal` once its nonce is used for good. */
export type GuardPayment = Pick<GuardStanding, 'from' | 'nonce'> & {
  hash: Hex
  amountGwei: bigint
  block: bigint
  isFinal: boolean
}

/** The guards of a validator here, those that are over among them; `isWhole`: the journal of each guard here could be read. */
export type GuardsHere = { guards: readonly GuardStanding[]; isWhole: boolean }

/** Whether two guards are the same one: there is one for each nonce of an account. */
export const isSameGuard = (one: Pick<GuardStanding, 'from' | 'nonce'>, other: typeof one): boolean =>
  sameHex(one.from, other.from) && one.nonce === other.nonce

/** Returns the guards here after one of them was told anew. */
export function withGuard({ guards, isWhole }: GuardsHere, told: GuardStanding): GuardsHere {
  return { guards: [...guards.filter((one) => !isSameGuard(one, told)), told], isWhole }
}

/** Returns what a guard has paid; undefined where it has paid nothing, or isn't known. */
export function guardPayment(guard: GuardStanding | string | undefined): GuardPayment | undefined {
  if (typeof guard !== 'object') return undefined
  const { stand, end, hash, hashes, amountGwei, block, from, nonce } = guard
  const isFinal = end === 'paid'
  const isThere = isFinal || (stand === 'in-block' && hash !== hashes.at(-1))
  if (!isThere || hash === undefined || amountGwei === undefined || block === undefined) return undefined
  return { from, nonce, hash, amountGwei, block, isFinal }
}

/** A danger beside what a guard has sent, in gwei: `isEnough` where that alone keeps the place, while it is in time. */
type BesideGuard = { danger: Danger; sentGwei: bigint; isEnough: boolean }

/**
 * Returns what is still to be asked for beside an amount that the guard has sent and that the state of `slot` doesn't count
 * yet: nothing where it is enough, else the difference, which is no smaller than a deposit may be.
 */
export function besideGuard(
  danger: Danger,
  guard: GuardStanding | undefined,
  { slot, network }: { slot: bigint; network: Pick<Network, 'minimumDepositGwei'> },
): BesideGuard {
  const { rescue } = danger
  const waits = guard?.stand === 'handed-over' ? guard.amountGwei : undefined
  const paid = guardPayment(guard)
  const sentGwei = waits ?? (paid !== undefined && paid.block > slot ? paid.amountGwei : 0n)
  if (rescue === undefined || sentGwei === 0n) return { danger, sentGwei: 0n, isEnough: false }
  const missingGwei = rescue.leastTopUpGwei - sentGwei
  if (missingGwei <= 0n) return { danger, sentGwei, isEnough: true }
  const { minimumDepositGwei: least } = network
  const leastTopUpGwei = missingGwei > least ? missingGwei : least
  const rest = { ...rescue, leastTopUpGwei, lessGwei: undefined }
  return { danger: { ...danger, rescue: rest }, sentGwei, isEnough: false }
}

/** Who holds a guard elsewhere; undefined where it is held here, or by nobody. */
export const heldElsewhereBy = ({ holder }: Pick<GuardStanding, 'holder'>): string | undefined =>
  typeof holder === 'object' && 'heldBy' in holder ? holder.heldBy : undefined

/** Returns a guard that this process fails to hold, and why; one that is over or held elsewhere is as it was. */
export function unheldBy(guard: GuardStanding, fault: string): GuardStanding {
  if (guard.stand === 'over' || heldElsewhereBy(guard) !== undefined) return guard
  const { ruledOut: _, ...known } = guard
  return { ...known, holder: 'nobody', fault }
}

/** What keeps a guard from helping: each is told when it happens and not when it is needed. */
export const GUARD_TROUBLES = [
  'nonce',
  'balance',
  'cap',
  'term',
  'fee',
  'unproven',
  'blind',
  'fork',
  'other-payment',
  'cannot-send',
] as const

export type GuardTroubleId = (typeof GUARD_TROUBLES)[number]

/** A file of this program that can't be read, and why; both safe to draw. `isNewer`: a newer version wrote it. */
export type UnreadFile = { path: string; why: string; isNewer?: true }

/** What one look at a network saw. */
export type NetworkPicture = {
  /** By the clock of this computer, Unix milliseconds. */
  atMs: number
  heads: readonly HeadPicture[]
  /** The roles whose questions were answered by somebody else's endpoint: nothing ends by such a word. */
  others?: readonly Role[]
  /** The endpoint that the newest set was read without, as it answered too late; nothing where no set was read yet. */
  late?: LateEndpoint | 'none'
  /** Why what is shown isn't what the validator set signed: then all of it is a word of somebody else. */
  refuted?: string
  /** A state was proven to be what the validator set signed; where no engine is set, to be what the execution chain holds. */
  isSigned?: true
  /** The block up to which deposits were looked for, and how many the contract had taken by then. */
  depositsTo?: bigint
  depositsTaken?: bigint
  /** Who doesn't give the events of new deposits, and from which block on nobody does; left out where nobody was asked. */
  logs?: LogsPicture
  validators: readonly ValidatorPicture[]
  /** The key with which the own node signs. */
  nodeKey?: Hex
  node?: NodePicture
  /** The version of the rules in force, and whether this program knows it. */
  fork?: { version: Hex; isKnown: boolean }
  /** The guards here of the watched validators; left out where nobody looked for them. */
  guards?: readonly GuardStanding[]
  /** The watched validators that were looked at and have no guard here. */
  unguarded?: readonly Hex[]
  /** Journals of this network that can't be read, now or when the watch began; left out where nobody looked. */
  unread?: readonly UnreadFile[]
  /** The configured channels; left out where this process sends through none. */
  channels?: readonly ChannelPicture[]
  /** Forks to come that this program does not know; left out where nobody tells of forks to come. */
  forksAhead?: readonly ForkAhead[]
  /** The forks that the own execution client names, where it does, and those that others do. */
  namedForks?: { own: NamedForks | undefined; others: readonly ForksOf[] }
  /** When the newest block of the own engine was made, by chain time, Unix milliseconds. */
  headTimeMs?: number
}

/** What does not change while a watch runs. */
export type WatchContext = {
  network: Network
  /** Options with which the wizard comes to this network. */
  wizardOptions: readonly string[]
  limits: WatchLimits
}

/** From when on something is worth an alarm. */
export type WatchLimits = {
  /** A margin up to this, in gwei, or of what one least deposit of anybody can lift. */
  marginGwei: bigint
  /** Up to so many places above the last one; undefined is never. */
  marginPlaces: number | undefined
  /** Up to so many epochs until nothing is left of the margin, by how it shrank lately; undefined is never. */
  marginEpochs: number | undefined
  /** So many blocks in a row that were not signed, */
  missedInRow: number
  /** or so many of the last hundred. */
  missedOfLast: number
  /** How often an alarm that stands is told again; undefined is never. */
  repeatMs: Readonly<Record<Severity, number | undefined>>
}

const MINUTE_MS = 60_000

export const LIMITS: WatchLimits = {
  marginGwei: 0n,
  marginPlaces: undefined,
  marginEpochs: undefined,
  missedInRow: 5,
  missedOfLast: 20,
  repeatMs: { critical: 30 * MINUTE_MS, warning: 360 * MINUTE_MS, info: undefined },
}

/** What a configuration says of these limits; blocks are zero where they are never too many. */
type ConfiguredLimits = Omit<WatchLimits, 'missedInRow' | 'missedOfLast'> & {
  missed: { inARow: number; ofHundred: number }
}

/** Returns the configured limits, completed by the defaults; `marginGwei` overrides both. */
export function limitsOf(config: ConfiguredLimits | undefined, marginGwei?: bigint): WatchLimits {
  if (config === undefined) return { ...LIMITS, marginGwei: marginGwei ?? LIMITS.marginGwei }
  const { missed, repeatMs, marginPlaces, marginEpochs } = config
  const unlessZero = (count: number) => (count === 0 ? Number.POSITIVE_INFINITY : count)
  return {
    marginGwei: marginGwei ?? config.marginGwei,
    marginPlaces,
    marginEpochs,
    missedInRow: unlessZero(missed.inARow),
    missedOfLast: unlessZero(missed.ofHundred),
    repeatMs,
  }
}

/** Returns the newest slot that an endpoint reported in this picture; undefined where none did. */
export function headOf({ heads }: Pick<NetworkPicture, 'heads'>): bigint | undefined {
  return heads.reduce<bigint | undefined>(
    (newest, { slot }) => (slot !== undefined && (newest === undefined || slot > newest) ? slot : newest),
    undefined,
  )
}

type WayAhead = Pick<ValidatorPicture, 'ahead' | 'partialGwei'>

/** A set says the same for as long as it stands, which is most often an epoch. */
const remembered = new WeakMap<SetSnapshot, Map<string, WayAhead>>()

/**
 * Forecasts a validator by a set, computed once for each set: when it drops out, and what waits to be withdrawn.
 * `isNewest`: the contract took no deposit since; `isOwn`: an own endpoint, or two others, hold the set. Empty for a
 * validator that is absent or leaving.
 */
export function wayAhead(
  snapshot: SetSnapshot,
  pubkey: Hex,
  options: { network: Network; isNewest: boolean; isOwn?: boolean },
): WayAhead {
  const ways = remembered.get(snapshot) ?? new Map<string, WayAhead>()
  remembered.set(snapshot, ways)
  const key = `${pubkey}/${options.isNewest}/${options.isOwn}`
  const way = ways.get(key) ?? pictureAhead(snapshot, pubkey, options)
  ways.set(key, way)
  return way
}

function pictureAhead(
  snapshot: SetSnapshot,
  pubkey: Hex,
  { network, isNewest, isOwn = true }: { network: Network; isNewest: boolean; isOwn?: boolean },
): WayAhead {
  const own = ownRecord(snapshot, pubkey, { network })
  if (own === undefined || isLost(own)) return {}
  const { slot, pendingPartialWithdrawals, validators } = snapshot.consensus
  const partialGwei = pendingPartialWithdrawals
    .filter(({ validatorIndex }) => validators[validatorIndex]?.pubkey === own.validator.pubkey)
    .reduce((sumGwei, { amountGwei }) => sumGwei + amountGwei, 0n)
  const fulu = isFulu(network.spec, snapshot.timestampSeconds)
  const isReported = snapshot.proof === undefined && 'unknown' in snapshot.uncounted
  // From Fulu on a deposit is counted in its own block: while no other one has come, nothing waits.
  const isWhole = isNewest && (!('unknown' in snapshot.uncounted) || (isReported && fulu))
  const now = placing(rankTable(snapshot.consensus, network.spec, { epoch: own.epoch, fulu }), pubkey)
  const outlook = aheadOf(snapshot, own.validator.pubkey, { network })
  const ahead = { ...outlook, slot, epoch: own.epoch, isWhole, isReported: isReported || !isOwn }
  return { partialGwei, ahead: now === undefined ? ahead : { ...ahead, now } }
}
