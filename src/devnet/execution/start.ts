import type { Hex } from '../../core/base/format/hex.ts'
import {
  type LoopbackReply,
  type LoopbackRequest,
  type LoopbackServer,
  loopbackServer,
  plainReply,
} from '../loopback-server.ts'
import { answerCall, type FrontContext } from './answer.ts'
import {
  type FrontAnswer,
  type FrontCall,
  failure,
  INVALID_PARAMS,
  type RpcCall,
  rpcCall,
  type StartClientInput,
  startClient,
} from './client.ts'
import {
  addBalance,
  type DevnetBlock,
  type Exclusive,
  exclusive,
  holdBaseFee,
  ledger,
  type MinedSlot,
  mineSlot,
  type RpcBlock,
  readBlock,
  type SlotInput,
} from './mine-slot.ts'

/** The execution side of a rehearsal network. */
export type RehearsalExecution = {
  chainId: number
  genesisHash: Hex
  genesisBlock: DevnetBlock
  /** Straight to the client underneath, for the network's own use; it may do what the public endpoint forbids. */
  rpc: RpcCall
  /** Mines exactly one block. */
  mineSlot: (input: SlotInput) => Promise<MinedSlot>
  /** Adds to an account in the state of the newest block. */
  addBalance: (address: Hex, amountWei: bigint) => Promise<void>
  /** Opens the public JSON-RPC endpoint. */
  serve: (options?: ServeOptions) => Promise<LoopbackServer>
  /** Resolves (never rejects) with the reason when the client ends without having been told to. */
  died: Promise<Error>
  /** Ends the client and every endpoint; calling it twice is safe. */
  stop: () => Promise<void>
}

/**
 * Starts the execution side of a rehearsal network: the client underneath, its blocks, its public endpoint.
 * Everything goes to the client one call after the other, and a block is one undivided piece of that order.
 * Throws the devnet.client-* errors.
 */
export async function startExecution(input: StartClientInput): Promise<RehearsalExecution> {
  const client = await startClient(input)
  const { exchange } = client
  const direct = rpcCall(exchange)
  const inOrder = exclusive()
  const genesisBlock = await firstBlock(direct).catch(async (error: unknown) => {
    await client.stop()
    throw error
  })
  const blocks = ledger(genesisBlock)
  const fronts = new Set<LoopbackServer>()
  const { chainId } = input.genesis
  const { hash: genesisHash } = genesisBlock
  return {
    chainId,
    genesisHash,
    genesisBlock,
    rpc: (method, params) => inOrder(() => direct(method, params)),
    mineSlot: (slot) => inOrder(() => mineSlot({ rpc: direct, ledger: blocks }, slot)),
    addBalance: (address, amountWei) => inOrder(() => addBalance(direct, address, amountWei)),
    async serve(options = {}) {
      const front = await serveFront({ exchange, inOrder, ledger: blocks, chainId, genesisHash }, options)
      fronts.add(front)
      return front
    },
    died: client.died,
    async stop() {
      await Promise.all([...fronts].map((front) => front.close()))
      await client.stop()
    },
  }
}

async function firstBlock(rpc: RpcCall): Promise<DevnetBlock> {
  const block = readBlock((await rpc('eth_getBlockByNumber', ['0x0', false])) as RpcBlock)
  await holdBaseFee(rpc, block)
  return block
}

/** What goes back on the wire: an answer, or a fault in its place. */
export type FrontDelivery = { answer: FrontAnswer } | LoopbackReply

/** Lets a scenario or a test stand between the network and its users. */
export type FrontHooks = {
  /**
   * Called for every call of a request; `answer` gets the true answer of it, or of another call (and has its effects).
   * Not calling it drops the call before it has any effect; calling it and then returning a fault loses only the answer.
   */
  around?: (call: FrontCall, answer: (call?: FrontCall) => Promise<FrontAnswer>) => Promise<FrontDelivery>
}

