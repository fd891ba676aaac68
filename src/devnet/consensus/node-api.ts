import { NodeRefusal } from '../../core/base/errors/devnet.ts'
import { bytesToHex } from '../../core/base/format/hex.ts'
import {
  type ConsensusState,
  epochOfSlot,
  VALIDATOR_STATUSES,
  validatorStatus,
} from '../../core/chain/consensus/state.ts'
import { goJson, type LoopbackHandler, type LoopbackReply, type LoopbackRequest } from '../loopback-server.ts'
import type { Chain, StateRecord } from './chain.ts'
import type { MadeBlock } from './engine.ts'
import { AS_NUMBER, commit, engineBlock, engineBlockAt, engineHeader } from './engine-rpc.ts'
import {
  balanceProof,
  credentialsProof,
  debugState,
  headerReply,
  invalid,
  proposerProof,
  pubkeyProof,
  recordOf,
  requireState,
  slotOf,
  stateOf,
} from './node-states.ts'
import { genesisForkName } from './state-tree.ts'

/** Parts of the path that stand for a colon in the pattern, in order. */
type Call = { chain: Chain; parts: readonly string[]; request: LoopbackRequest }

/** The reply's JSON value; undefined closes the connection without a reply. */
type RouteHandler = (call: Call) => unknown

const part = (call: Call, place: number): string => call.parts[place] ?? ''
const finalized = (data: unknown) => ({ execution_optimistic: false, finalized: true, data })

const ANSWERS: Readonly<Record<string, RouteHandler>> = {
  'GET /eth/v1/beacon/genesis': ({ chain }) => ({
    data: {
      genesis_time: String(chain.input.spec.genesisTimeSeconds),
      genesis_validators_root: chain.input.genesisValidatorsRoot,
      genesis_fork_version: chain.input.genesisForkVersion,
    },
  }),
  'GET /eth/v1/beacon/states/:/root': (call) => finalized({ root: headerOf(call).stateRoot }),
  'GET /eth/v1/beacon/states/:/fork': (call) => {
    const { fork } = stateRecord(call)
    return finalized({
      previous_version: fork.previousVersion,
      current_version: fork.currentVersion,
      epoch: `0x${fork.epoch.toString(16)}`,
    })
  },
  'GET /eth/v1/beacon/states/:/validators': (call) =>
    finalized(listValidators(call.chain, part(call, 0), query(call))),
  'POST /eth/v1/beacon/states/:/validators': (call) =>
    finalized(listValidators(call.chain, part(call, 0), readFilterBody(call.request.body))),
  'GET /eth/v1/beacon/states/:/validators/:': (call) =>
    finalized(oneValidator(call.chain, part(call, 0), part(call, 1))),
  'GET /eth/v1/beacon/states/:/validator_balances': (call) =>
    finalized(listBalances(call.chain, part(call, 0), query(call).ids)),
  'POST /eth/v1/beacon/states/:/validator_balances': (call) =>
    finalized(listBalances(call.chain, part(call, 0), readIdsBody(call.request.body))),
  'GET /eth/v1/beacon/states/:/randao': (call) => finalized(randao(call)),
  'GET /eth/v1/beacon/states/:/pending_partial_withdrawals': (call) => ({
    version: genesisForkName(call.chain.input.genesisForkVersion),
    ...finalized(pendingPartials(call)),
  }),
  'GET /eth/v1/beacon/headers': (call) =>
    finalized([headerReply(call.chain, call.request.query.get('slot') ?? 'head')]),
  'GET /eth/v1/beacon/headers/:': (call) => finalized(headerReply(call.chain, part(call, 0))),
  'GET /eth/v1/beacon/blob_sidecars/:': () => ({ data: [] }),
  'GET /eth/v1/beacon/rewards/blocks/:': () => finalized(REWARDS),
  'GET /eth/v1/config/spec': ({ chain }) => ({
    data: {
      DEPOSIT_CONTRACT_ADDRESS: chain.input.spec.depositContract,
      DEPOSIT_NETWORK_ID: String(chain.input.spec.depositChainId),
      DOMAIN_AGGREGATE_AND_PROOF: '0x06000000',
      INACTIVITY_PENALTY_QUOTIENT: '0',
      INACTIVITY_PENALTY_QUOTIENT_ALTAIR: '0',
    },
  }),
  'GET /eth/v1/node/syncing': ({ chain }) => ({
    data: {
      head_slot: String(chain.history.head.header.slot),
      sync_distance: '0',
      is_syncing: false,
      is_optimistic: false,
      el_offline: false,
    },
  }),
  'GET /eth/v1/node/version': () => ({ data: { version: '<appd>/ (linux amd64)' } }),
  'GET /eth/v2/debug/beacon/states/:': (call) => ({
    version: genesisForkName(call.chain.input.genesisForkVersion),
    ...finalized(debugState(stateRecord(call))),
  }),
  'GET /bkit/v1/proof/block_proposer/:': (call) => proposerProof(call.chain, part(call, 0)),
  'GET /bkit/v1/proof/validator_pubkey/:/:': (call) => pubkeyProof(call.chain, part(call, 0), part(call, 1)),
  'GET /bkit/v1/proof/validator_credentials/:/:': (call) =>
    credentialsProof(call.chain, part(call, 0), part(call, 1)),
  'GET /bkit/v1/proof/validator_balance/:/:': (call) =>
    balanceProof(call.chain, part(call, 0), part(call, 1)),
  'GET /cometbft/v1/block/:': (call) => {
    return { data: engineBlock(call.chain, blockAtHeight(call, 'block'), AS_NUMBER) }
  },
  'GET /cometbft/v1/signed_header/:': (call) => {
    const block = blockAtHeight(call, 'signed header')
    return { data: { header: engineHeader(block, AS_NUMBER), commit: commit(call.chain, block, AS_NUMBER) } }
  },
}

