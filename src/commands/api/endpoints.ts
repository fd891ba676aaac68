import { ClientError } from '../../core/base/errors/client.ts'
import { printable } from '../../core/base/format/document.ts'
import type { Hex } from '../../core/base/format/hex.ts'
import { getCommit, getEngineBlock } from '../../core/clients/engine/blocks.ts'
import type { EngineClient } from '../../core/clients/engine/client.ts'
import { getEngineStatus, getEngineValidators, getNetInfo } from '../../core/clients/engine/get-status.ts'
import { getBlock, getBlockNumber, getSyncing } from '../../core/clients/execution/blocks.ts'
import { getDepositCount, getGenesisDepositsRoot, getOperator, getQueuedOperator } from '../../core/clients/execution/call.ts'
import { getBalance, getChainId, getClientVersion, getEthConfig, getPeerCount } from '../../core/clients/execution/chain.ts'
import type { ExecutionClient } from '../../core/clients/execution/client.ts'
import { getTransactionReceipt } from '../../core/clients/execution/transactions.ts'
import { getBlobSidecars, getBlockRewards, getCometBlock, getCometSignedHeader, getFinalityCheckpoints, getHeader, getHeaders } from '../../core/clients/node/blocks.ts'
import { getConfigSpec, getDepositContract, getFork, getForkSchedule, getGenesis, getRandao, getStateRoot } from '../../core/clients/node/chain.ts'
import type { NodeClient } from '../../core/clients/node/client.ts'
import { getNodeHealth, getNodePeerCount, getNodeSyncing, getNodeVersion } from '../../core/clients/node/node.ts'
import {
  getPendingPartialWithdrawals,
  getValidator,
  getValidatorBalances,
  getValidators,
  postValidatorBalances,
  postValidators,
  streamValidators,
  type ValidatorTaker,
} from '../../core/clients/node/validators.ts'
import type { CommandIo } from '../../output/io.ts'
import type { ApiFields } from '../documents/api.ts'
import { type Asked, documentFor } from '../tell-document.ts'
import {
  addressArgument,
  blockOf,
  decodedParts,
  hashOf,
  indexOf,
  numberArgument,
  pubkeyOf,
  queryNumber,
  readPostBody,
  requireQuery,
  stateIdOf,
  statusOf,
  validatorIdOf,
} from './read-parts.ts'

/** What came of a question: an answer, "this node does not offer it", or "it knows no such thing". */
export type PathReply = { kind: 'found'; value: unknown } | { kind: 'not-offered' } | { kind: 'absent' }

/** Returns an answer of an endpoint that every node has. */
export async function found(value: Promise<unknown>): Promise<PathReply> {
  return { kind: 'found', value: await value }
}

/** An answer of an endpoint that a node may lack: undefined is "not offered". */
async function optional(value: Promise<unknown>): Promise<PathReply> {
  const reply = await value
  return reply === undefined ? { kind: 'not-offered' } : { kind: 'found', value: reply }
}

/** An answer about one thing: undefined is "there is none". */
async function lookup(value: Promise<unknown>): Promise<PathReply> {
  const reply = await value
  return reply === undefined ? { kind: 'absent' } : { kind: 'found', value: reply }
}

/** A question to the node API: the parts that stand for a colon, the query, and the body of a POST. */
type NodeCall = {
  client: NodeClient
  parts: readonly string[]
  query: URLSearchParams
  body: string | undefined
}
type EngineCall = { client: EngineClient; query: URLSearchParams }
type ExecutionCall = { client: ExecutionClient; depositContract: Hex; argument: string | undefined }

/** One call: where, what it takes, and how it is read. `takes`: fields of a query, those with `...` more than once. */
type Endpoint<Call> = { name: string; takes: readonly string[]; ask(call: Call): Promise<PathReply> }
type NodeEndpoint = Endpoint<NodeCall> & { method: 'GET' | 'POST' }

const part = ({ parts }: NodeCall, place = 0) => parts[place] ?? ''
const state = (call: NodeCall) => ({ state: stateIdOf(part(call)) })
const block = (call: NodeCall) => ({ block: stateIdOf(part(call)) })
const height = (call: NodeCall) => ({ height: numberArgument(part(call)) })
const ids = ({ query }: NodeCall) => query.getAll('id').map(validatorIdOf)
const statuses = ({ query }: NodeCall) => query.getAll('status').map(statusOf)
const indices = ({ query }: NodeCall) => query.getAll('indices').map((text) => indexOf(text))

