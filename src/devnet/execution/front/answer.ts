import { safeText } from '../../../core/format/text.ts'
import { quantity } from '../contracts.ts'
import type { FrontAnswer, FrontCall } from '../types.ts'
import { beaconRootsCall } from './beacon-roots.ts'
import { withoutFinalTags } from './block-tags.ts'
import { ethConfig } from './eth-config.ts'
import { PASSED_ON } from './methods.ts'
import { likeRealClient, noSuchMethod } from './real-client.ts'
import { sendRaw } from './send-raw.ts'
import type { FrontWorld } from './world.ts'

type Own = (world: FrontWorld, params: readonly unknown[]) => Promise<FrontAnswer>

const CLIENT_VERSION = 'Bearings-rehearsal/v1'
const NOBODY = '0x0000000000000000000000000000000000000000'
/** More than any call can ask for, and far from overflowing. */
const AMPLE_WEI = quantity(2n ** 200n)
const SIMULATIONS = ['eth_call', 'eth_estimateGas', 'eth_createAccessList']

/** What the front answers without, or only partly by, the client underneath. */
const OWN: ReadonlyMap<string, Own> = new Map<string, Own>([
  ['eth_accounts', async () => ({ result: [] })],
  ['eth_config', ethConfig],
  ['eth_sendRawTransaction', sendRaw],
  ['net_peerCount', async () => ({ result: '0x0' })],
  ['web3_clientVersion', async () => ({ result: CLIENT_VERSION })],
])

/**
 * Answers one call as the real network's client would. Must run while nothing else reaches the client underneath.
 * Throws `anvil.unreachable` when that client is gone.
 */
export async function answerCall(world: FrontWorld, { method, params }: FrontCall): Promise<FrontAnswer> {
  const own = OWN.get(method)
  if (own !== undefined) return own(world, params)
  const at = PASSED_ON.get(method)
  if (at === undefined) return noSuchMethod(safeText(method))
  const plain = withoutFinalTags(params, { at, headNumber: world.ledger.head().number })
  const known = method === 'eth_call' ? beaconRootsCall(plain, world.ledger) : undefined
  if (known !== undefined) return known
  const sent = SIMULATIONS.includes(method) ? withMeans(plain) : plain
  return likeRealClient(method, await world.exchange(method, sent))
}

/** A simulated call that names no sender comes from the zero address, which on a real network is the richest of all. */
function withMeans(params: readonly unknown[]): readonly unknown[] {
  const [call, block, overrides] = params
  if (typeof call !== 'object' || call === null) return params
  const sender = 'from' in call ? call.from : undefined
  const sends = 'value' in call && typeof call.value === 'string' && /[1-9a-f]/i.test(call.value.slice(2))
  if (!sends || (sender !== undefined && sender !== null)) return params
  return [call, block ?? 'latest', { [NOBODY]: { balance: AMPLE_WEI }, ...(overrides as object | undefined) }]
}
