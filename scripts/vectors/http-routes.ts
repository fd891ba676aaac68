import { list, record } from '../../src/core/base/format/decode.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { ValidatorStatus } from '../../src/core/chain/consensus/state.ts'
import { getCommit, getEngineBlock } from '../../src/core/clients/engine/blocks.ts'
import { createEngineClient, type EngineClient } from '../../src/core/clients/engine/client.ts'
import { getEngineStatus, getEngineValidators, getNetInfo } from '../../src/core/clients/engine/get-status.ts'
import type { ClientEffects } from '../../src/core/clients/http-client.ts'
import { getHeader, getHeaders } from '../../src/core/clients/node/blocks.ts'
import { getConfigSpec, getFork, getGenesis, getStateRoot } from '../../src/core/clients/node/chain.ts'
import { createNodeClient, type NodeClient } from '../../src/core/clients/node/client.ts'
import { getDebugState } from '../../src/core/clients/node/debug-state.ts'
import { getNodeSyncing, getNodeVersion } from '../../src/core/clients/node/node.ts'
import {
  getBlockProposerProof,
  getValidatorBalanceProof,
  getValidatorCredentialsProof,
  getValidatorPubkeyProof,
  type ProofMoment,
} from '../../src/core/clients/node/validator-proofs.ts'
import {
  decodeValidatorRecord,
  getPendingPartialWithdrawals,
  getValidator,
  getValidators,
} from '../../src/core/clients/node/validators.ts'
import { furtherRoute } from './further-routes.ts'
import { postRoute } from './post-routes.ts'
import { type Route, stateId } from './route-of.ts'

export type HttpRow = {
  api: 'node-api' | 'engine'
  method: 'GET' | 'POST'
  path: string
  requestBody?: string
  status?: number
  contentType?: string
  body?: string
  failed?: string
}

const BASE = 'http://127.0.0.1:1'

type Asked = { value: unknown; name: string }

/** Asks what the row asked, through the product's own call for it where it has one, else through its client. */
export async function askRow(row: HttpRow, effects: ClientEffects): Promise<Asked> {
  const namespace = /^\/(.+)\/proof\//.exec(row.path)?.[1] ?? 'bkit/v1'
  if (row.api === 'engine') return askEngine(row, createEngineClient(effects, BASE))
  return askNode(row, createNodeClient(effects, BASE, { proofNamespace: namespace }))
}

async function askNode(row: HttpRow, client: NodeClient): Promise<Asked> {
  const parts = splitPath(row)
  const route = row.path.endsWith('/') ? undefined : nodeRoute(row, client, parts)
  if (route !== undefined) return { name: route.name, value: await route.ask() }
  const isList = row.path.endsWith('/validators')
  const decode = isList ? record({ data: list(decodeValidatorRecord) }) : (value: unknown) => value
  const body = row.method === 'POST' ? { body: row.requestBody ?? '' } : {}
  const query = [...new URL(row.path, BASE).searchParams]
  const value = await client.ask({ path: parts, query, decode, ...body })
  return { name: isList ? 'validators' : 'raw', value }
}

function nodeRoute(row: HttpRow, client: NodeClient, parts: readonly string[]): Route {
  if (row.method === 'POST') return postRoute(client, { parts, body: row.requestBody })
  const at = parts.join('/')
  const fixed: Record<string, () => Promise<unknown>> = {
    'eth/v1/beacon/genesis': () => getGenesis(client),
    'eth/v1/node/syncing': () => getNodeSyncing(client),
    'eth/v1/node/version': () => getNodeVersion(client),
    'eth/v1/config/spec': () => getConfigSpec(client),
  }
  const plainCall = fixed[at]
  if (plainCall !== undefined) return { name: at, ask: plainCall }
  const query = new URL(row.path, BASE).searchParams
  return (
    headersRoute(client, at, query) ??
    proofRoute(client, parts) ??
    validatorRoute(row, client, parts) ??
    stateRoute(client, parts) ??
    furtherRoute(client, { parts, query })
  )
}

function headersRoute(client: NodeClient, at: string, query: URLSearchParams): Route {
  if (at !== 'eth/v1/beacon/headers') return undefined
  const slot = query.get('slot')
  if (slot === null)
    return query.size === 0 ? { name: 'headers', ask: () => getHeaders(client, {}) } : undefined
  const fits = query.size === 1 && /^\d+$/.test(slot)
  return fits ? { name: 'headers', ask: () => getHeaders(client, { slot: BigInt(slot) }) } : undefined
}