type Ask<Call> = (call: Call) => Promise<PathReply>
const row = <Call>(name: string, takes: string, ask: Ask<Call>): Endpoint<Call> => ({
  name,
  takes: takes === '' ? [] : takes.split(' '),
  ask,
})
const get = (name: string, takes: string, ask: Ask<NodeCall>): NodeEndpoint => ({
  ...row(name, takes, ask),
  method: 'GET',
})
const post = (name: string, takes: string, ask: Ask<NodeCall>): NodeEndpoint => ({
  ...row(name, takes, ask),
  method: 'POST',
})

/** The node API; proofs and whole states, which can be verified, are asked in `proof-routes.ts` and `ask-path.ts`. */
export const NODE_API: readonly NodeEndpoint[] = [
  get('/eth/v1/beacon/genesis', '', ({ client }) => found(getGenesis(client))),
  get('/eth/v1/beacon/states/:/root', '', (call) => found(getStateRoot(call.client, state(call)))),
  get('/eth/v1/beacon/states/:/fork', '', (call) => found(getFork(call.client, state(call)))),
  get('/eth/v1/beacon/states/:/finality_checkpoints', '', (call) => optional(getFinalityCheckpoints(call.client, state(call)))),
  get('/eth/v1/beacon/states/:/validators', 'id... status...', (call) => found(getValidators(call.client, { ...state(call), ids: ids(call), statuses: statuses(call) }))),
  post('/eth/v1/beacon/states/:/validators', '', (call) => found(postValidators(call.client, { ...state(call), ...readPostBody(call.body, 'filter') }))),
  get('/eth/v1/beacon/states/:/validators/:', '', (call) => lookup(getValidator(call.client, { ...state(call), id: validatorIdOf(part(call, 1)) }))),
  get('/eth/v1/beacon/states/:/validator_balances', 'id...', (call) => found(getValidatorBalances(call.client, { ...state(call), ids: ids(call) }))),
  post('/eth/v1/beacon/states/:/validator_balances', '', (call) => found(postValidatorBalances(call.client, { ...state(call), ...readPostBody(call.body, 'ids') }))),
  get('/eth/v1/beacon/states/:/randao', 'epoch', (call) => found(getRandao(call.client, { ...state(call), ...queryNumber(call.query, 'epoch') }))),
  get('/eth/v1/beacon/states/:/pending_partial_withdrawals', '', (call) => found(getPendingPartialWithdrawals(call.client, state(call)))),
  get('/eth/v1/beacon/headers', 'slot', ({ client, query }) => found(getHeaders(client, queryNumber(query, 'slot')))),
  get('/eth/v1/beacon/headers/:', '', (call) => found(getHeader(call.client, block(call)))),
  get('/eth/v1/beacon/blob_sidecars/:', 'indices...', (call) => found(getBlobSidecars(call.client, { ...block(call), indices: indices(call) }))),
  get('/eth/v1/beacon/rewards/blocks/:', '', (call) => found(getBlockRewards(call.client, block(call)))),
  get('/eth/v1/config/spec', '', ({ client }) => found(getConfigSpec(client))),
  get('/eth/v1/config/fork_schedule', '', ({ client }) => optional(getForkSchedule(client))),
  get('/eth/v1/config/deposit_contract', '', ({ client }) => optional(getDepositContract(client))),
  get('/eth/v1/node/syncing', '', ({ client }) => found(getNodeSyncing(client))),
  get('/eth/v1/node/version', '', ({ client }) => found(getNodeVersion(client))),
  get('/eth/v1/node/health', '', ({ client }) => optional(getNodeHealth(client))),
  get('/eth/v1/node/peer_count', '', ({ client }) => optional(getNodePeerCount(client))),
  get('/cometbft/v1/block/:', '', (call) => found(getCometBlock(call.client, height(call)))),
  get('/cometbft/v1/signed_header/:', '', (call) => found(getCometSignedHeader(call.client, height(call)))),
]

/** The RPC of the consensus engine. */
export const ENGINE_RPC: readonly Endpoint<EngineCall>[] = [
  row('/status', '', ({ client }) => found(getEngineStatus(client))),
  row('/validators', 'height page per_page', ({ client, query }) =>
    found(getEngineValidators(client, { ...queryNumber(query, 'height'), ...queryNumber(query, 'page'), ...queryNumber(query, 'per_page') })),
  ),
  row('/block', 'height', ({ client, query }) => found(getEngineBlock(client, queryNumber(query, 'height')))),
  row('/commit', 'height', ({ client, query }) => found(getCommit(client, queryNumber(query, 'height')))),
  row('/net_info', '', ({ client }) => found(getNetInfo(client))),
]

