import type { Hex } from '../base/format/hex.ts'
import type { ForksOf, NamedForks } from '../chain/consensus/fork-outlook.ts'
import type { SetSnapshot } from '../chain/consensus/snapshot.ts'
import type { Network } from '../chain/network/network.ts'
import type { LateEndpoint } from '../chain/network/standstill.ts'
import type { BeaconBlockHeader } from '../chain/proofs/merkle.ts'
import type { EngineClient } from '../clients/engine/client.ts'
import type { EngineStatus } from '../clients/engine/get-status.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import type { ClientEffects } from '../clients/http-client.ts'
import type { NodeFork } from '../clients/node/chain.ts'
import type { NodeClient } from '../clients/node/client.ts'
import type { ValidatorRecord } from '../clients/node/validators.ts'
import type { SignedChain } from '../clients/signed/signed-chain.ts'
import type { WatchMemory } from './memory.ts'
import { knownOf, type Picture, type Questions } from './observer.ts'
import type {
  DepositPicture,
  HeadPicture,
  LogsPicture,
  NodePicture,
  OperatorPicture,
  Role,
  ValidatorPicture,
  Watched,
} from './picture.ts'

/** The endpoints of a watch by their roles, the own one of each first. */
export type WatchEndpoints = {
  node: readonly string[]
  execution: readonly string[]
  engine: readonly string[]
}

export type LookInput = {
  effects: ClientEffects
  network: Network
  endpoints: WatchEndpoints
  validators: readonly Watched[]
  /** The chain as its validator set signs it; without it a set is proven by endpoints alone. */
  signed?: SignedChain
  /** Whether a payment of this computer's own journals has this transaction. */
  isOwnTransaction: (hash: Hex) => boolean
}

/** What the first endpoints of each role said with their heads, for who asks more of them; left out where they did not. */
export type HeadReplies = {
  head?: Pick<BeaconBlockHeader, 'slot' | 'proposerIndex'>
  engine?: EngineStatus
}

/** An endpoint that counts, with its newest slot, block or height. */
export type HealthyOne<T> = { client: T; height: bigint; isOwn: boolean }

/** The endpoints that count and are up to date, best first, and of which roles the first one is somebody else's. */
export type Healthy = {
  node: readonly HealthyOne<NodeClient>[]
  execution: readonly HealthyOne<ExecutionClient>[]
  engine: readonly HealthyOne<EngineClient>[]
  others: readonly Role[]
}

/** What is told of a validator, by the node or by a set. */
export type ReportedRecord = Pick<ValidatorRecord, 'index' | 'validator' | 'balanceGwei'>

/** What node and execution clients say of the forks, now and to come; undefined where they do not. */
export type ForkAnswers = {
  version: Hex
  schedule: readonly NodeFork[] | undefined
  /** What the first execution endpoint that counts says. */
  nextSeconds: bigint | 'none' | undefined
  /** What the own execution client names, and what those of somebody else do. */
  own: NamedForks | undefined
  others: readonly ForksOf[]
}

/** The set that was read last, and what was so when it was. */
export type ReadSet = {
  snapshot: SetSnapshot
  deposits: bigint | undefined
  /** What the node reported of the watched validators then. */
  records: readonly ReportedRecord[]
  /** Whether an own endpoint bears it out, or two of others. */
  isOwn: boolean
  /** The endpoint that it was read without, as it answered too late. */
  late?: LateEndpoint
}

/** What was found of the deposits in blocks that no look has seen. */
export type Arrivals = LogsPicture & {
  /** For each watched validator; undefined where nobody gave all events. */
  deposits: ReadonlyMap<Hex, readonly DepositPicture[]> | undefined
  /** Up to which block the first endpoint gave all, and how many the contract had taken by then. */
  to?: bigint
  taken?: bigint | undefined
}

/** What an answer is of that is asked for once an epoch. */
type OfEpoch = { epoch: bigint; by: string }

/** All that a look may ask for. */
export type WatchAnswers = {
  /** The head of every endpoint, by which of them all else is asked, and what the first ones said with it. */
  heads: { heads: readonly HeadPicture[]; healthy: Healthy; nodeKey?: Hex } & HeadReplies
  /** How many deposits the contract had taken in the block of the head. */
  count: bigint
  /** The deposits for the watched validators of the blocks that no look has seen. */
  arrivals: Arrivals
  /** Who manages the rewards of each of the watched validators. */
  operators: OfEpoch & { operators: ReadonlyMap<Hex, OperatorPicture> }
  /** What the node reports of the watched validators, or the set that somebody else has read, and of which slot's state. */
  records: { slot: bigint; records: readonly ReportedRecord[] }
  forks: OfEpoch & { reported: ForkAnswers }
  set: ReadSet
  /** Of each watched validator the blocks since the last look, and whether it signed them. */
  signed: ReadonlyMap<Hex, NonNullable<ValidatorPicture['signed']>>
  peers: NonNullable<NodePicture['peers']>
}

export type WatchPicture = Picture<WatchAnswers>
export type WatchQuestions = Questions<WatchAnswers, WatchMemory>

const NOBODY: Healthy = { node: [], execution: [], engine: [], others: [] }

/** Returns the endpoints whose heads count in this picture. */
export const healthyIn = ({ heads }: WatchPicture): Healthy => knownOf(heads)?.healthy ?? NOBODY

/**
 * Returns the execution endpoint to ask; undefined where none counts or no node counts, since a validator's state is
 * unknown then.
 */
export function executionIn(picture: WatchPicture): HealthyOne<ExecutionClient> | undefined {
  const { node, execution } = healthyIn(picture)
  return node[0] && execution[0]
}

/** Returns the epoch of the node that is asked; undefined where no node counts. */
export function epochIn(picture: WatchPicture, { spec }: Network): bigint | undefined {
  const [node] = healthyIn(picture).node
  return node && node.height / spec.slotsPerEpoch
}

/** Whether a reply kept from an epoch is still valid: same epoch, same endpoint as would be asked now. */
export function isOfNow(
  last: OfEpoch | undefined,
  asked: HealthyOne<{ label: string }> | undefined,
  epoch: bigint | undefined,
): boolean {
  return last?.epoch === epoch && last?.by === asked?.client.label
}
