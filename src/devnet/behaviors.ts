import { keccak256 } from 'viem/utils'
import type { Hex } from '../core/base/format/hex.ts'
import type { FrontAnswer, FrontCall } from './execution/client.ts'
import { rpcQuantity } from './execution/genesis.ts'
import type { FrontDelivery } from './execution/start.ts'
import type { LoopbackHandler, LoopbackReply } from './loopback-server.ts'

/** The endpoints of each node of a rehearsal: of the own one, and of one that somebody else runs. */
export const NODES = {
  'own-node': ['execution', 'node', 'engine'],
  'foreign-node': ['second', 'foreign-api', 'foreign-engine'],
} as const
export type EndpointRole = (typeof NODES)[keyof typeof NODES][number]
/** What can be made to behave otherwise: one endpoint, or a whole node. */
export type Place = EndpointRole | keyof typeof NODES
export const PLACES = [
  ...(Object.keys(NODES) as (keyof typeof NODES)[]),
  ...NODES['own-node'],
  ...NODES['foreign-node'],
] as const satisfies readonly Place[]

/** Returns the endpoints of a place. */
export const rolesOf = (place: Place): readonly EndpointRole[] =>
  place === 'own-node' || place === 'foreign-node' ? NODES[place] : [place]

/** Returns whether an endpoint is the own node's. */
export const isOfOwnNode = (role: EndpointRole): boolean =>
  (NODES['own-node'] as readonly EndpointRole[]).includes(role)

const EXECUTION_ROLES: readonly EndpointRole[] = ['execution', 'second']
const ENGINE_ROLES: readonly EndpointRole[] = ['engine', 'foreign-engine']

/** What a behavior meets: a call, and the endpoint that answers as a well-kept one would. */
type Met = {
  call: FrontCall
  /** Answers the call, or another one, truly. */
  ask(call?: FrontCall): Promise<FrontAnswer>
  /** The newest block when the behavior began. */
  sinceBlock: bigint
}

/** How an endpoint behaves. */
export type Behavior = {
  /** For every endpoint: how late an answer is. */
  delayMs?: number
  /** For node APIs and engine RPCs: the same. */
  serviceDelayMs?: number
  /** For every endpoint: what comes in the place of an answer. */
  instead?: LoopbackReply
  /** For execution endpoints: how a call is answered. */
  call?: (met: Met) => Promise<FrontDelivery>
  /** For the engine: what becomes of the text of a commit. */
  commit?: (text: string) => string
}

const answer = (given: FrontAnswer): FrontDelivery => ({ answer: given })
const result = (value: unknown): FrontDelivery => answer({ result: value })
const failed = (code: number, message: string): FrontDelivery => answer({ error: { code, message } })
const http = (status: number, body: string, headers?: Record<string, string>): LoopbackReply => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body,
  ...(headers === undefined ? {} : { headers }),
})
const truly = async ({ ask }: Met): Promise<FrontDelivery> => answer(await ask())

const ONE_SECOND_MS = 1000

/** Answers methods by another rule, and all others truly. */
const instead =
  (rules: Readonly<Record<string, (met: Met) => Promise<FrontDelivery> | FrontDelivery>>) =>
  async (met: Met): Promise<FrontDelivery> =>
    (await rules[met.call.method]?.(met)) ?? truly(met)

const isQuantity = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[\da-f]+$/i.test(value)

/** The block that a log, a receipt or a transaction is of. */
function blockNumberIn(value: unknown): bigint | undefined {
  const number = (value as { blockNumber?: unknown } | null)?.blockNumber
  return typeof number === 'string' ? BigInt(number) : undefined
}

/** Whether what the endpoint has is of a block that was there when the behavior began. */
const isOld = (value: unknown, { sinceBlock }: Met): boolean =>
  (blockNumberIn(value) ?? sinceBlock + 1n) <= sinceBlock

/** Answers truly, but for what belongs to an old block. */
const forgetting = (forgotten: FrontDelivery) => async (met: Met) => {
  const given = await met.ask()
  return 'result' in given && isOld(given.result, met) ? forgotten : answer(given)
}

const withoutOldLogs = async (met: Met) => {
  const given = await met.ask()
  if (!('result' in given) || !Array.isArray(given.result)) return answer(given)
  return result(given.result.filter((log) => !isOld(log, met)))
}

const refusingOldLogs = (refusal: FrontDelivery) => async (met: Met) => {
  const [filter] = met.call.params as [{ fromBlock?: string; blockHash?: string }?]
  const isNewer = isQuantity(filter?.fromBlock) && BigInt(filter.fromBlock) > met.sinceBlock
  return isNewer ? truly(met) : refusal
}