/** The execution RPC and the deposit contract; what it takes is one argument, with `?` where it may be left out. */
export const EXECUTION_RPC: readonly Endpoint<ExecutionCall>[] = [
  row('getOperator', 'PUBKEY', ({ client, depositContract, argument }) => found(getOperator(client, { depositContract, pubkey: pubkeyOf(argument) }))),
  row('queuedOperator', 'PUBKEY', ({ client, depositContract, argument }) => lookup(getQueuedOperator(client, { depositContract, pubkey: pubkeyOf(argument) }))),
  row('depositCount', '', ({ client, depositContract }) => found(getDepositCount(client, { depositContract }))),
  row('genesisDepositsRoot', '', ({ client, depositContract }) => found(getGenesisDepositsRoot(client, { depositContract }))),
  row('eth_config', '', ({ client }) => found(getEthConfig(client))),
  row('eth_chainId', '', ({ client }) => found(getChainId(client))),
  row('eth_blockNumber', '', ({ client }) => found(getBlockNumber(client))),
  row('eth_getBlockByNumber', 'BLOCK?', ({ client, argument }) => lookup(getBlock(client, { block: blockOf(argument) }))),
  row('eth_getBalance', 'ADDRESS', ({ client, argument }) => found(getBalance(client, { address: addressArgument(argument) }))),
  row('eth_getTransactionReceipt', 'HASH', ({ client, argument }) => lookup(getTransactionReceipt(client, { hash: hashOf(argument) }))),
  row('eth_syncing', '', async ({ client }) => ({ kind: 'found', value: (await getSyncing(client)) ?? false })),
  row('net_peerCount', '', ({ client }) => found(getPeerCount(client))),
  row('web3_clientVersion', '', ({ client }) => found(getClientVersion(client))),
]

type Question = {
  client: NodeClient
  path: string
  network: string | null
  call: Asked & { io: CommandIo; json: boolean }
}

const LIST = /^\/eth\/v1\/beacon\/states\/([^/?]+)\/validators(?:\?(.*))?$/
const LINES_AT_ONCE = 500

/** Whether a path asks for validators of a state without naming each: a list that may be too large to be held. */
export function asksForRegistry(path: string): boolean {
  const match = LIST.exec(path)
  return match !== null && !new URLSearchParams(match[2]).has('id')
}

/**
 * Prints a list of validators while it arrives, one a line, as a JSON list or with `json` as the command's document. A
 * reply that breaks off after something was printed is not asked for again: what stands there is then cut, and no
 * JSON. Throws a `ClientError`, or `usage.option` for a state or a status that cannot be read.
 */
export async function printRegistry({ client, path, network, call }: Question): Promise<'printed'> {
  const [, part = '', query = ''] = LIST.exec(path) ?? []
  const [state = ''] = decodedParts([part])
  const fields = new URLSearchParams(query)
  requireQuery(fields, ['id...', 'status...'])
  const statuses = fields.getAll('status').map(statusOf)
  const [start, end] = call.json ? aroundList({ client, path, network, call }) : ['[', ']']
  const list = { io: call.io, start, end, printed: 0 }
  const taker = () => listPrinter(list, client.label, path)
  const args = { state: stateIdOf(state), statuses, taker }
  return streamValidators(client, args)
}

/** The document without its list, which is its last field: what stands before it, and behind. */
function aroundList({ client, path, network, call }: Question): [string, string] {
  const fields = {
    findings: [],
    words: { sentence: '', notes: [] },
    path,
    service: 'node API' as const,
    endpoint: client.label,
    typed: true,
    offered: true,
    proofLevel: null,
    blockRoot: null,
    answer: [],
  }
  const whole = JSON.stringify(documentFor<ApiFields>('api', { network, verdict: 'yes', fields }, call))
  return [whole.slice(0, -2), whole.slice(-2)]
}

type PrintedList = { io: CommandIo; start: string; end: string; printed: number }

function listPrinter(list: PrintedList, endpoint: string, what: string): ValidatorTaker<'printed'> {
  if (list.printed > 0) {
    const details = [`the list broke off after ${list.printed} validators had been printed`]
    throw new ClientError('failed', { service: 'node API', endpoint, what, details })
  }
  let lines: string[] = []
  const opening = () => (list.printed === 0 ? [list.start] : [])
  return {
    add(record) {
      lines.push(printable(record))
      if (lines.length <= LINES_AT_ONCE) return
      const [last = ''] = lines.splice(-1)
      list.io.out([...opening(), ...lines.map((line) => `${line},`)].join('\n'))
      list.printed += lines.length
      lines = [last]
    },
    done() {
      const entries = lines.length === 0 ? [] : [lines.join(',\n')]
      list.io.out([...opening(), ...entries, list.end].join('\n'))
      return 'printed'
    },
  }
}