const REWARDS = {
  proposer_index: '1',
  total: '1',
  attestations: '1',
  sync_aggregate: '1',
  proposer_slashings: '1',
  attester_slashings: '1',
}

const ROUTES = Object.entries(ANSWERS).map(([pattern, handler]) => ({
  pattern: new RegExp(`^${pattern.replaceAll(':', '([^/]+)')}$`),
  answer: handler,
}))

/** Returns the node API of a rehearsal network: paths, numbers, refusals and gaps of the real node. */
export function nodeApi(chain: Chain): LoopbackHandler {
  return (request) => {
    try {
      return route(chain, request)
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      return json(error.status, { code: error.status, message: error.shortMessage })
    }
  }
}

function route(chain: Chain, request: LoopbackRequest): LoopbackReply {
  const line = `${request.method} ${request.path}`
  for (const { pattern, answer: handler } of ROUTES) {
    const parts = pattern.exec(line)?.slice(1)
    if (parts === undefined) continue
    const early = chain.history.head.header.slot === 0n ? refusalBeforeFirstBlock(request.path) : undefined
    if (early !== undefined) throw early
    const value = handler({ chain, parts, request })
    return value === undefined ? 'close' : json(200, value)
  }
  const gap = request.method === 'GET' ? absence(request.path) : undefined
  if (gap !== undefined) throw new NodeRefusal(500, gap)
  return json(404, { message: 'Not Found' })
}

function json(status: number, value: unknown): LoopbackReply {
  return { status, contentType: 'application/json', body: `${goJson(value)}\n` }
}

function query({ request }: Call) {
  return { ids: request.query.getAll('id'), statuses: request.query.getAll('status') }
}

function stateRecord(call: Call): StateRecord {
  return requireState(call.chain, slotOf(call.chain, 'StateID', part(call, 0)))
}

function headerOf(call: Call) {
  const record = recordOf(call.chain, slotOf(call.chain, 'StateID', part(call, 0)))
  if ('missing' in record) throw new NodeRefusal(500, record.message)
  return record.header
}

function randao(call: Call): string {
  const mixes = stateRecord(call).tree.randaoMixes
  return bytesToHex(mixes.get(0))
}

function pendingPartials(call: Call) {
  return stateRecord(call).consensus.pendingPartialWithdrawals.map((item) => ({
    validator_index: String(item.validatorIndex),
    amount: String(item.amountGwei),
    withdrawal_epoch: String(item.withdrawableEpoch),
  }))
}

function blockAtHeight(call: Call, what: string): MadeBlock {
  const height = part(call, 0)
  if (!/^\d{1,18}$/.test(height)) throw invalid('Height', height)
  const found = engineBlockAt(call.chain, BigInt(height))
  if (found === undefined) throw new NodeRefusal(404, `${what} not found at height ${height}: not found`)
  return found
}

