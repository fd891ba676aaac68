import { ClientError } from '../../base/errors/client.ts'
import { formatCount } from '../../base/format/amount.ts'
import type { Decoder } from '../../base/format/decode.ts'
import { type ClientEffects, createHttpClient } from '../http-client.ts'
import {
  type AskLimits,
  type Fail,
  type JsonReply,
  READ,
  type RpcError,
  readRpcReply,
  revertData,
  statusFault,
} from '../json-rpc.ts'

type RpcCall<T> = {
  method: string
  params: readonly unknown[]
  decode: Decoder<T>
  limits?: AskLimits
}

/** One execution endpoint, asked by JSON-RPC over HTTP. */
export type ExecutionClient = {
  /** scheme://host:port. */
  label: string
  rpc<T>(call: RpcCall<T>): Promise<T>
}

const REVERT = /^execution reverted\b/

/**
 * Returns a client of the execution RPC at `url`. One request at a time, no batches, ids checked. Failures are
 * `ClientError`s; a contract's refusal is `reverted` with its data.
 */
export function createExecutionClient(effects: ClientEffects, url: string): ExecutionClient {
  const http = createHttpClient(effects, 'execution RPC', url)
  let lastId = 0
  return {
    label: http.label,
    rpc({ method, params, decode, limits = READ }) {
      lastId += 1
      const id = lastId
      return http.request({
        method: 'POST',
        url,
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        what: method,
        ...limits,
        read: (reply, fail) => readReply(reply, id, decode, fail),
      })
    },
  }
}

function readReply<T>(reply: JsonReply, id: number, decode: Decoder<T>, fail: Fail): T {
  const { status, json } = reply
  if (status !== 200 && !isEnvelope(json)) throw fail(statusFault(status), { status })
  const outcome = readRpcReply(json, id)
  if ('error' in outcome) throw rpcFault(outcome.error, status, fail)
  if (status !== 200) throw fail(statusFault(status), { status })
  return decode(outcome.result, 'result')
}

/** Returns the error of an endpoint that does not have what it must have; `what` names it. */
export function notFound({ label }: ExecutionClient, what: string): ClientError {
  return new ClientError('not-found', { service: 'execution RPC', endpoint: label, what })
}

/** Returns the error of an endpoint that has no state yet, with how far its client is. */
export function stillSyncs(
  { label }: ExecutionClient,
  progress: { currentBlock: bigint; highestBlock: bigint },
): ClientError {
  const shown = { current: formatCount(progress.currentBlock), highest: formatCount(progress.highestBlock) }
  const at = { service: 'execution RPC', endpoint: label, what: 'eth_syncing' } as const
  return new ClientError('not-ready', { ...at, progress: shown })
}

function isEnvelope(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'jsonrpc' in json
}

function rpcFault(error: RpcError, status: number, fail: Fail) {
  const parts = {
    status,
    details: [`code: ${error.code}`],
    said: error.message,
  }
  const data = revertData(error) ?? (REVERT.test(error.message) ? '0x' : undefined)
  if (data !== undefined) return fail('reverted', { ...parts, data })
  if (error.code === -32601) return fail('not-offered', parts)
  if (error.code === -32602) return fail('bad-request', parts)
  return fail(error.code === -32005 ? 'rate-limited' : 'rejected', parts)
}
