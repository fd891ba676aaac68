import type { LoopbackHandler, LoopbackReply, LoopbackRequest } from '../../loopback-server.ts'
import type { Chain } from '../chain.ts'
import { goJson } from '../go-json.ts'
import { ENGINE_METHODS, EngineFault, type EngineNode, type EngineParams } from './methods.ts'

/** What GET replies carry as their id (ran). */
const GET_ID = -1

/** The engine RPC of a rehearsal network: paths with a query, or JSON-RPC by POST. */
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