const PRUNED = failed(4444, 'pruned history unavailable')
const receipts = (gone: FrontDelivery) => ({
  eth_getTransactionReceipt: forgetting(gone),
  eth_getBlockReceipts: forgetting(gone),
})

/** Where a call names the block whose state it reads. */
const STATE_AT: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_getCode: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
}
const NAMED = ['latest', 'pending', 'safe', 'finalized', undefined]

/** Refuses the state of blocks that were old when it began. */
async function withoutOldState(met: Met): Promise<FrontDelivery> {
  const { call, sinceBlock } = met
  const at = STATE_AT[call.method]
  const block = at === undefined ? undefined : call.params[at]
  const isGone = isQuantity(block) && BigInt(block) < sinceBlock
  return isGone ? failed(-32_000, 'missing trie node (path ) state is not available') : truly(met)
}

/** Answers as of the block in which it began, as a client does whose consensus client has stopped. */
async function standingStill(met: Met): Promise<FrontDelivery> {
  const { call, ask, sinceBlock } = met
  const { method, params } = call
  const still = rpcQuantity(sinceBlock)
  if (method === 'eth_blockNumber') return result(still)
  if (method === 'eth_getBlockByNumber') {
    const [ref] = params
    if (isQuantity(ref) && BigInt(ref) > sinceBlock) return result(null)
    return answer(await ask(isQuantity(ref) ? call : { method, params: [still, ...params.slice(1)] }))
  }
  const at = STATE_AT[method]
  const of = at === undefined ? undefined : params[at]
  if (isQuantity(of) && BigInt(of) > sinceBlock) return failed(-32_000, 'header not found')
  if (at !== undefined && NAMED.includes(of as string | undefined)) {
    const moved = [...params]
    moved[at] = still
    return answer(await ask({ method, params: moved }))
  }
  const given = await ask()
  if (!('result' in given)) return answer(given)
  const { result: value } = given
  const isNew = (one: unknown) => (blockNumberIn(one) ?? sinceBlock) > sinceBlock
  if (Array.isArray(value)) return result(value.filter((one) => !isNew(one)))
  return isNew(value) ? result(null) : answer(given)
}

const BASE_FEE_TIMES = 2000n

/** A block with a base fee so many times as high. */
async function withHighFee(met: Met): Promise<FrontDelivery> {
  const given = await met.ask()
  const block = 'result' in given ? (given.result as { baseFeePerGas?: string } | null) : null
  if (!isQuantity(block?.baseFeePerGas)) return answer(given)
  return result({ ...block, baseFeePerGas: rpcQuantity(BigInt(block.baseFeePerGas) * BASE_FEE_TIMES) })
}

const SYNCING = {
  startingBlock: '0x0',
  currentBlock: '0x0',
  highestBlock: '0x1000000',
} as const

/**
 * How endpoints really behave, by name; docs/behaviors.md says what each does and where it was seen. What is old is what
 * was there when the behavior began.
 */
