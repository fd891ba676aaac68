import { EngineFault } from '../../core/base/errors/devnet.ts'
import type { Hex } from '../../core/base/format/hex.ts'
import { encodeVote } from '../../core/chain/light/encode.ts'
import { VOTE_FLAGS } from '../../core/chain/light/light-client.ts'
import { goJson, type LoopbackHandler, type LoopbackReply, type LoopbackRequest } from '../loopback-server.ts'
import type { Chain } from './chain.ts'
import {
  type EngineMember,
  type EngineSigner,
  engineSetAt,
  engineSignerOf,
  KEY_TYPE_PREFIX,
  type MadeBlock,
  NO_BLOCK_ID,
} from './engine.ts'

/** How a height is written: as text by the engine, as a number by the node API. */
export type HeightForm = (height: bigint) => string | number

const AS_TEXT: HeightForm = (height) => String(height)
export const AS_NUMBER: HeightForm = (height) => Number(height)

const ABSENT = 1
/** Holds the signature of all who voted for no block: here of one. */
const HOLDS_NIL = 6
const ZERO_TIME = '0001-01-01T00:00:00Z'

/** Returns the height of the engine's newest block. */
function newestHeight({ history, input }: Chain): bigint {
  const { slot } = history.head.header
  const stopsAt = input.forgery?.stopsAt ?? slot
  return stopsAt < slot ? stopsAt : slot
}

/** Returns the engine's block at a height; undefined where there is none yet or none any more. */
export function engineBlockAt(chain: Chain, height: bigint): MadeBlock | undefined {
  return height > newestHeight(chain) ? undefined : chain.history.at(height)?.engine
}

/** Returns the time of a block as the engine writes it. */
function engineTime({ header }: MadeBlock): string {
  return new Date(Number(header.time.seconds) * 1000).toISOString().replace('.000Z', '.000000000Z')
}

/** Returns the header of a block as JSON. */
export function engineHeader(block: MadeBlock, form: HeightForm) {
  const { header } = block
  return {
    version: { block: form(header.version.block) },
    chain_id: header.chainId,
    height: form(header.height),
    time: engineTime(block),
    last_block_id: header.lastBlockId,
    last_commit_hash: header.lastCommitHash,
    data_hash: header.dataHash,
    validators_hash: header.validatorsHash,
    next_validators_hash: header.nextValidatorsHash,
    consensus_hash: header.consensusHash,
    app_hash: header.appHash,
    last_results_hash: header.lastResultsHash,
    evidence_hash: header.evidenceHash,
    proposer_address: header.proposerAddress,
  }
}

/** Returns a whole block as JSON, with the commit of the block before it. */
export function engineBlock(chain: Chain, block: MadeBlock, form: HeightForm) {
  const parent = chain.history.at(block.header.height - 1n)?.engine
  return {
    header: engineHeader(block, form),
    data: { txs: block.transactions.map((bytes) => Buffer.from(bytes).toString('base64')) },
    evidence: { evidence: [] },
    last_commit: parent === undefined ? emptyCommit(form) : commit(chain, parent, form),
  }
}

function emptyCommit(form: HeightForm) {
  return { height: form(0n), round: 0, block_id: NO_BLOCK_ID, signatures: [] }
}

/** Returns the commit of a block as JSON. Its set signs when it is first asked for. */
export function commit(chain: Chain, block: MadeBlock, form: HeightForm) {
  const { height } = block.header
  const from = chain.input.forgery?.commitOf?.(height) ?? height
  const signed = chain.history.at(from)?.engine ?? block
  const signatures = commits.get(signed) ?? signBlock(chain, signed)
  commits.set(signed, signatures)
  return { height: form(height), round: 0, block_id: signed.id, signatures }
}

type CommitSignature = {
  block_id_flag: number
  validator_address: string
  timestamp: string
  signature: string | null
}

/** Signatures of blocks, each made once. */
const commits = new WeakMap<MadeBlock, readonly CommitSignature[]>()

function signBlock({ input, ...chain }: Chain, { header, id: blockId }: MadeBlock): CommitSignature[] {
  const { height, chainId } = header
  const absent = chain.absentAt(height)
  const nil = input.votesNil?.(height)
  const vote = { chainId, height, round: 0, blockId }
  const members = engineSetAt(chain.engineSets(), height).map((member) => ({ ...member, key: keyOf(member) }))
  const present = members.filter(({ pubkey, key }) => !absent.has(pubkey) && input.holdsKey(key))
  const voters = present.filter(({ pubkey }) => pubkey !== nil)
  return members.map((member) => {
    const entry = { timestamp: ZERO_TIME, validator_address: member.address, signature: null }
    if (!present.includes(member)) return { ...entry, block_id_flag: ABSENT, validator_address: '' }
    if (!voters.includes(member)) {
      const signature = input.signVotes({ keys: [member.key], message: encodeNilVote(vote) })
      return { ...entry, block_id_flag: HOLDS_NIL, signature }
    }
    if (member !== voters[0]) return { ...entry, block_id_flag: VOTE_FLAGS.inAggregate }
    const signature = input.signVotes({ keys: voters.map(({ key }) => key), message: encodeVote(vote) })
    return { ...entry, block_id_flag: VOTE_FLAGS.holdsAggregate, signature }
  })
}

