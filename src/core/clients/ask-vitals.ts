import { type Offered, type Offers, offeredValue } from '../network/offered.ts'
import type { NodeHealth, PeerCounts } from '../network/vitals.ts'
import { askOptional } from './ask-optional.ts'
import type { EngineClient } from './engine/client.ts'
import { getNetInfo } from './engine/get-net-info.ts'
import type { NodeClient } from './node/client.ts'
import { getFinalityCheckpoints } from './node/get-finality-checkpoints.ts'
import { getNodeHealth } from './node/get-node-health.ts'
import { getNodePeerCount } from './node/get-node-peer-count.ts'
import { getNodeSyncing } from './node/get-node-syncing.ts'

type VitalClients = {
  node: NodeClient
  engine: EngineClient | undefined
  offers: { node: Offers; engine: Offers }
}

/** Epoch up to which a node calls its chain final, and the epoch of its head just after that answer. */
export type Finality = { finalizedEpoch: bigint; headEpoch: bigint }

/** Whether the node calls itself ready, where it says so. Throws a `ClientError` when it did before and fails now. */
export function askHealth({ node, offers }: VitalClients): Promise<Offered<NodeHealth>> {
  return askOptional(offers.node, 'node/health', () => getNodeHealth(node))
}

/** The peers of engine and node, of those that say. Throws a `ClientError` when one did before and fails now. */
export async function askPeers({ node, engine, offers }: VitalClients): Promise<Offered<PeerCounts>> {
  const said = await Promise.all([
    askOptional(offers.engine, 'net_info', async () => engine && (await getNetInfo(engine)).peerCount),
    askOptional(offers.node, 'node/peer_count', async () => (await getNodePeerCount(node))?.connected),
  ])
  const value = { engine: offeredValue(said[0]), node: offeredValue(said[1]) }
  if (said.some(({ offer }) => offer === 'yes')) return { offer: 'yes', value }
  return said.find((each) => each.offer === 'unheard') ?? { offer: 'no' }
}

/**
 * How far the node's finality is behind its head, where it says. Throws a `ClientError` when it did before and fails
 * now.
 */
export function askFinality(
  { node, offers }: VitalClients,
  slotsPerEpoch: bigint,
): Promise<Offered<Finality>> {
  return askOptional(offers.node, 'finality_checkpoints', async () => {
    const checkpoints = await getFinalityCheckpoints(node, { state: 'head' })
    if (checkpoints === undefined) return undefined
    const { headSlot } = await getNodeSyncing(node)
    return { finalizedEpoch: checkpoints.finalized.epoch, headEpoch: headSlot / slotsPerEpoch }
  })
}