function validatorRoute(row: HttpRow, client: NodeClient, parts: readonly string[]): Route {
  const state = stateId(parts[4])
  if (parts[5] !== 'validators' || state === undefined) return undefined
  const [id] = parts.slice(6)
  if (id !== undefined) {
    // An unknown validator is an answer of the call, not a failure; only replies with a record go through it.
    return row.status === 200
      ? { name: 'validator', ask: () => getValidator(client, { state, id: validatorId(id) }) }
      : undefined
  }
  const query = new URL(row.path, BASE).searchParams
  const ids = query.getAll('id') as Hex[]
  const statuses = query.getAll('status') as ValidatorStatus[]
  return { name: 'validators', ask: () => getValidators(client, { state, ids, statuses }) }
}

function stateRoute(client: NodeClient, parts: readonly string[]): Route {
  const debug = parts[2] === 'debug' && parts[4] === 'states'
  const id = debug ? parts[5] : parts[4]
  const state = stateId(id)
  if (state === undefined) return undefined
  if (debug) return { name: 'debug', ask: () => getDebugState(client, { state }) }
  if (parts[3] === 'headers') return { name: 'header', ask: () => getHeader(client, { block: state }) }
  if (parts[3] !== 'states' || parts.length !== 6) return undefined
  const calls: Record<string, () => Promise<unknown>> = {
    root: () => getStateRoot(client, { state }),
    fork: () => getFork(client, { state }),
    pending_partial_withdrawals: () => getPendingPartialWithdrawals(client, { state }),
  }
  const name = parts[5] ?? ''
  const ask = calls[name]
  return ask === undefined ? undefined : { name, ask }
}

function proofRoute(client: NodeClient, parts: readonly string[]): Route {
  const start = parts.indexOf('proof')
  const [kind, id, index] = parts.slice(start + 1)
  const moment = proofMoment(id)
  if (start < 0 || moment === undefined) return undefined
  if (kind === 'block_proposer') return { name: kind, ask: () => getBlockProposerProof(client, { moment }) }
  const validatorIndex = Number(index)
  if (!/^\d+$/.test(index ?? '') || !Number.isSafeInteger(validatorIndex)) return undefined
  const calls: Record<string, () => Promise<unknown>> = {
    validator_pubkey: () => getValidatorPubkeyProof(client, { moment, validatorIndex }),
    validator_credentials: () => getValidatorCredentialsProof(client, { moment, validatorIndex }),
    validator_balance: () => getValidatorBalanceProof(client, { moment, validatorIndex }),
  }
  const ask = calls[kind ?? '']
  return ask === undefined ? undefined : { name: kind ?? '', ask }
}

async function askEngine(row: HttpRow, client: EngineClient): Promise<Asked> {
  const url = new URL(row.path, BASE)
  const height = url.searchParams.get('height')
  const heightFits = height === null || /^\d{1,19}$/.test(height)
  const args = height === null || !heightFits ? {} : { height: BigInt(height) }
  const calls: Record<string, () => Promise<unknown>> = {
    '/status': () => getEngineStatus(client),
    '/net_info': () => getNetInfo(client),
    '/block': () => getEngineBlock(client, args),
    '/commit': () => getCommit(client, args),
    '/validators?page=1&per_page=100': () => getEngineValidators(client),
  }
  const ask = row.method === 'GET' && heightFits ? (calls[row.path] ?? calls[url.pathname]) : undefined
  if (ask !== undefined) return { name: url.pathname, value: await ask() }
  const query = [...url.searchParams]
  const raw = client.ask({ method: url.pathname.slice(1), query, decode: (value) => value })
  return { name: 'raw', value: await raw }
}

function validatorId(id: string): Hex | number {
  return /^\d+$/.test(id) ? Number(id) : (id as Hex)
}

function proofMoment(id: string | undefined): ProofMoment | undefined {
  if (id === 'head') return 'head'
  if (id !== undefined && /^\d+$/.test(id)) return { slot: BigInt(id) }
  return id !== undefined && /^t\d+$/.test(id)
    ? { nextBlockTimestampSeconds: BigInt(id.slice(1)) }
    : undefined
}

function splitPath(row: HttpRow): string[] {
  return new URL(row.path, BASE).pathname.slice(1).split('/').map(decodeURIComponent)
}
