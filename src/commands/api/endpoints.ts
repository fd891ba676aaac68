import type { EngineClient } from '../../core/clients/engine/client.ts'
import { getCommit } from '../../core/clients/engine/get-commit.ts'
import { getEngineBlock } from '../../core/clients/engine/get-engine-block.ts'
import { getNetInfo } from '../../core/clients/engine/get-net-info.ts'
import { getEngineStatus } from '../../core/clients/engine/get-status.ts'
import { getEngineValidators } from '../../core/clients/engine/get-validators.ts'
import type { ExecutionClient } from '../../core/clients/execution/client.ts'
import { getBalance } from '../../core/clients/execution/get-balance.ts'
import { getBlock } from '../../core/clients/execution/get-block.ts'
import { getBlockNumber } from '../../core/clients/execution/get-block-number.ts'
import { getChainId } from '../../core/clients/execution/get-chain-id.ts'
import { getClientVersion } from '../../core/clients/execution/get-client-version.ts'
import { getDepositCount } from '../../core/clients/execution/get-deposit-count.ts'
import { getEthConfig } from '../../core/clients/execution/get-eth-config.ts'
import { getGenesisDepositsRoot } from '../../core/clients/execution/get-genesis-deposits-root.ts'
import { getOperator } from '../../core/clients/execution/get-operator.ts'
import { getPeerCount } from '../../core/clients/execution/get-peer-count.ts'
import { getSyncing } from '../../core/clients/execution/get-syncing.ts'
import { getTransactionReceipt } from '../../core/clients/execution/get-transaction-receipt.ts'
import type { NodeClient } from '../../core/clients/node/client.ts'
import { getBlobSidecars } from '../../core/clients/node/get-blob-sidecars.ts'
import { getBlockRewards } from '../../core/clients/node/get-block-rewards.ts'
import { getCometBlock } from '../../core/clients/node/get-cometbft-block.ts'
import { getCometSignedHeader } from '../../core/clients/node/get-cometbft-signed-header.ts'
import { getConfigSpec } from '../../core/clients/node/get-config-spec.ts'
import { getDepositContract } from '../../core/clients/node/get-deposit-contract.ts'
import { getEventStream } from '../../core/clients/node/get-event-stream.ts'
import { getFinalityCheckpoints } from '../../core/clients/node/get-finality-checkpoints.ts'
import { getFork } from '../../core/clients/node/get-fork.ts'
import { getForkSchedule } from '../../core/clients/node/get-fork-schedule.ts'
import { getGenesis } from '../../core/clients/node/get-genesis.ts'
import { getHeader, getHeaders } from '../../core/clients/node/get-headers.ts'
import { getNodeHealth } from '../../core/clients/node/get-node-health.ts'
import { getNodeIdentity } from '../../core/clients/node/get-node-identity.ts'
import { getNodePeerCount } from '../../core/clients/node/get-node-peer-count.ts'
import { getNodeSyncing } from '../../core/clients/node/get-node-syncing.ts'
import { getNodeVersion } from '../../core/clients/node/get-node-version.ts'
import { getPendingPartialWithdrawals } from '../../core/clients/node/get-pending-partial-withdrawals.ts'
import { getRandao } from '../../core/clients/node/get-randao.ts'
import { getStateRoot } from '../../core/clients/node/get-state-root.ts'
import { getValidator } from '../../core/clients/node/get-validator.ts'
import { getValidatorBalances, postValidatorBalances } from '../../core/clients/node/get-validator-balances.ts'
import { getValidators } from '../../core/clients/node/get-validators.ts'
import { postValidators } from '../../core/clients/node/post-validators.ts'
import type { Hex } from '../../core/format/hex.ts'
import { addressOf, blockOf, hashOf, indexOf, numberOf, pubkeyOf, queryNumber, readPostBody, stateIdOf, statusOf, validatorIdOf } from './read-parts.ts'

/** What came of a question: an answer, "this node does not offer it", or "it knows no such thing". */
export type Answer = { kind: 'found'; value: unknown } | { kind: 'not-offered' } | { kind: 'absent' }

