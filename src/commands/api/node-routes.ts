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
import {
  getValidatorBalances,
  postValidatorBalances,
} from '../../core/clients/node/get-validator-balances.ts'
import { getValidators } from '../../core/clients/node/get-validators.ts'
import { postValidators } from '../../core/clients/node/post-validators.ts'
import { type Answer, found, lookup, optional } from './answer.ts'
import {
  decodedParts,
  indexOf,
  numberOf,
  queryNumber,
  stateIdOf,
  statusOf,
  validatorIdOf,
} from './path-parts.ts'
import { readPostBody } from './post-body.ts'

/** A question to the node API: the parts that stand for a colon, the query, and the body of a POST. */
type NodeCall = {
  client: NodeClient
  parts: readonly string[]
  query: URLSearchParams
  body: string | undefined
}

type Route = (call: NodeCall) => Promise<Answer>

const part = ({ parts }: NodeCall, place = 0) => parts[place] ?? ''
const state = (call: NodeCall) => stateIdOf(part(call))
const ids = ({ query }: NodeCall) => query.getAll('id').map(validatorIdOf)
const statuses = ({ query }: NodeCall) => query.getAll('status').map(statusOf)

const GET: Readonly<Record<string, Route>> = {
  'eth/v1/beacon/genesis': ({ client }) => found(getGenesis(client)),
  'eth/v1/beacon/states/:/root': (call) => found(getStateRoot(call.client, { state: state(call) })),
  'eth/v1/beacon/states/:/fork': (call) => found(getFork(call.client, { state: state(call) })),
  'eth/v1/beacon/states/:/finality_checkpoints': (call) =>
    optional(getFinalityCheckpoints(call.client, { state: state(call) })),
  'eth/v1/beacon/states/:/validators': (call) =>
    found(getValidators(call.client, { state: state(call), ids: ids(call), statuses: statuses(call) })),
  'eth/v1/beacon/states/:/validators/:': (call) =>
    lookup(getValidator(call.client, { state: state(call), id: validatorIdOf(part(call, 1)) })),
  'eth/v1/beacon/states/:/validator_balances': (call) =>
    found(getValidatorBalances(call.client, { state: state(call), ids: ids(call) })),
  'eth/v1/beacon/states/:/randao': (call) => {
    const epoch = queryNumber(call.query, 'epoch')
    return found(getRandao(call.client, { state: state(call), ...(epoch === undefined ? {} : { epoch }) }))
  },
  'eth/v1/beacon/states/:/pending_partial_withdrawals': (call) =>
    found(getPendingPartialWithdrawals(call.client, { state: state(call) })),
  'eth/v1/beacon/headers': ({ client, query }) => {
    const slot = queryNumber(query, 'slot')
    return found(getHeaders(client, slot === undefined ? {} : { slot }))
  },
  'eth/v1/beacon/headers/:': (call) => found(getHeader(call.client, { block: state(call) })),
  'eth/v1/beacon/blob_sidecars/:': (call) => {
    const indices = call.query.getAll('indices').map((text) => indexOf(text))
    return found(getBlobSidecars(call.client, { block: state(call), indices }))
  },
  'eth/v1/beacon/rewards/blocks/:': (call) => found(getBlockRewards(call.client, { block: state(call) })),
  'eth/v1/config/spec': ({ client }) => found(getConfigSpec(client)),
  'eth/v1/config/fork_schedule': ({ client }) => optional(getForkSchedule(client)),
  'eth/v1/config/deposit_contract': ({ client }) => optional(getDepositContract(client)),
  'eth/v1/node/syncing': ({ client }) => found(getNodeSyncing(client)),
  'eth/v1/node/version': ({ client }) => found(getNodeVersion(client)),
  'eth/v1/node/health': ({ client }) => optional(getNodeHealth(client)),
  'eth/v1/node/peer_count': ({ client }) => optional(getNodePeerCount(client)),
  'eth/v1/node/identity': ({ client }) => optional(getNodeIdentity(client)),
  'eth/v1/events': ({ client }) => optional(getEventStream(client)),
  'cometbft/v1/block/:': (call) => found(getCometBlock(call.client, { height: numberOf(part(call)) })),
  'cometbft/v1/signed_header/:': (call) =>
    found(getCometSignedHeader(call.client, { height: numberOf(part(call)) })),
}

const POST: Readonly<Record<string, Route>> = {
  'eth/v1/beacon/states/:/validators': (call) =>
    found(postValidators(call.client, { state: state(call), ...readPostBody(call.body, 'filter') })),
  'eth/v1/beacon/states/:/validator_balances': (call) =>
    found(postValidatorBalances(call.client, { state: state(call), ...readPostBody(call.body, 'ids') })),
}

const ROUTES = [...compile('GET', GET), ...compile('POST', POST)]

/** The typed question for a path of the node API; undefined when the program has none for it. Throws `usage.option`. */
export function nodeRoute(
  method: 'GET' | 'POST',
  path: string,
): { ask: Route; parts: readonly string[] } | undefined {
  for (const route of ROUTES) {
    const match = route.method === method ? route.pattern.exec(path) : null
    if (match !== null) return { ask: route.ask, parts: decodedParts(match.slice(1)) }
  }
  return undefined
}

function compile(method: 'GET' | 'POST', routes: Readonly<Record<string, Route>>) {
  return Object.entries(routes).map(([pattern, ask]) => ({
    method,
    pattern: new RegExp(`^/${pattern.replaceAll(':', '([^/]+)')}$`),
    ask,
  }))
}
