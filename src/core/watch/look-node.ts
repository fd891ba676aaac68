import { askPeers, unlessSilent } from '../clients/ask-as-service.ts'
import type { EngineClient } from '../clients/engine/client.ts'
import type { EngineStatus } from '../clients/engine/get-status.ts'
import { getEthConfig, getPeerCount } from '../clients/execution/chain.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import type { ClientEffects } from '../clients/http-client.ts'
import { getFork, getForkSchedule, type NodeFork } from '../clients/node/chain.ts'
import type { NodeClient } from '../clients/node/client.ts'
import { forkIsKnown, type ScheduledFork, unknownForksAhead } from '../consensus/fork-outlook.ts'
import type { SetSnapshot } from '../consensus/snapshot.ts'
import type { Hex } from '../format/hex.ts'
import { clockAheadMs } from '../network/clock.ts'
import type { ChainSpec, Network } from '../network/network.ts'
import { offeredValue } from '../network/offered.ts'
import type { PeerCounts } from '../network/standstill.ts'
import type { BeaconBlockHeader } from '../proofs/merkle.ts'
import type { Role, SeenNode, Sighting, Watched } from './sighting.ts'

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
  /** Whether a payment of this computer's own journals has this transaction. */
  isOwnTransaction: (hash: Hex) => boolean
  /** What somebody else asks for: then it is not asked for here. */
  elsewhere?: {
    /** The validator set; awaited once everything else of a look was asked. */
    set(): SetSnapshot | undefined | Promise<SetSnapshot | undefined>
    peers(): PeerCounts | undefined
  }
}

/** What the first endpoints of each role said in a look, for whoever asks more of them; left out where they did not. */
export type Heard = {
  /** The head of the node. */
  head?: Pick<BeaconBlockHeader, 'slot' | 'proposerIndex'>
  engine?: EngineStatus
  /** How many deposits the contract had taken. */
  deposits?: bigint
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

/** What node and execution client say of the forks, now and to come; undefined where they do not. */
export type ForkAnswers = {
  version: Hex
  schedule: readonly NodeFork[] | undefined
  nextSeconds: bigint | 'none' | undefined
}

export type ForksSeen = Pick<Sighting, 'fork' | 'forksAhead'>

/** Asks for it. Undefined where the node does not say which fork is in force. */
export async function askForks({
  node,
  execution,
}: {
  node: NodeClient
  execution: ExecutionClient | undefined
}): Promise<ForkAnswers | undefined> {
  const [said, schedule, config] = await Promise.all([
    unlessSilent(getFork(node, { state: 'head' })),
    unlessSilent(getForkSchedule(node)),
    execution && unlessSilent(getEthConfig(execution)),
  ])
  return said && { version: said.currentVersion, schedule, nextSeconds: config?.nextForkSeconds }
}

/**
 * The fork in force, and those to come that this program does not know, by what was said of them, at the time of a set;
 * `forksAhead` is left out where nobody tells of forks to come.
 */
export function forksIn(
  { version, schedule, nextSeconds }: ForkAnswers,
  { timestampSeconds, consensus: { slot } }: Pick<SetSnapshot, 'timestampSeconds' | 'consensus'>,
  spec: ChainSpec,
): ForksSeen {
  const now = { version, slot, timestampSeconds }
  const fork = { version, isKnown: forkIsKnown(now, spec) }
  if (schedule === undefined && nextSeconds === undefined) return { fork }
  const said = {
    ...(schedule === undefined ? {} : { schedule: schedule.map(scheduled) }),
    ...(nextSeconds === undefined || nextSeconds === 'none' ? {} : { nextSeconds }),
  }
  return { fork, forksAhead: unknownForksAhead(said, now, spec) }
}

function scheduled({ currentVersion: version, epoch }: NodeFork): ScheduledFork {
  return { version, epoch }
}

/** Peers come and go slowly, and the list of them is long. */
const PEERS_EVERY_MS = 60_000
/** So many fresh blocks are compared with the clock of this computer before anything is said of it. */
const BLOCKS_TO_COMPARE = 5

/** What the own node says of itself: its peers now and then, and its engine in every look. */
export function createNodeLook(
  { effects: { clock }, network, elsewhere }: LookInput,
  own: {
    node: NodeClient | undefined
    execution: ExecutionClient | undefined
    engine: EngineClient | undefined
  },
) {
  const offers = { node: emptyOffers(), engine: emptyOffers() }
  const isCompared = network.clockIsWall && network.kind !== 'rehearsal'
  let peers: { atMs: number; seen: SeenNode['peers'] } | undefined
  let asking: Promise<void> | undefined
  let status: EngineStatus | undefined
  let before: boolean | undefined
  let newest = 0n
  let agesMs: readonly number[] = []

  const askForPeers = async ({ node, execution, engine }: typeof own): Promise<void> => {
    const [said, executionPeers] = await Promise.all([
      node && unlessSilent(askPeers({ node, engine, offers })),
      execution && unlessSilent(getPeerCount(execution)),
    ])
    const counts = offeredValue(said)
    const seen = counts ?? { engine: undefined, node: undefined }
    const isSaid = counts !== undefined || executionPeers !== undefined
    peers = { atMs: clock.monotonicMs(), seen: isSaid ? { ...seen, execution: executionPeers } : undefined }
  }

  return {
    /** What the engine of the own node has just said of itself. */
    hear(said: EngineStatus): void {
      status = said
      if (said.latestHeight <= newest) return
      newest = said.latestHeight
      agesMs = [...agesMs, clock.nowMs() - said.latestBlockTimeMs].slice(-BLOCKS_TO_COMPARE)
    },
    /** What is known of it now. The question for its peers goes on beside the look. */
    look(): SeenNode {
      const isDue = elsewhere === undefined && asking === undefined
      if (isDue && (peers === undefined || clock.monotonicMs() - peers.atMs >= PEERS_EVERY_MS))
        asking = askForPeers(own)
          // It ends with its effects, as the look does.
          .catch(() => undefined)
          .finally(() => {
            asking = undefined
          })
      const now = status?.catchingUp
      // One that says so once may only just have started.
      const catchesUp = now === true && before !== true ? undefined : now
      before = now
      status = undefined
      if (now !== false) agesMs = []
      const isKnown = isCompared && agesMs.length === BLOCKS_TO_COMPARE
      const aheadMs = isKnown ? clockAheadMs(agesMs, network.slotMs) : undefined
      const told = elsewhere?.peers()
      const seen = told === undefined ? peers?.seen : { ...told, execution: undefined }
      return {
        ...(seen === undefined ? {} : { peers: seen }),
        ...(catchesUp === undefined ? {} : { catchesUp }),
        ...(aheadMs === undefined ? {} : { clockAheadMs: aheadMs }),
      }
    },
  }
}

function emptyOffers() {
  return { has: new Set<string>(), lacks: new Set<string>() }
}