/** An answer of an endpoint that every node has. */
export async function found(value: Promise<unknown>): Promise<Answer> {
  return { kind: 'found', value: await value }
}

/** An answer of an endpoint that a node may lack: undefined is "not offered". */
async function optional(value: Promise<unknown>): Promise<Answer> {
  const answer = await value
  return answer === undefined ? { kind: 'not-offered' } : { kind: 'found', value: answer }
}

/** An answer about one thing: undefined is "there is none". */
async function lookup(value: Promise<unknown>): Promise<Answer> {
  const answer = await value
  return answer === undefined ? { kind: 'absent' } : { kind: 'found', value: answer }
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
type Endpoint<Call> = { name: string; takes: readonly string[]; ask(call: Call): Promise<Answer> }
type NodeEndpoint = Endpoint<NodeCall> & { method: 'GET' | 'POST' }

const part = ({ parts }: NodeCall, place = 0) => parts[place] ?? ''
const state = (call: NodeCall) => ({ state: stateIdOf(part(call)) })
const block = (call: NodeCall) => ({ block: stateIdOf(part(call)) })
const height = (call: NodeCall) => ({ height: numberOf(part(call)) })
const ids = ({ query }: NodeCall) => query.getAll('id').map(validatorIdOf)
const statuses = ({ query }: NodeCall) => query.getAll('status').map(statusOf)
const indices = ({ query }: NodeCall) => query.getAll('indices').map((text) => indexOf(text))

type Ask<Call> = (call: Call) => Promise<Answer>
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
  get('/eth/v1/node/identity', '', ({ client }) => optional(getNodeIdentity(client))),
  get('/eth/v1/events', '', ({ client }) => optional(getEventStream(client))),
  get('/cometbft/v1/block/:', '', (call) => found(getCometBlock(call.client, height(call)))),
  get('/cometbft/v1/signed_header/:', '', (call) => found(getCometSignedHeader(call.client, height(call)))),
]

/** The RPC of the consensus engine. */
export const ENGINE_RPC: readonly Endpoint<EngineCall>[] = [
  row('/status', '', ({ client }) => found(getEngineStatus(client))),
  row('/validators', 'height', ({ client, query }) => found(getEngineValidators(client, queryNumber(query, 'height')))),
  row('/block', 'height', ({ client, query }) => found(getEngineBlock(client, queryNumber(query, 'height')))),
  row('/commit', 'height', ({ client, query }) => found(getCommit(client, queryNumber(query, 'height')))),
  row('/net_info', '', ({ client }) => found(getNetInfo(client))),
]

/** The execution RPC and the deposit contract; what it takes is one argument, with `?` where it may be left out. */
export const EXECUTION_RPC: readonly Endpoint<ExecutionCall>[] = [
  row('getOperator', 'PUBKEY', ({ client, depositContract, argument }) => found(getOperator(client, { depositContract, pubkey: pubkeyOf(argument) }))),
  row('depositCount', '', ({ client, depositContract }) => found(getDepositCount(client, { depositContract }))),
  row('genesisDepositsRoot', '', ({ client, depositContract }) => found(getGenesisDepositsRoot(client, { depositContract }))),
  row('eth_config', '', ({ client }) => found(getEthConfig(client))),
  row('eth_chainId', '', ({ client }) => found(getChainId(client))),
  row('eth_blockNumber', '', ({ client }) => found(getBlockNumber(client))),
  row('eth_getBlockByNumber', 'BLOCK?', ({ client, argument }) => lookup(getBlock(client, { block: blockOf(argument) }))),
  row('eth_getBalance', 'ADDRESS', ({ client, argument }) => found(getBalance(client, { address: addressOf(argument) }))),
  row('eth_getTransactionReceipt', 'HASH', ({ client, argument }) => lookup(getTransactionReceipt(client, { hash: hashOf(argument) }))),
  row('eth_syncing', '', async ({ client }) => ({ kind: 'found', value: (await getSyncing(client)) ?? false })),
  row('net_peerCount', '', ({ client }) => found(getPeerCount(client))),
  row('web3_clientVersion', '', ({ client }) => found(getClientVersion(client))),
]