export type ServeOptions = {
  /** Port on 127.0.0.1; 0 or nothing takes a free one. */
  port?: number
  hooks?: FrontHooks
  /** When a fork begins that this endpoint names and no other one does, Unix seconds. */
  nextForkSeconds?: number
}

type Front = { context: FrontContext; inOrder: Exclusive; hooks: FrontHooks }

/**
 * Opens the public JSON-RPC endpoint of a rehearsal network on 127.0.0.1. It answers like the real network's client,
 * takes POST with application/json only, and nothing that comes from a web page: no CORS headers, no request with an
 * Origin, no foreign host name. Throws `devnet.port` when the port is taken.
 */
function serveFront(
  { inOrder, ...base }: Omit<FrontContext, 'pool'> & { inOrder: Exclusive },
  { port, hooks = {}, nextForkSeconds }: ServeOptions,
): Promise<LoopbackServer> {
  const context = { ...base, pool: new Map(), ...(nextForkSeconds === undefined ? {} : { nextForkSeconds }) }
  return loopbackServer(async (request) => {
    return refusal(request) ?? (await handleBody({ context, inOrder, hooks }, request.body))
  }, port)
}

const OWN_HOSTS = /^(127\.0\.0\.1|localhost)(:\d+)?$/i

function refusal({ method, headers }: LoopbackRequest): LoopbackReply | undefined {
  if (!OWN_HOSTS.test(headers.host ?? '')) return plainReply(403, 'invalid host specified')
  if (headers.origin !== undefined) return plainReply(403, 'web pages are not answered')
  if (method !== 'POST') return plainReply(405, 'method not allowed')
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return plainReply(415, 'only application/json is supported')
  return undefined
}

const INVALID_REQUEST = -32600
const PARSE_ERROR = -32700
const MAX_BATCH = 100

type FrontReply = { id: unknown; delivery: FrontDelivery }

/**
 * Answers the body of one request, a single call or a batch (JSON-RPC 2.0). The calls of a batch run one after the
 * other in their order; a fault that a hook puts in place of one answer becomes the answer to all of it.
 */
async function handleBody(front: Front, text: string): Promise<LoopbackReply> {
  const body = parse(text)
  if (body === undefined) return json(reply(null, failure(PARSE_ERROR, 'parse error')))
  if (!Array.isArray(body)) return whole([await handleCall(front, body)], ([only]) => only ?? '')
  if (body.length === 0) return json(reply(null, failure(INVALID_REQUEST, 'empty batch')))
  if (body.length > MAX_BATCH) return json(reply(null, failure(INVALID_REQUEST, 'batch too large')))
  const replies: FrontReply[] = []
  for (const call of body) replies.push(await handleCall(front, call))
  return whole(replies, (texts) => (texts.length === 0 ? '' : `[${texts.join(',')}]`))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function whole(replies: readonly FrontReply[], join: (texts: readonly string[]) => string): LoopbackReply {
  const texts: string[] = []
  for (const { id, delivery } of replies) {
    if (delivery === 'close' || 'status' in delivery) return delivery
    if (id !== undefined) texts.push(reply(id, delivery.answer))
  }
  return json(join(texts))
}

const json = (body: string): LoopbackReply => ({ status: 200, contentType: 'application/json', body })

function reply(id: unknown, answer: FrontAnswer): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...answer })
}

async function handleCall({ context, inOrder, hooks }: Front, body: unknown): Promise<FrontReply> {
  const call = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const { id, method } = call
  const refused = (answer: FrontAnswer): FrontReply => ({
    id: id ?? null,
    delivery: { answer },
  })
  if (typeof method !== 'string') return refused(failure(INVALID_REQUEST, 'invalid request'))
  const params = call.params ?? []
  if (!Array.isArray(params)) return refused(failure(INVALID_PARAMS, 'non-array args'))
  const frontCall = { method, params }
  const answer = (asked: FrontCall = frontCall): Promise<FrontAnswer> =>
    inOrder(() => answerCall(context, asked))
  if (hooks.around !== undefined) return { id, delivery: await hooks.around(frontCall, answer) }
  return { id, delivery: { answer: await answer() } }
}