const PUBKEY = /^0x[0-9a-f]{96}$/i
const INDEX = /^\d{1,20}$/
const STATUSES: ReadonlySet<string> = new Set(VALIDATOR_STATUSES)

type RequestedValidators = { ids: readonly string[]; statuses: readonly string[] }

/** `states/{id}/validators`: in index order; unknown ids are left out. Throws the node's refusals. */
function listValidators(chain: Chain, stateId: string, filter: RequestedValidators) {
  const slot = slotOf(chain, 'StateID', stateId)
  requireIds(filter.ids)
  const odd = filter.statuses.findIndex((status) => !STATUSES.has(status))
  if (odd !== -1) throw invalid(`Statuses[${odd}]`, filter.statuses[odd] ?? '')
  const state = requireFilterable(chain, slot, 'failed to filter validators: not found')
  const wanted = new Set(filter.statuses)
  return selected(state, filter.ids)
    .map((index) => validatorData(chain, state, index))
    .filter((item) => wanted.size === 0 || wanted.has(item.status))
}

/** `states/{id}/validators/{validator_id}`. Throws the node's refusals. */
function oneValidator(chain: Chain, stateId: string, validatorId: string) {
  const slot = slotOf(chain, 'StateID', stateId)
  if (!PUBKEY.test(validatorId) && !INDEX.test(validatorId)) throw invalid('ValidatorID', validatorId)
  const state = requireFilterable(chain, slot, 'not found')
  const [index] = selected(state, [validatorId])
  if (index === undefined) throw new NodeRefusal(404, unknownValidator(validatorId))
  return validatorData(chain, state, index)
}

/** `states/{id}/validator_balances`: in index order; unknown ids are left out. Throws the node's refusals. */
function listBalances(chain: Chain, stateId: string, ids: readonly string[]) {
  const slot = slotOf(chain, 'StateID', stateId)
  requireIds(ids)
  const state = requireFilterable(chain, slot, 'failed to filter validator balances: not found')
  return selected(state, ids).map((index) => balanceData(state, index))
}

function requireIds(ids: readonly string[]): void {
  const odd = ids.findIndex((id) => !PUBKEY.test(id) && !INDEX.test(id))
  if (odd !== -1) throw invalid(`IDs[${odd}]`, ids[odd] ?? '')
}

function requireFilterable(chain: Chain, slot: bigint, notFound: string): ConsensusState {
  const found = stateOf(chain, slot)
  if (!('missing' in found)) return found.consensus
  if (found.missing === 'future') throw new NodeRefusal(404, notFound)
  throw new NodeRefusal(500, `failed to get state from stateID ${slot}, slot ${slot}: ${found.message}`)
}

function selected(state: ConsensusState, ids: readonly string[]): number[] {
  const every = state.validators.map((_, index) => index)
  if (ids.length === 0) return every
  const wanted = new Set(ids.map((id) => id.toLowerCase()))
  return every.filter(
    (index) => wanted.has(String(index)) || wanted.has(state.validators[index]?.pubkey ?? ''),
  )
}

function balanceData(state: ConsensusState, index: number) {
  return { index: String(index), balance: String(state.balancesGwei[index]) }
}

function validatorData(chain: Chain, state: ConsensusState, index: number) {
  const validator = state.validators[index]
  if (validator === undefined) throw new NodeRefusal(404, unknownValidator(String(index)))
  return {
    ...balanceData(state, index),
    status: validatorStatus(validator, epochOfSlot(state.slot, chain.input.spec)) as string,
    validator: {
      pubkey: validator.pubkey,
      withdrawal_credentials: validator.withdrawalCredentials,
      effective_balance: String(validator.effectiveBalanceGwei),
      slashed: validator.slashed,
      activation_eligibility_epoch: String(validator.activationEligibilityEpoch),
      activation_epoch: String(validator.activationEpoch),
      exit_epoch: String(validator.exitEpoch),
      withdrawable_epoch: String(validator.withdrawableEpoch),
    },
  }
}

