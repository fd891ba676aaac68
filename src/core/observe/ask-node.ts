import { endpointName } from '../base/format/endpoint-url.ts'
import { forkIsKnown, type ScheduledFork, unknownForksAhead } from '../chain/consensus/fork-outlook.ts'
import type { SetSnapshot } from '../chain/consensus/snapshot.ts'
import { type ChainSpec, clockAheadMs } from '../chain/network/network.ts'
import { offeredValue } from '../chain/network/offered.ts'
import { askPeers, unlessSilent } from '../clients/ask-as-service.ts'
import type { EngineClient } from '../clients/engine/client.ts'
import type { EngineStatus } from '../clients/engine/get-status.ts'
import { getEthConfig, getPeerCount } from '../clients/execution/chain.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import { getFork, getForkSchedule, type NodeFork } from '../clients/node/chain.ts'
import type { NodeClient } from '../clients/node/client.ts'
import {
  epochIn,
  type ForkAnswers,
  type HealthyOne,
  healthyIn,
  isOfNow,
  type LookInput,
  type WatchPicture,
  type WatchQuestions,
} from './ask-input.ts'
import { askedMs, knownOf, lastOf } from './observer.ts'
import type { NetworkPicture, NodePicture } from './picture.ts'

export type ForksPicture = Pick<NetworkPicture, 'fork' | 'forksAhead'>

/** Asks for the forks. Undefined where the node does not say which one is in force. */
export async function askForks({
  node,
  execution,
}: {
  node: NodeClient
  execution: readonly HealthyOne<ExecutionClient>[]
}): Promise<ForkAnswers | undefined> {
  const [fork, schedule, ...named] = await Promise.all([
    unlessSilent(getFork(node, { state: 'head' })),
    unlessSilent(getForkSchedule(node)),
    ...execution.map(forksOf),
  ])
  if (fork === undefined) return undefined
  const answered = named.filter((each) => each !== undefined)
  const next = named[0]?.forks.next
  return {
    version: fork.currentVersion,
    schedule,
    nextSeconds: typeof next === 'object' ? next.atSeconds : next,
    own: answered.find(({ isOwn }) => isOwn)?.forks,
    others: answered.filter(({ isOwn }) => !isOwn),
  }
}

async function forksOf({ client, isOwn }: HealthyOne<ExecutionClient>) {
  const config = await unlessSilent(getEthConfig(client))
  return config && { name: endpointName(client.label), forks: config.forks, isOwn }
}

/**
 * Returns the fork in force and the scheduled forks that this program does not know; `forksAhead` is left out where no
 * endpoint reports a schedule.
 */
export function forksIn(
  { version, schedule, nextSeconds }: ForkAnswers,
  { timestampSeconds, consensus: { slot } }: Pick<SetSnapshot, 'timestampSeconds' | 'consensus'>,
  spec: ChainSpec,
): ForksPicture {
  const now = { version, slot, timestampSeconds }
  const fork = { version, isKnown: forkIsKnown(now, spec) }
  if (schedule === undefined && nextSeconds === undefined) return { fork }
  const ahead = {
    ...(schedule === undefined ? {} : { schedule: schedule.map(scheduled) }),
    ...(nextSeconds === undefined || nextSeconds === 'none' ? {} : { nextSeconds }),
  }
  return { fork, forksAhead: unknownForksAhead(ahead, now, spec) }
}

function scheduled({ currentVersion: version, epoch }: NodeFork): ScheduledFork {
  return { version, epoch }
}

/** Peers come and go slowly, and the list of them is long. */
const PEERS_EVERY_MS = 60_000
/** So many fresh blocks are compared with the clock of this computer before anything is said of it. */
const BLOCKS_TO_COMPARE = 5

/** Asks the own node and execution client for their forks and peers. */
export function nodeQuestions(
  { effects: { clock }, network }: LookInput,
  own: {
    node: NodeClient | undefined
    execution: ExecutionClient | undefined
    engine: EngineClient | undefined
  },
): Pick<WatchQuestions, 'forks' | 'peers'> {
  const offers = { node: emptyOffers(), engine: emptyOffers() }
  return {
    forks: {
      beside: true,
      needs: ['heads'],
      due: (picture) =>
        !isOfNow(lastOf(picture.forks), healthyIn(picture).node[0], epochIn(picture, network)),
      async ask(picture) {
        const { node, execution } = healthyIn(picture)
        const epoch = epochIn(picture, network)
        if (node[0] === undefined || epoch === undefined) return undefined
        const { client } = node[0]
        const reported = await askForks({ node: client, execution })
        return reported && { epoch, by: client.label, reported }
      },
    },
    peers: {
      beside: true,
      due({ peers }) {
        const atMs = askedMs(peers)
        return atMs === undefined || clock.monotonicMs() - atMs >= PEERS_EVERY_MS
      },
      async ask() {
        const { node, execution, engine } = own
        const [peers, executionPeers] = await Promise.all([
          node && unlessSilent(askPeers({ node, engine, offers })),
          execution && unlessSilent(getPeerCount(execution)),
        ])
        const counts = offeredValue(peers)
        if (counts === undefined && executionPeers === undefined) return undefined
        return { engine: undefined, node: undefined, ...counts, execution: executionPeers }
      },
    },
  }
}

/** Remembers the own node's engine status from picture to picture, and derives its health from it. */
export function createNodeMemory({ effects: { clock }, network }: LookInput) {
  const isCompared = network.clockIsWall && network.kind !== 'rehearsal'
  let status: EngineStatus | undefined
  let before: boolean | undefined
  let newest = 0n
  let agesMs: readonly number[] = []

  return {
    /** What the engine of the own node has just said of itself. */
    hear(reported: EngineStatus): void {
      status = reported
      if (reported.latestHeight <= newest) return
      newest = reported.latestHeight
      agesMs = [...agesMs, clock.nowMs() - reported.latestBlockTimeMs].slice(-BLOCKS_TO_COMPARE)
    },
    /** What is known of it now. */
    look({ peers }: WatchPicture): NodePicture {
      const now = status?.catchingUp
      // One that says so once may only just have started.
      const catchesUp = now === true && before !== true ? undefined : now
      before = now
      status = undefined
      if (now !== false) agesMs = []
      const isKnown = isCompared && agesMs.length === BLOCKS_TO_COMPARE
      const aheadMs = isKnown ? clockAheadMs(agesMs, network.slotMs) : undefined
      const known = knownOf(peers)
      return {
        ...(known === undefined ? {} : { peers: known }),
        ...(catchesUp === undefined ? {} : { catchesUp }),
        ...(aheadMs === undefined ? {} : { clockAheadMs: aheadMs }),
      }
    },
  }
}

function emptyOffers() {
  return { has: new Set<string>(), lacks: new Set<string>() }
}