const BEHAVIORS = {
  'forgets-receipts': {
    call: instead({ ...receipts(result(null)), eth_getLogs: withoutOldLogs }),
  },
  'refuses-old-receipts': {
    call: instead({
      ...receipts(PRUNED),
      eth_getLogs: refusingOldLogs(failed(-32_602, 'block range extends beyond the history that is kept')),
    }),
  },
  'forgets-transactions': {
    call: instead({
      ...receipts(result(null)),
      eth_getLogs: withoutOldLogs,
      eth_getTransactionByHash: forgetting(result(null)),
    }),
  },
  'forgets-states': {
    call: withoutOldState,
  },
  'refuses-logs': {
    call: instead({ eth_getLogs: () => failed(-32_005, 'query returned more than 10000 results') }),
  },
  'offers-no-logs': {
    call: instead({
      eth_getLogs: () => failed(-32_601, 'the method eth_getLogs does not exist/is not available'),
    }),
  },
  'fails-at-logs': {
    call: instead({ eth_getLogs: () => http(500, 'Internal Server Error\n') }),
  },
  'gives-large-logs': {
    call: instead({ eth_getLogs: () => http(200, `[${' '.repeat(5 * 1024 * 1024)}]`) }),
  },
  'gives-no-logs': {
    call: instead({ eth_getLogs: () => result([]) }),
  },
  stops: { call: standingStill, serviceDelayMs: Number.POSITIVE_INFINITY },
  'stands-still': {
    call: standingStill,
  },
  'is-syncing': {
    call: instead({
      eth_syncing: () => result(SYNCING),
      eth_blockNumber: () => result('0x0'),
      eth_getBlockByNumber: async ({ call, ask }) => {
        const [ref, ...rest] = call.params
        if (isQuantity(ref) && BigInt(ref) > 0n) return result(null)
        return answer(await ask({ ...call, params: ['0x0', ...rest] }))
      },
      eth_getCode: () => result('0x'),
      eth_call: () => result('0x'),
      eth_getProof: () => failed(-32_000, 'header not found'),
      eth_getBalance: () => result('0x0'),
      eth_getTransactionCount: () => result('0x0'),
      eth_getLogs: () => result([]),
      eth_getTransactionReceipt: () => result(null),
      eth_getTransactionByHash: () => result(null),
    }),
  },
  'loses-bytes': {
    call: instead({
      eth_sendRawTransaction: ({ call }) => result(keccak256(call.params[0] as Hex)),
    }),
  },
  'refuses-bytes': {
    call: instead({
      eth_sendRawTransaction: () => failed(-32_000, 'replacement transaction underpriced'),
    }),
  },
  'knows-bytes': {
    call: instead({
      eth_sendRawTransaction: async ({ ask }) => {
        await ask()
        return failed(-32_000, 'already known')
      },
    }),
  },
  'asks-high-fee': {
    call: instead({ eth_getBlockByNumber: withHighFee }),
  },
  'refuses-host': {
    instead: http(403, 'invalid host specified\n'),
  },
  'limits-rate': {
    instead: http(429, 'Too Many Requests\n', { 'retry-after': '30' }),
  },
  'is-late-0.2': { delayMs: 0.2 * ONE_SECOND_MS },
  'is-late-1.2': {
    delayMs: 1.2 * ONE_SECOND_MS,
  },
  'is-late-10': { delayMs: 10 * ONE_SECOND_MS },
  hangs: {
    delayMs: Number.POSITIVE_INFINITY,
  },
  'is-dead': {
    instead: 'close',
  },
  'forges-signatures': {
    commit: (text) => text.replace(/"signature":"[A-Za-z0-9+/]{8}/g, '"signature":"AAAAAAAA'),
  },
} as const satisfies Readonly<Record<string, Behavior>>

export type BehaviorName = keyof typeof BEHAVIORS
export const BEHAVIOR_NAMES = Object.keys(BEHAVIORS) as BehaviorName[]

/** Returns whether a place can behave so. */
export function suits(place: Place, name: BehaviorName): boolean {
  const { call, commit, serviceDelayMs } = BEHAVIORS[name] as Behavior
  const isOfNode = call !== undefined && serviceDelayMs !== undefined
  const roles = rolesOf(place)
  if (isOfNode) return roles.length > 1
  if (commit !== undefined) return roles.every((role) => ENGINE_ROLES.includes(role))
  return call === undefined || roles.every((role) => EXECUTION_ROLES.includes(role))
}

/** Makes a place behave so; truly again, where no name is given. */
export type SetBehavior = (place: Place, name: BehaviorName | undefined) => void

/** How an endpoint behaves now. `sinceBlock`: its newest block when that began. */
export type Behaving = { name: BehaviorName; sinceBlock: bigint }

type Wait = (delayMs: number) => Promise<unknown>

/** Waits as long; for ever where that is infinite. */
const late = (delayMs: number, wait: Wait): Promise<unknown> =>
  Number.isFinite(delayMs) ? wait(delayMs) : new Promise(() => undefined)

/** Answers one call of an execution endpoint as it behaves now: truly, where nothing is set. */
export async function behave(
  behaving: Behaving | undefined,
  { wait, ...asked }: Omit<Met, 'sinceBlock'> & { wait: Wait },
): Promise<FrontDelivery> {
  if (behaving === undefined) return answer(await asked.ask())
  const { name, sinceBlock } = behaving
  const behavior: Behavior = BEHAVIORS[name]
  if (behavior.delayMs !== undefined) await late(behavior.delayMs, wait)
  if (behavior.instead !== undefined) return behavior.instead
  const met = { ...asked, sinceBlock }
  return behavior.call === undefined ? truly(met) : behavior.call(met)
}

/** Returns the handler of a node API or an engine RPC that behaves so. */
export function behaveAs(
  behaving: Behaving | undefined,
  handle: LoopbackHandler,
  wait: Wait,
): LoopbackHandler {
  if (behaving === undefined) return handle
  const {
    serviceDelayMs,
    delayMs = serviceDelayMs,
    instead: given,
    commit,
  }: Behavior = BEHAVIORS[behaving.name]
  return async (request) => {
    if (delayMs !== undefined) await late(delayMs, wait)
    if (given !== undefined) return given
    const reply = await handle(request)
    if (commit === undefined || typeof reply === 'string') return reply
    return { ...reply, body: commit(reply.body) }
  }
}