const keyOf = ({ pubkey }: { pubkey: Hex }): string => engineSignerOf(pubkey).uncompressedBase64

/** Where the block id begins in a vote of round 0: after its length, its type and its height. */
const BLOCK_ID_AT = 12
/** What an empty block id takes in a vote. */
const EMPTY_BLOCK_ID = 4

/** Returns what a vote for no block signs: the same without a block id (CometBFT `CanonicalizeBlockID`). */
function encodeNilVote(vote: Parameters<typeof encodeVote>[0]): Uint8Array {
  const [length = 0, ...body] = encodeVote({ ...vote, blockId: NO_BLOCK_ID })
  body.splice(BLOCK_ID_AT - 1, EMPTY_BLOCK_ID)
  return Uint8Array.of(length - EMPTY_BLOCK_ID, ...body)
}

/** The node behind the engine: its validator key and what else its status says. */
export type EngineNode = {
  key: EngineSigner
  /** The engine's genesis file as parsed JSON. */
  genesis: EngineGenesis
}

export type EngineGenesis = {
  genesis_time: string
  chain_id: string
  app_state: unknown
  consensus: { params: unknown }
}

type EngineParams = Readonly<Record<string, string>>

type Method = (chain: Chain, node: EngineNode, params: EngineParams) => unknown

const PER_PAGE_DEFAULT = 30
const PER_PAGE_MOST = 100

/** The methods that the engine offers here, by name. Each throws an EngineFault for parameters it refuses. */
const ENGINE_METHODS: Readonly<Record<string, Method>> = {
  status,
  validators,
  block(chain, _node, params) {
    const block = blockAt(chain, params)
    return { block_id: block.id, block: engineBlock(chain, block, AS_TEXT) }
  },
  commit(chain, _node, params) {
    const block = blockAt(chain, params)
    const signed = { header: engineHeader(block, AS_TEXT), commit: commit(chain, block, AS_TEXT) }
    return { signed_header: signed, canonical: true }
  },
  net_info: () => ({ listening: true, listeners: ['Listener(@)'], n_peers: '0', peers: [] }),
  health: () => ({}),
  abci_info(chain) {
    const head = blockAt(chain, {})
    return {
      response: {
        data: 'beacond',
        last_block_height: String(head.header.height),
        last_block_app_hash: Buffer.from(head.appHash, 'hex').toString('base64'),
      },
    }
  },
  genesis: (_chain, node) => ({
    genesis: {
      genesis_time: node.genesis.genesis_time,
      chain_id: node.genesis.chain_id,
      initial_height: '1',
      consensus_params: node.genesis.consensus.params,
      app_hash: '',
      app_state: node.genesis.app_state,
    },
  }),
}

function status(chain: Chain, node: EngineNode) {
  const head = blockAt(chain, {})
  const earliest = engineBlockAt(chain, 1n) ?? head
  const members = engineSetAt(chain.engineSets(), head.header.height)
  const own = members.find((member) => member.address === node.key.address)
  return {
    node_info: {
      protocol_version: { p2p: '9', block: '11', app: '0' },
      id: node.key.address.toLowerCase(),
      listen_addr: 'tcp://127.0.0.1:26656',
      network: chain.input.engineChainId,
      version: '1.0.1',
      channels: '402021222330386061',
      moniker: 'rehearsal',
      other: { tx_index: 'off', rpc_address: 'tcp://127.0.0.1:26657' },
    },
    sync_info: {
      latest_block_hash: head.id.hash,
      latest_app_hash: head.appHash,
      latest_block_height: String(head.header.height),
      latest_block_time: engineTime(head),
      earliest_block_hash: earliest.id.hash,
      earliest_app_hash: earliest.appHash,
      earliest_block_height: String(earliest.header.height),
      earliest_block_time: engineTime(earliest),
      catching_up: false,
    },
    validator_info: {
      address: node.key.address,
      pub_key: { type: `${KEY_TYPE_PREFIX}/PubKeyBls12_381`, value: node.key.uncompressedBase64 },
      voting_power: String(own?.powerGwei ?? 0n),
    },
  }
}

