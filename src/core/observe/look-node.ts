import { forkIsKnown, type ScheduledFork, unknownForksAhead } from '../chain/consensus/fork-outlook.ts'
import type { SetSnapshot } from '../chain/consensus/snapshot.ts'
import { clockAheadMs } from '../chain/network/clock.ts'
import type { ChainSpec } from '../chain/network/network.ts'
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
  healthyIn,
  isOfNow,
  type LookInput,
  type WatchPicture,
  type WatchQuestions,
} from './look-input.ts'
import { askedMs, knownOf, lastOf } from './observer.ts'
import type { NetworkPicture, NodePicture } from './picture.ts'

export type ForksSeen = Pick<NetworkPicture, 'fork' | 'forksAhead'>

/** Asks for it. Undefined where the node does not say which fork is in force. */
async function askForks({
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

/** What own node and execution client say of forks and peers, the latter beside the looks. */
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
      needs: ['heads'],
      due: (picture) =>
        !isOfNow(lastOf(picture.forks), healthyIn(picture).node[0], epochIn(picture, network)),
      async ask(picture) {
        const { node, execution } = healthyIn(picture)
        const epoch = epochIn(picture, network)
        if (node[0] === undefined || epoch === undefined) return undefined
        const { client } = node[0]
        const said = await askForks({ node: client, execution: execution[0]?.client })
        return said && { epoch, by: client.label, said }
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
        const [said, executionPeers] = await Promise.all([
          node && unlessSilent(askPeers({ node, engine, offers })),
          execution && unlessSilent(getPeerCount(execution)),
        ])
        const counts = offeredValue(said)
        if (counts === undefined && executionPeers === undefined) return undefined
        return { engine: undefined, node: undefined, ...counts, execution: executionPeers }
      },
    },
  }
}

/** What the own node shows of itself look by look, by what its engine says and by the peers that were counted. */
export function createNodeLook({ effects: { clock }, network }: LookInput) {
  const isCompared = network.clockIsWall && network.kind !== 'rehearsal'
  let status: EngineStatus | undefined
  let before: boolean | undefined
  let newest = 0n
  let agesMs: readonly number[] = []

  return {
    /** What the engine of the own node has just said of itself. */
    hear(said: EngineStatus): void {
      status = said
      if (said.latestHeight <= newest) return
      newest = said.latestHeight
      agesMs = [...agesMs, clock.nowMs() - said.latestBlockTimeMs].slice(-BLOCKS_TO_COMPARE)
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
      const seen = knownOf(peers)
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
