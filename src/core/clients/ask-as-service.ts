import { failureWords } from '../base/errors/base.ts'
import { ClientError, type ClientFault, type Service } from '../base/errors/client.ts'
import { type Decoder, refuse } from '../base/format/decode.ts'
import { endpointLabel } from '../base/format/endpoint-url.ts'
import { type Offered, type Offers, offeredValue } from '../chain/network/offered.ts'
import type { NodeHealth, PeerCounts } from '../chain/network/standstill.ts'
import { createEngineClient, type EngineClient } from './engine/client.ts'
import { getEngineStatus, getNetInfo } from './engine/get-status.ts'
import { getChainId } from './execution/chain.ts'
import { createExecutionClient } from './execution/client.ts'
import type { ClientEffects } from './http-client.ts'
import { getFinalityCheckpoints } from './node/blocks.ts'
import { getGenesis } from './node/chain.ts'
import { createNodeClient, type NodeClient } from './node/client.ts'
import { getNodeHealth, getNodePeerCount, getNodeSyncing } from './node/node.ts'

/** What is heard where another service listens at the address. */
const LOOKS_WRONG: readonly ClientFault[] = ['not-offered', 'malformed', 'bad-request']

type ServiceEndpoint = { effects: ClientEffects; service: Service; url: string }

/**
 * Asks what every service of this kind answers. Where it does not, the address is tried as the other two kinds, so that
 * a mixed-up address is told as one: throws a `ClientError` with `wrong-service` where another kind answers there, and
 * where the question is not even offered. Any other failure is thrown on.
 */
export async function askAsService<T>(
  { effects, service, url }: ServiceEndpoint,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || !LOOKS_WRONG.includes(thrown.fault)) throw thrown
    const answersLike = await serviceAt({ effects, service, url })
    if (answersLike === undefined && thrown.fault === 'malformed') throw thrown
    throw new ClientError('wrong-service', {
      service,
      endpoint: endpointLabel(url),
      what: 'what every service of this kind answers',
      details: thrown.details,
      cause: thrown,
      ...(answersLike === undefined ? {} : { answersLike }),
    })
  }
}

/** The kind of service that answers at an address where one of another kind was looked for. */
async function serviceAt({ effects, service, url }: ServiceEndpoint): Promise<Service | undefined> {
  const questions: Readonly<Record<Service, () => Promise<unknown>>> = {
    'execution RPC': () => getChainId(createExecutionClient(effects, url)),
    'node API': () => getGenesis(createNodeClient(effects, url, { proofNamespace: '' })),
    'engine RPC': () => getEngineStatus(createEngineClient(effects, url)),
  }
  for (const kind of Object.keys(questions) as Service[]) {
    if (kind !== service && (await answers(questions[kind]))) return kind
  }
  return undefined
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (thrown) {
    if (thrown instanceof ClientError) return false
    throw thrown
  }
}

/**
 * Asks what an endpoint need not have, under the `name` it is remembered by; `ask` gives undefined, or fails as
 * `not-offered`, where it is not there. That is remembered: the endpoint is not asked for it again. Any other failure
 * is not: it gives `unheard` as long as the endpoint has never answered this, and is thrown once it has.
 */
export async function askOptional<T>(
  offers: Offers,
  name: string,
  ask: () => Promise<T | undefined>,
): Promise<Offered<T>> {
  if (offers.lacks.has(name)) return { offer: 'no' }
  try {
    const value = await ask()
    if (value === undefined) return lacking(offers, name)
    offers.has.add(name)
    return { offer: 'yes', value }
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    if (thrown.fault === 'not-offered') return lacking(offers, name)
    if (offers.has.has(name)) throw thrown
    return { offer: 'unheard', words: failureWords(thrown) }
  }
}

function lacking({ lacks }: Offers, name: string): { offer: 'no' } {
  lacks.add(name)
  return { offer: 'no' }
}

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
  const counts = await Promise.all([
    askOptional(offers.engine, 'net_info', async () => engine && (await getNetInfo(engine)).peerCount),
    askOptional(offers.node, 'node/peer_count', async () => (await getNodePeerCount(node))?.connected),
  ])
  const value = { engine: offeredValue(counts[0]), node: offeredValue(counts[1]) }
  if (counts.some(({ offer }) => offer === 'yes')) return { offer: 'yes', value }
  return counts.find((each) => each.offer === 'unheard') ?? { offer: 'no' }
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

/** Returns the answer, or undefined where the endpoint gave none that can be used; any other failure is thrown on. */
export async function unlessSilent<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply
  } catch (thrown) {
    if (thrown instanceof ClientError) return undefined
    throw thrown
  }
}

/** What a list is in a reply whose entries were read on the way: there, and empty. Throws a `FieldFault`. */
export const emptied: Decoder<undefined> = (value, path) =>
  Array.isArray(value) && value.length === 0 ? undefined : refuse(path, 'a list, once', value)