function validators(chain: Chain, _node: EngineNode, params: EngineParams) {
  const next = newestHeight(chain) + 1n
  const height = heightOf(params, next)
  const members = engineSetAt(chain.engineSets(), height)
  const perPage = pageSize(integer(params.per_page))
  const pages = Math.max(1, Math.ceil(members.length / perPage))
  const page = Number(integer(params.page) ?? 1n)
  if (page < 1 || page > pages) throw internal(`page should be within [1, ${pages}] range, given ${page}`)
  const shown = members.slice((page - 1) * perPage, page * perPage)
  return {
    block_height: String(height),
    validators: shown.map(validatorOf),
    count: String(shown.length),
    total: String(members.length),
  }
}

function validatorOf(member: EngineMember) {
  return {
    address: member.address,
    pub_key: {
      type: `${KEY_TYPE_PREFIX}/PubKeyBls12_381`,
      value: engineSignerOf(member.pubkey).uncompressedBase64,
    },
    voting_power: String(member.powerGwei),
    proposer_priority: '0',
  }
}

function pageSize(asked: bigint | undefined): number {
  if (asked === undefined || asked < 1n) return PER_PAGE_DEFAULT
  return asked > PER_PAGE_MOST ? PER_PAGE_MOST : Number(asked)
}

function blockAt(chain: Chain, params: EngineParams): MadeBlock {
  const head = newestHeight(chain)
  const height = heightOf(params, head)
  const block = engineBlockAt(chain, height)
  if (block === undefined) throw internal(`height ${height} is not available, lowest height is ${head}`)
  return block
}

function heightOf(params: EngineParams, latest: bigint): bigint {
  const height = integer(params.height)
  if (height === undefined) return latest
  if (height <= 0n) throw internal(`height must be greater than 0, but got ${height}`)
  if (height <= latest) return height
  throw internal(`height ${height} must be less than or equal to the current blockchain height ${latest}`)
}

function integer(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '') return undefined
  if (/^-?\d{1,19}$/.test(text)) return BigInt(text)
  const data = `error converting http params to arguments: invalid 64-bit integer encoding "${text}", expected string`
  throw new EngineFault({ code: -32602, message: 'Invalid params', data })
}

function internal(data: string): EngineFault {
  return new EngineFault({ code: -32603, message: 'Internal error', data })
}

/** What GET replies carry as their id (ran). */
const GET_ID = -1

/** Returns the engine RPC of a rehearsal network: paths with a query, or JSON-RPC by POST. */
export function engineRpc(chain: Chain, node: EngineNode): LoopbackHandler {
  return (request) => {
    if (chain.history.head.header.slot === 0n) return 'close'
    if (request.method === 'POST' && request.path === '/') return post(chain, node, request.body)
    return get(chain, node, request)
  }
}

function get(chain: Chain, node: EngineNode, request: LoopbackRequest): LoopbackReply {
  const method = ENGINE_METHODS[request.path.slice(1)]
  if (request.method !== 'GET' || method === undefined) {
    return { status: 404, contentType: 'text/plain; charset=utf-8', body: '404 page not found\n' }
  }
  const params = Object.fromEntries(
    [...request.query].map(([name, value]) => [name, value.replaceAll('"', '')]),
  )
  const answer = run(() => method(chain, node, params))
  return json('error' in answer ? 500 : 200, { jsonrpc: '2.0', id: GET_ID, ...answer })
}

function post(chain: Chain, node: EngineNode, body: string): LoopbackReply {
  const call = readCall(body)
  if (call === undefined) {
    const error = { code: -32700, message: 'Parse error. Invalid JSON' }
    return json(500, { jsonrpc: '2.0', id: GET_ID, error })
  }
  const method = ENGINE_METHODS[call.method]
  const answer =
    method === undefined
      ? { error: { code: -32601, message: 'Method not found' } }
      : run(() => method(chain, node, call.params))
  return json(200, { jsonrpc: '2.0', id: call.id, ...answer })
}

function run(method: () => unknown): { result: unknown } | { error: object } {
  try {
    return { result: method() }
  } catch (error) {
    if (error instanceof EngineFault) return { error: error.body }
    throw error
  }
}

function readCall(body: string): { id: unknown; method: string; params: EngineParams } | undefined {
  try {
    const call = JSON.parse(body) as { id?: unknown; method?: unknown; params?: Record<string, unknown> }
    if (typeof call?.method !== 'string') return undefined
    const given = Object.entries(call.params ?? {}).map(([name, value]) => [name, String(value)])
    return { id: call.id ?? null, method: call.method, params: Object.fromEntries(given) as EngineParams }
  } catch {
    return undefined
  }
}

function json(status: number, value: unknown): LoopbackReply {
  return { status, contentType: 'application/json', body: goJson(value) }
}