function unknownValidator(id: string): string {
  if (INDEX.test(id)) return `collections: not found: key '${id}' of type SSZMarshallable: not found`
  return `collections: not found: key 'hexBytes:${id.slice(2).toLowerCase()}' of type uint64: not found`
}

/** Paths of the standard that the real node answers with a 500, by what its message says. */
const NOT_IMPLEMENTED: readonly RegExp[] = [
  /^\/eth\/v1\/beacon\/states\/[^/]+\/(finality_checkpoints|committees|sync_committees|pending_deposits|pending_consolidations)$/,
  /^\/eth\/v2\/beacon\/blocks\/[^/]+$/,
  /^\/eth\/v1\/beacon\/blocks\/[^/]+\/root$/,
  /^\/eth\/v1\/beacon\/blinded_blocks\/[^/]+$/,
  /^\/eth\/v1\/beacon\/pool\/(proposer_slashings|voluntary_exits|bls_to_execution_changes)$/,
  /^\/eth\/v1\/beacon\/light_client\/(bootstrap\/[^/]+|updates|finality_update|optimistic_update)$/,
  /^\/eth\/v1\/config\/(fork_schedule|deposit_contract)$/,
  /^\/eth\/v1\/node\/(identity|peers|peer_count|health)$/,
  /^\/eth\/v1\/node\/peers\/[^/]+$/,
  /^\/eth\/v1\/events$/,
  /^\/eth\/v1\/debug\/fork_choice$/,
  /^\/eth\/v2\/debug\/beacon\/heads$/,
]

const DEPRECATED: readonly RegExp[] = [
  /^\/eth\/v1\/beacon\/pool\/(attestations|attester_slashings)$/,
  /^\/eth\/v1\/builder\/states\/[^/]+\/expected_withdrawals$/,
]

/** Returns the message for a path that the node knows and does not serve; undefined for any other path. */
function absence(path: string): string | undefined {
  if (NOT_IMPLEMENTED.some((pattern) => pattern.test(path))) return `endpoint ${path} is not yet implemented`
  if (DEPRECATED.some((pattern) => pattern.test(path))) return `endpoint ${path} is deprecated`
  return undefined
}

const NOT_READY = 'CreateQueryContext failed: beacond is not ready; please wait for first block'

/** What a node that waits for its first block refuses with; undefined for the paths that it answers even then. */
function refusalBeforeFirstBlock(path: string): NodeRefusal | undefined {
  if (/^\/eth\/v1\/(node|config)\//.test(path)) return undefined
  if (path === '/eth/v1/beacon/genesis') return new NodeRefusal(404, 'not found')
  if (/\/validators(\/|$)/.test(path)) return new NodeRefusal(404, 'failed to filter validators: not found')
  if (/\/headers(\/|$)/.test(path)) {
    return new NodeRefusal(404, `not found: failed to get state from height -1, ${NOT_READY}`)
  }
  return new NodeRefusal(500, NOT_READY)
}

/** `{"ids": [...], "statuses": [...]}`, both optional. Throws the 400 of the node for anything else. */
function readFilterBody(body: string): { ids: readonly string[]; statuses: readonly string[] } {
  const value = parseBody(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType('object')
  const { ids, statuses } = value as { ids?: unknown; statuses?: unknown }
  return { ids: texts(ids ?? []), statuses: texts(statuses ?? []) }
}

/** Returns a bare list of ids. Throws the 400 of the node for anything else. */
function readIdsBody(body: string): readonly string[] {
  return texts(parseBody(body))
}

function texts(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw wrongType('[]string')
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw syntaxFault(body, cause instanceof Error ? cause.message : '')
  }
}

/** Says where the text stops being JSON, in the words of the node's parser. */
function syntaxFault(body: string, message: string): NodeRefusal {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? body.length)
  const character = body.charAt(position)
  if (character === '') return bindFault('unexpected EOF')
  const place = /property name/.test(message) ? 'object key string' : 'value'
  const what = `invalid character '${character}' looking for beginning of ${place}`
  return bindFault(`Syntax error: offset=${position + 1}, error=${what}, internal=${what}`)
}

function wrongType(expected: string): NodeRefusal {
  return bindFault(`Unmarshal type error: expected=${expected}`)
}

function bindFault(what: string): NodeRefusal {
  return new NodeRefusal(400, `invalid request: failed to bind request: code=400, message=${what}`)
}
